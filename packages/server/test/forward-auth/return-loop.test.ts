import { routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { limits, minutes, seconds } from '../../src/limits.ts'
import type { Browser, startServer } from '../support/harness.ts'
import { ask, grafana, page, signInFrom, start } from './return-journey.ts'

type Server = Awaited<ReturnType<typeof startServer>>

const openLoop = async (server: Server, browser: Browser, headers: Record<string, string>) => {
  const seen: unknown[] = []
  for (let turn = 0; turn < 4; turn++) {
    server.clock.advance(seconds(1))
    // A proxy that does not forward the cookie.
    const proxy = { ...server.openBrowser(), jar: new Map() }
    const returnId = await ask(proxy, `${grafana}/x`, headers)
    const { statusCode, headers: answered, body } = await browser.get(`/gate/?return=${returnId}`, page)
    seen.push(statusCode === 303 ? answered.location : [statusCode, /gatehouse-misconfiguration-name">([^<]+)</.exec(body)?.[1]])
  }
  return seen
}

test('the third failed return within ten seconds shows a page with the cause; the next one redirects again', async () => {
  const server = await start()
  const browser = server.openBrowser()
  await browser.enter()
  const on = `${grafana}/x`
  expect(await openLoop(server, browser, {})).toEqual([on, on, [409, 'cookie-not-passed-on'], on])
  server.clock.advance(seconds(10))
  expect(await openLoop(server, browser, { cookie: '__Secure-gatehouse-check=another.one' })).toEqual([
    on,
    on,
    [409, 'session-unknown'],
    on,
  ])
  // Slower returns come from a user.
  for (let i = 0; i < 6; i++) {
    server.clock.advance(seconds(5) + 1)
    const returnId = await ask(server.openBrowser(), on)
    expect((await browser.get(`/gate/?return=${returnId}`, page)).headers.location).toBe(on)
  }
})

test('many tabs that waited for one sign-in all continue without a loop warning', async () => {
  const server = await start()
  const browser = server.openBrowser()
  const ids = []
  for (let i = 0; i < 8; i++) ids.push(await ask(browser, `${grafana}/x`))
  server.clock.advance(seconds(20))
  await browser.enter()
  for (const id of ids) expect((await browser.get(`/gate/?return=${id}`, page)).headers.location).toBe(`${grafana}/x`)
})

test('names the cause immediately and once when the browser did not store the session cookie', async () => {
  const causes: unknown[] = []
  const withoutDomain = { GATEHOUSE_COOKIE_DOMAIN: '', GATEHOUSE_PROTECTED_ORIGINS: '' }
  const plain = { ...withoutDomain, GATEHOUSE_PUBLIC_URL: 'http://example.com/gate' }
  for (const [more, cookie] of [
    [{}, ''],
    [withoutDomain, ''],
    // Over plain HTTP, another host of the domain can plant a cookie that hides the browser's own.
    [plain, 'gatehouse-session=a.b; gatehouse-session=c.d'],
  ] as const) {
    const server = await start(more)
    const browser = server.openBrowser()
    await signInFrom(browser, undefined)
    for (const name of browser.jar.keys()) if (name.endsWith('session')) browser.jar.delete(name)
    const kept = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const { statusCode, body } = await browser.get('/gate/', { ...page, cookie: `${kept}; ${cookie}` })
    causes.push([statusCode, /gatehouse-misconfiguration-name">([^<]+)</.exec(body)?.[1]])
    expect((await browser.get('/gate/', page)).statusCode).toBe(200)
  }
  expect(causes).toEqual([
    [409, 'cookie-not-stored'],
    [409, 'cookie-not-stored'],
    [409, 'cookie-twice'],
  ])
})

test('a sign-in marker that is malformed, expired or from the future does not block the sign-in page', async () => {
  const server = await start()
  const browser = server.openBrowser()
  const { at } = server.clock
  for (const planted of [
    '1',
    'a-moment-ago',
    '',
    '-1',
    `${at}.0`,
    String(at + 1),
    String(at + minutes(9)),
    String(at - seconds(30)),
    '9'.repeat(16),
  ]) {
    browser.jar.set('__Host-gatehouse-signed-in', planted)
    expect([planted, (await browser.get('/gate/', page)).statusCode]).toEqual([planted, 200])
  }
  browser.jar.set('__Host-gatehouse-signed-in', String(at - seconds(29)))
  expect((await browser.get('/gate/', page)).statusCode).toBe(409)
})

test('signing out right after signing in shows the sign-in page', async () => {
  const server = await start()
  const browser = server.openBrowser()
  await signInFrom(browser, undefined)
  await browser.send('POST', `/gate${routes.logoutBySelf.path}`, {})
  expect((await browser.get('/gate/', page)).statusCode).toBe(200)
})

test('a sign-in over plain HTTP where HTTPS is configured shows that cause, not the page for an old link', async () => {
  const server = await start()
  const open = async (headers: Record<string, string>) => {
    const { statusCode, body } = await server.app.inject({ url: '/gate/auth/page/plow/some-selector/some-token', headers })
    return [statusCode, /gatehouse-misconfiguration-name">([^<]+)</.exec(body)?.[1]]
  }
  const plain = { accept: 'text/html', host: 'example.com', 'x-forwarded-proto': 'http' }
  expect(await open(plain)).toEqual([409, 'secure-cookie-on-http'])
  for (const other of [
    { ...plain, 'x-forwarded-proto': 'https' },
    { ...plain, ...page },
    { ...plain, host: 'localhost:8080' },
  ])
    expect(await open(other)).toEqual([410, undefined])
})

test('if the proxy also protects the sign-in page, the check answers with a page that explains it instead of redirecting', async () => {
  const server = await start()
  for (const path of ['/gate', '/gate/', '/gate/?return=x', '/gate/assets/x.css']) {
    const headers = { ...page, 'x-forwarded-proto': 'https', 'x-forwarded-host': 'example.com', 'x-forwarded-uri': path }
    const answer = await server.app.inject({ url: '/gate/auth/forward', headers })
    expect([path, answer.statusCode, answer.headers['gatehouse-trouble']]).toEqual([path, 403, 'sign-in-guarded'])
    // At that address the page cannot load Gatehouse's assets.
    expect(answer.body).not.toMatch(/="[^"]*assets\/|<script|<link/)
    expect(answer.body).toMatch(/<style>[\s\S]*\.gatehouse-misconfiguration-name/)
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; /)
  }
})

/** Follows the check's redirects through a proxy that checks every request, Gatehouse's own pages included. @returns the check's answers */
const follow = async (
  server: Server,
  browser: Browser,
  from: string,
  headers: Record<string, string> = {},
  asks = (path: string) => path,
) => {
  const seen: string[] = []
  for (let uri = from; seen.length < 6; ) {
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'example.com', 'x-forwarded-uri': asks(uri), ...headers }
    const answer = await browser.get('/auth/forward', { ...page, ...forwarded })
    seen.push(String(answer.headers['gatehouse-trouble'] ?? answer.statusCode))
    const { location } = answer.headers
    if (location === undefined) break
    expect(location).toMatch(server.config.publicUrl.origin)
    uri = location.slice(server.config.publicUrl.origin.length)
  }
  return seen
}

test('never redirects in circles if everything is behind the check, whether or not a rule lists the origin and admits the user', async () => {
  const atRoot = { GATEHOUSE_PUBLIC_URL: 'https://example.com', GATEHOUSE_COOKIE_DOMAIN: 'example.com' }
  const notListed = await start({ ...atRoot, GATEHOUSE_PROTECTED_ORIGINS: grafana })
  const strict = await start({ ...atRoot, GATEHOUSE_PROTECTED_ORIGINS: 'https://example.com administrators' })
  const below = await start({ GATEHOUSE_PROTECTED_ORIGINS: grafana })
  const guarded = 'sign-in-guarded'
  for (const browser of [notListed.openBrowser(), await entered(notListed)]) {
    expect(await follow(notListed, browser, '/d/1')).toEqual(['not-protected', guarded])
    // With a wrong host name, as a misconfigured proxy sends.
    expect(await follow(notListed, browser, '/d/1', { 'x-forwarded-host': '127.0.0.1:3000' })).toEqual(['forwarded-headers', guarded])
    expect(await follow(notListed, browser, '/d/1', { 'x-forwarded-host': '' })).toEqual(['forwarded-headers', guarded])
    expect(await follow(notListed, browser, '/d/1', { 'x-forwarded-host': 'example.org' })).toEqual(['cookie-domain', guarded])
  }
  expect(await follow(strict, strict.openBrowser(), '/d/1')).toEqual(['302', guarded])
  expect(await follow(strict, await entered(strict), '/d/1')).toEqual(['302', guarded])
  for (const own of [
    '/account',
    '/account?x',
    '/administration/users',
    '/trouble?cause=x',
    '/recovery-codes',
    '/forgot-password',
    '/second-factor/phone',
    '/auth/page/plow/a/b',
    '/?return=x',
  ])
    for (const browser of [strict.openBrowser(), await entered(strict)])
      expect([own, await follow(strict, browser, own)]).toEqual([own, [guarded]])
  for (const other of ['/accounts', '/grafana/account', '//account', '/x?/account', '/mail', '/approve']) {
    expect([other, (await follow(strict, strict.openBrowser(), other))[0]]).toEqual([other, '302'])
  }
  expect(await follow(below, below.openBrowser(), '/d/1')).toEqual(['not-protected', guarded])
  // The proxy strips the prefix /gate before the check.
  const host = { 'x-forwarded-host': '127.0.0.1:3000' }
  expect(await follow(below, below.openBrowser(), '/d/1', host, path => path.replace(/^\/gate/, ''))).toEqual([
    'forwarded-headers',
    guarded,
  ])
  const listed = await start()
  expect(await follow(listed, listed.openBrowser(), '/d/1', {}, path => path.replace(/^\/gate/, ''))).toEqual(['302', guarded])
  // A page of a dashboard, not of Gatehouse.
  expect(await follow(notListed, notListed.openBrowser(), '/trouble', { 'x-forwarded-host': 'wiki.example.com' })).toEqual([
    'not-protected',
    guarded,
  ])
})

/** A signed-in browser. */
const entered = async (server: Server) => {
  const browser = server.openBrowser()
  await browser.enter()
  return browser
}

test('names the cause at the third return when the proxy asks another Gatehouse or the address could not be stored', async () => {
  const dashboard = { GATEHOUSE_DASHBOARD_URL: `${grafana}/home` }
  const [one, other] = [await start(dashboard), await start(dashboard)]
  const browser = await entered(one)
  const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const turns = async (asked: Browser, from: string, headers: Record<string, string>) => {
    const seen: unknown[] = []
    for (let turn = 0; turn < 4; turn++) {
      const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'grafana.example.com', 'x-forwarded-uri': from }
      const led = await asked.get('/gate/auth/forward', { ...page, ...forwarded, ...headers })
      const back = await browser.get(String(led.headers.location).replace('https://example.com', ''), page)
      seen.push(back.headers.location ?? [back.statusCode, /gatehouse-misconfiguration-name">([^<]+)</.exec(back.body)?.[1]])
    }
    return seen
  }
  const onward = `${grafana}/home`
  expect(await turns(other.openBrowser(), '/home', { cookie })).toEqual([onward, onward, [409, 'session-unknown'], onward])
  one.clock.advance(seconds(11))
  // Too long to store.
  expect(await turns(one.openBrowser(), `/${'a'.repeat(2048)}`, {})).toEqual([onward, onward, [409, 'session-unknown'], onward])
  one.clock.advance(seconds(11))
  const busy = one.openBrowser({ address: '10.8.8.8' })
  for (let i = 0; i < limits.rates.returns.most; i++) await ask(busy, `${grafana}/${i}`)
  expect(await turns(busy, '/home', {})).toEqual([onward, onward, [409, 'session-unknown'], onward])
  // A user who opens the start page may continue any number of times.
  for (let i = 0; i < 5; i++) expect((await browser.get('/gate/', page)).headers.location).toBe(onward)
})

test('a return without an address shows the refusal if a rule forbids the dashboard', async () => {
  const rule = { GATEHOUSE_PROTECTED_ORIGINS: `${grafana} administrators`, GATEHOUSE_DASHBOARD_URL: grafana }
  const server = await start(rule)
  const { statusCode, body } = await (await entered(server)).get('/gate/?return=none', page)
  expect([statusCode, body.includes('You don’t have access')]).toEqual([403, true])
  const free = await start()
  const browser = await entered(free)
  // Without a check in front of the dashboard there is no loop.
  for (let i = 0; i < 4; i++) expect((await browser.get('/gate/?return=none', page)).headers.location).toBe('/gate/account')
})

test('prefix-stripped: names the cause when the user returns to an address that Gatehouse does not have', async () => {
  const server = await start({ GATEHOUSE_PUBLIC_URL: 'https://example.com' })
  const browser = server.openBrowser()
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'example.com', 'x-forwarded-uri': '/d/1?x=y' }
  const { headers: led } = await browser.get('/auth/forward', { ...page, ...forwarded })
  const returnId = /\?return=([\w-]{22})$/.exec(led.location ?? '')?.[1]
  expect(await signInFrom(browser, returnId, '')).toEqual([303, 'https://example.com/d/1?x=y'])
  const causeAt = async (address: string) => {
    const { statusCode, body } = await browser.get(address, page)
    return [statusCode, /gatehouse-misconfiguration-name">([^<]+)</.exec(body)?.[1]]
  }
  expect(await causeAt('/d/1?x=y')).toEqual([404, 'prefix-stripped'])
  for (const other of ['/d/1', '/d/1?x=z', '/d/2']) expect([other, ...(await causeAt(other))]).toEqual([other, 404, undefined])
  expect((await browser.get('/d/1?x=y', { accept: 'application/json' })).body).toBe('{"error":"address: there is nothing here"}')
  server.clock.advance(limits.signedInMark.lifetime)
  expect(await causeAt('/d/1?x=y')).toEqual([404, undefined])
})
