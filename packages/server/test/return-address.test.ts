import { accountRoutes, pages, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { limits, minutes, seconds } from '../src/limits.ts'
import { codeAt, enrol, otpOf } from './authenticator.ts'
import { ada, type Browser, startServer } from './harness.ts'
import { hostileAddresses } from './hostile-addresses.ts'
import { mailedLink } from './mailed-link.ts'

const publicUrl = 'https://example.com/gate'
const grafana = 'https://grafana.example.com'
const env = {
  GATEHOUSE_PUBLIC_URL: publicUrl,
  GATEHOUSE_COOKIE_DOMAIN: 'example.com',
  GATEHOUSE_PROTECTED_ORIGINS: `${grafana}, https://example.com, https://x--y.example.com:8443`,
}
const page = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

type Server = Awaited<ReturnType<typeof startServer>>
const start = async (more: Record<string, string> = {}) => {
  const server = await startServer({ env: { ...env, ...more } })
  await server.addUser()
  return server
}

/** Asks for an address behind a proxy without being signed in. @returns the id that it is kept under, if it is */
const ask = async (browser: Browser, address: string, headers: Record<string, string> = {}) => {
  const [, proto = '', host = '', uri = ''] = /^(\w+):\/\/([^/]*)(.*)$/s.exec(address) ?? []
  const forwarded = { 'x-forwarded-proto': proto, 'x-forwarded-host': host, 'x-forwarded-uri': uri }
  const { headers: answered } = await browser.get('/gate/auth/forward', { ...page, ...forwarded, ...headers })
  return /^https:\/\/example\.com\/gate\/\?return=([\w-]{22})$/.exec(answered.location ?? '')?.[1]
}

/** Opens the start page with an id, signs in, and goes on. @returns where to */
const signInFrom = async (browser: Browser, returnId: string | undefined, base = '/gate') => {
  await browser.get(`${base}/?return=${returnId}`, page)
  const outcome = await browser.signIn()
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  const { authTokenSelector, authTokenToken } = outcome.contents
  const { headers, statusCode } = await browser.get(base + pages.token(authTokenSelector, authTokenToken), page)
  return [statusCode, headers.location]
}
const toDashboard = [303, '/gate/account']

const isOwn = (location: string | undefined) => location === undefined || /^\/gate\/(account|recovery-codes)?$/.test(location)

test(`HD-05, A14: ${hostileAddresses.length} hostile addresses lead to the dashboard, as whatever they are handed over`, async () => {
  const server = await start()
  const [somebody, nobody] = [server.openBrowser(), server.openBrowser()]
  await somebody.enter()
  const wrong: unknown[] = []
  const seen = (what: string, address: string, location: string | undefined) => {
    if (!isOwn(location)) wrong.push([what, address, location])
  }
  const names = [
    'return',
    'next',
    'rd',
    'redirect',
    'redirect_uri',
    'returnTo',
    'return_to',
    'url',
    'to',
    'target',
    'continue',
    'dest',
    'goto',
    'service',
    'RelayState',
  ]
  const paths = [
    '/gate/',
    '/gate/account',
    '/gate/recovery-codes',
    '/gate/second-factor',
    '/gate/auth/page/plow/ssoLogin',
    '/gate/auth/page/plow/a/b',
    '/',
  ]
  for (const address of hostileAddresses) {
    // Every name that has been tried elsewhere, on every address that leads on; in the address, twice, and in a header.
    const query = names.map(name => `${name}=${encodeURIComponent(address)}`).join('&')
    for (const path of paths) {
      for (const browser of [somebody, nobody]) {
        for (const url of [`${path}?${query}`, `${path}?return=${encodeURIComponent(address)}&return=x`, `${path}?return[]=x`]) {
          const answer = await browser.get(url, { ...page, referer: 'https://evil.example/', 'x-original-url': 'https://evil.example/' })
          seen(url, address, answer.headers.location)
          if (answer.statusCode >= 500) wrong.push([url, answer.statusCode])
        }
      }
    }
    // What a proxy says: whole, as a host, as a path, as a host and the path of another.
    for (const [host, uri] of [
      [address, '/'],
      ['grafana.example.com', address],
      [`grafana.example.com${address}`, '/'],
    ] as const) {
      const header = (text: string) => text.replace(/[^\x20-\x7e]/g, '')
      const headers = { ...page, 'x-forwarded-proto': 'https', 'x-forwarded-host': header(host), 'x-forwarded-uri': header(uri) }
      const { location } = (await nobody.get('/gate/auth/forward', headers)).headers
      if (!/^https:\/\/example\.com\/gate\/(trouble\?|\?return=([\w-]{22}|none)$)/.test(location ?? ''))
        wrong.push(['check', host, uri, location])
    }
  }
  expect(wrong).toEqual([])
  // Of what was kept on the way none leads away from a protected origin.
  const kept = await server.db.selectFrom('return_addresses').select('returnTarget').execute()
  expect(kept.filter(({ returnTarget }) => new URL(returnTarget).origin !== grafana)).toEqual([])
})

test('HD-05, A14: an id that is none, is somebody’s guess, or whose row was tampered with leads to the dashboard after a sign-in', async () => {
  const server = await start()
  for (const address of [
    'https://evil.example/',
    '//evil.example',
    'javascript:alert(1)',
    'https://grafana.example.com@evil.example/',
    '',
  ]) {
    const browser = server.openBrowser()
    const returnId = await ask(browser, `${grafana}/x`)
    await server.db.updateTable('return_addresses').set({ returnTarget: address }).execute()
    expect([address, await signInFrom(browser, returnId)]).toEqual([address, toDashboard])
  }
  for (const cookie of [...hostileAddresses.filter(text => /^[!-~]+$/.test(text)).slice(0, 12), 'x'.repeat(22), 'a;b', '"']) {
    const browser = server.openBrowser()
    browser.jar.set('gatehouse-return', encodeURIComponent(cookie))
    const outcome = await browser.signIn()
    if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
    const { headers } = await browser.get(`/gate${pages.token(outcome.contents.authTokenSelector, outcome.contents.authTokenToken)}`, page)
    expect([cookie, headers.location]).toEqual([cookie, '/gate/account'])
  }
})

/** Addresses as people have them in their bookmarks. */
const legal = [
  `${grafana}/`,
  `${grafana}/d/abc/cluster?orgId=1&from=now-6h&to=now`,
  `${grafana}/explore?left=%7B%22queries%22:[%7B%22expr%22:%22up%7Bjob=~%5C%22a%7Cb%5C%22%7D%22%7D]%7D`,
  `${grafana}//double//slashes`,
  `${grafana}/a/../b/./c`,
  `${grafana}/%2e%2e/%2F%5C%00?%zz`,
  `${grafana}/?next=https://evil.example/&x=//evil.example`,
  `${grafana}/search?q=a+b%20c\\|'"\`{}<>`,
  'https://example.com/prometheus/graph?g0.expr=up&g0.tab=1',
  'https://x--y.example.com:8443/%F0%9F%94%92',
  `${grafana}/${'a'.repeat(2048 - grafana.length - 1)}`,
]

test(`${legal.length} legal addresses are kept to the letter, and their fragments`, async () => {
  const server = await start()
  for (const address of legal) {
    for (const fragment of ['', '#/d/abc?panel=2&x=%20']) {
      const browser = server.openBrowser()
      const returnId = await ask(browser, address)
      const tell = (returnFragment: string) => browser.call(routes.returnFragment, { returnId, returnFragment })
      if (fragment) await tell(fragment)
      // The first one stays, also where somebody comes with another.
      if (fragment) await tell('#another')
      expect(await signInFrom(browser, returnId)).toEqual([303, address + fragment])
      // Once there it is over: the next sign-in of this browser leads to the dashboard.
      expect(browser.jar.has('gatehouse-return')).toBe(false)
    }
  }
})

test('a prefix that Traefik took away, and says so, is put back; a made-up one changes the path alone', async () => {
  const server = await start()
  const back = async (prefix: string, address: string) => {
    const browser = server.openBrowser()
    return (await signInFrom(browser, await ask(browser, address, { 'x-forwarded-prefix': prefix })))[1]
  }
  expect(await back('/prometheus', `${grafana}/graph?x=1`)).toBe(`${grafana}/prometheus/graph?x=1`)
  expect(await back('/prometheus', `${grafana}/prometheus/graph`)).toBe(`${grafana}/prometheus/graph`)
  for (const odd of ['', '/', '//evil.example', '/x/', 'evil.example', '@evil.example', '.evil.example', '/a\\b', '/a?b', '/a#b', '/a, /b'])
    expect([odd, await back(odd, `${grafana}/graph`)]).toEqual([odd, `${grafana}/graph`])
})

test('what cannot be kept is left out, and nobody is kept from signing in by it', async () => {
  const server = await start()
  const browser = server.openBrowser({ address: '10.9.9.9' })
  for (const address of [`${grafana}/${'a'.repeat(2048 - grafana.length)}`, `${grafana}/\u00e9`, `${grafana}/a b`])
    expect(await ask(browser, address)).toBeUndefined()
  const ids = []
  for (let i = 0; i <= limits.rates.returns.most; i++) ids.push(await ask(browser, `${grafana}/${i}`))
  expect(ids.map(id => id !== undefined)).toEqual([...Array(limits.rates.returns.most).fill(true), false])
  expect(await signInFrom(server.openBrowser(), ids.at(-1))).toEqual(toDashboard)
  expect(server.logged.join('')).not.toContain('grafana')
})

test('DP-02: an address is kept for half an hour, and cleared away', async () => {
  const server = await start()
  const browser = server.openBrowser()
  const returnId = await ask(browser, `${grafana}/x`)
  server.clock.advance(minutes(30) - 1)
  await server.chores.purge()
  expect(await signInFrom(browser, returnId)).toEqual([303, `${grafana}/x`])
  const late = await ask(server.openBrowser(), `${grafana}/y`)
  server.clock.advance(minutes(30))
  expect(await signInFrom(server.openBrowser(), late)).toEqual(toDashboard)
  await server.chores.purge()
  expect(await server.db.selectFrom('return_addresses').selectAll().execute()).toEqual([])
})

test('an address whose origin is taken out of the list is gone to no more', async () => {
  const server = await start()
  const browser = server.openBrowser()
  const returnId = await ask(browser, `${grafana}/x`)
  await server.db.updateTable('return_addresses').set({ returnTarget: 'https://gone.example.com/x' }).execute()
  expect(await signInFrom(browser, returnId)).toEqual(toDashboard)
})

test('a one-time link leads there, and recovery codes on the way; each tab to its own', async () => {
  const server = await start({ GATEHOUSE_SECOND_FACTOR: 'skippable' })
  const { secret } = await enrol(server.openBrowser(), server.clock)
  server.clock.advance(seconds(30))
  const browser = server.openBrowser()
  const [first, second] = [await ask(browser, `${grafana}/first`), await ask(browser, `${grafana}/second`)]
  for (const id of [first, second]) await browser.get(`/gate/?return=${id}`, page)
  // The tab that is looked at sets it anew.
  browser.jar.set('gatehouse-return', first ?? '')
  await browser.call(routes.magiclinkSend, [{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }])
  const redeemed = await browser.call(routes.magiclinkRedeem, mailedLink(await server.deliver(), 'one-time-link'))
  expect(redeemed.tag).toBe('AuthRequires2FA')
  const otp = { ...otpOf(ada), otpPassword: '', otpVerification: await codeAt(secret, server.clock.at) }
  const outcome = await browser.call(routes.verifyOTP, otp)
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  const arrived = await browser.get(`/gate${pages.token(outcome.contents.authTokenSelector, outcome.contents.authTokenToken)}`, page)
  expect(arrived.headers.location).toBe(`/gate/recovery-codes?return=${first}`)
  for (let i = 0; i < 2; i++) expect((await browser.get(arrived.headers.location ?? '', page)).body).toContain(`href="${grafana}/first"`)
  await browser.call(accountRoutes.userRecoveryCodes, {})
  expect((await browser.get(arrived.headers.location ?? '', page)).headers.location).toBe(`${grafana}/first`)
  // The other tab sees that somebody is signed in, and goes on by itself.
  expect((await browser.get(`/gate/?return=${second}`, page)).headers.location).toBe(`${grafana}/second`)
})

/** How a proxy passes on what is below our path. */
const passes: [string, (path: string) => string][] = [
  ['as it is', path => path],
  ['without the path', path => path.slice('/gate'.length)],
]
test.each(passes)('below a path that a proxy passes on %s: pages, assets, calls, checks and the way back', async (_, passed) => {
  const server = await start()
  const get = (path: string, headers = {}) => server.app.inject({ url: passed(path), headers })
  const start_ = await get('/gate/', page)
  const assets = [...start_.body.matchAll(/="([^"]*assets\/[^"]+)"/g)].map(([, asset = '']) => asset)
  for (const asset of assets) expect([asset, (await get(asset)).statusCode]).toEqual([expect.stringMatching(/^\/gate\/assets\//), 200])
  const browser = server.openBrowser()
  const through: Browser = { ...browser, get: (url, headers) => browser.get(passed(url), headers) }
  const returnId = await ask(through, `${grafana}/x?y=1`)
  expect(await signInFrom(through, returnId)).toEqual([303, `${grafana}/x?y=1`])
  expect((await through.get('/gate/', page)).headers.location).toBe('/gate/account')
  expect((await through.get('/gate/account', page)).statusCode).toBe(200)
  expect((await get('/gate/account', page)).headers.location).toBe('/gate/')
  expect((await get('/gate/healthz')).body).toBe('ok')
  expect((await get('/gate/nothing', page)).body).toContain('href="/gate/"')
  const foreign = { origin: 'https://evil.example', 'content-type': 'application/json' }
  const call = passed(`/gate${routes.logoutBySelf.path}`)
  expect((await server.app.inject({ method: 'POST', url: call, headers: foreign, payload: {} })).statusCode).toBe(403)
  expect((await browser.send('POST', call, {})).statusCode).toBe(200)
})

test('a public path that is an address of our own is no start, and the sentence names the variable', async () => {
  for (const path of ['account', 'administration/users', 'healthz', 'auth/forward'])
    await expect(start({ GATEHOUSE_PUBLIC_URL: `https://example.com/${path}` })).rejects.toThrow(
      `GATEHOUSE_PUBLIC_URL: https://example.com/${path} is the address of a page or call of Gatehouse’s own; choose another path.`,
    )
  for (const path of ['auth', 'accounts', 'administration/x']) {
    const server = await start({ GATEHOUSE_PUBLIC_URL: `https://example.com/${path}` })
    expect([path, (await server.app.inject({ url: `/${path}/`, headers: page })).statusCode]).toEqual([path, 200])
  }
})

test('TH-14, A38: other spellings of a path lead nowhere, with the prefix or without it', async () => {
  const server = await start()
  for (const path of ['/auth/forward', '/account']) {
    for (const base of ['', '/gate', '/gate/gate', '/GATE', '/%67ate', '//gate', '/gate/', '/gate;x', '/gate%2f', '/gate/x']) {
      for (const url of [base + path, `${base}/${path}`, `${base}${path}/`, base + path.toUpperCase(), `${base}${path};x`]) {
        const { statusCode, headers } = await server.app.inject({ url, headers: page })
        // Either it is the guarded route itself, or nothing.
        // The router reads %67 as g: it is the same route, with the same guard.
        const isRoute = ['', '/gate', '/%67ate'].includes(base) && url === base + path
        const expected = isRoute
          ? path === '/account'
            ? [303, '/gate/']
            : [302, expect.stringContaining('/gate/trouble?')]
          : [404, undefined]
        expect([url, statusCode, headers.location]).toEqual([url, ...expected])
      }
    }
  }
})

const openLoop = async (server: Server, browser: Browser, headers: Record<string, string>) => {
  const seen: unknown[] = []
  for (let turn = 0; turn < 4; turn++) {
    server.clock.advance(seconds(1))
    // The check of a proxy that does not pass the right cookie on.
    const proxy = { ...server.openBrowser(), jar: new Map() }
    const returnId = await ask(proxy, `${grafana}/x`, headers)
    const { statusCode, headers: answered, body } = await browser.get(`/gate/?return=${returnId}`, page)
    seen.push(statusCode === 303 ? answered.location : [statusCode, /gatehouse-trouble-name">([^<]+)</.exec(body)?.[1]])
  }
  return seen
}

test('the third return in vain within ten seconds is no redirect but a page that names the cause; the next one is tried again', async () => {
  const server = await start()
  const browser = server.openBrowser()
  await browser.enter()
  const on = `${grafana}/x`
  expect(await openLoop(server, browser, {})).toEqual([on, on, [409, 'cookie-not-passed-on'], on])
  server.clock.advance(seconds(10))
  expect(await openLoop(server, browser, { cookie: '__Secure-gatehouse-session=another.one' })).toEqual([
    on,
    on,
    [409, 'session-unknown'],
    on,
  ])
  // Slower than that it is a person.
  for (let i = 0; i < 6; i++) {
    server.clock.advance(seconds(5) + 1)
    const returnId = await ask(server.openBrowser(), on)
    expect((await browser.get(`/gate/?return=${returnId}`, page)).headers.location).toBe(on)
  }
})

test('many tabs that waited for one sign-in all go on: that is no loop', async () => {
  const server = await start()
  const browser = server.openBrowser()
  const ids = []
  for (let i = 0; i < 8; i++) ids.push(await ask(browser, `${grafana}/x`))
  server.clock.advance(seconds(20))
  await browser.enter()
  for (const id of ids) expect((await browser.get(`/gate/?return=${id}`, page)).headers.location).toBe(`${grafana}/x`)
})

test('a session’s cookie that the browser did not keep is told at once, by its cause, and once', async () => {
  const causes: unknown[] = []
  for (const [more, headers] of [
    [{}, page],
    [{}, { accept: 'text/html', 'x-forwarded-proto': 'http', 'x-forwarded-host': 'example.com' }],
    [{ GATEHOUSE_COOKIE_DOMAIN: '', GATEHOUSE_PROTECTED_ORIGINS: '' }, page],
  ] as const) {
    const server = await start(more)
    const browser = server.openBrowser()
    await signInFrom(browser, undefined)
    for (const name of browser.jar.keys()) if (name.endsWith('session')) browser.jar.delete(name)
    const { statusCode, body } = await browser.get('/gate/', headers)
    causes.push([statusCode, /gatehouse-trouble-name">([^<]+)</.exec(body)?.[1]])
    expect((await browser.get('/gate/', headers)).statusCode).toBe(200)
  }
  expect(causes).toEqual([
    [409, 'cookie-domain'],
    [409, 'secure-cookie-on-http'],
    [409, 'cookie-not-stored'],
  ])
})

test('a mark of a sign-in that another host planted keeps nobody from the sign-in page', async () => {
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
    browser.jar.set('gatehouse-signed-in', planted)
    expect([planted, (await browser.get('/gate/', page)).statusCode]).toEqual([planted, 200])
  }
  browser.jar.set('gatehouse-signed-in', String(at - seconds(29)))
  expect((await browser.get('/gate/', page)).statusCode).toBe(409)
})

test('who signs out a moment after signing in sees the sign-in page', async () => {
  const server = await start()
  const browser = server.openBrowser()
  await signInFrom(browser, undefined)
  await browser.send('POST', `/gate${routes.logoutBySelf.path}`, {})
  expect((await browser.get('/gate/', page)).statusCode).toBe(200)
})

test('a sign-in by plain http where https is set up ends on the page that says so, and not on that of an old link', async () => {
  const server = await start()
  const open = async (headers: Record<string, string>) => {
    const { statusCode, body } = await server.app.inject({ url: '/gate/auth/page/plow/some-selector/some-token', headers })
    return [statusCode, /gatehouse-trouble-name">([^<]+)</.exec(body)?.[1]]
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

test('a check in front of the sign-in page itself leads nowhere, and says so in place', async () => {
  const server = await start()
  for (const path of ['/gate', '/gate/', '/gate/?return=x', '/gate/assets/x.css']) {
    const headers = { ...page, 'x-forwarded-proto': 'https', 'x-forwarded-host': 'example.com', 'x-forwarded-uri': path }
    const answer = await server.app.inject({ url: '/gate/auth/forward', headers })
    expect([path, answer.statusCode, answer.headers['gatehouse-trouble']]).toEqual([path, 403, 'sign-in-guarded'])
    // Shown at an address where nothing of ours can be loaded.
    expect(answer.body).not.toMatch(/="[^"]*assets\/|<script|<link/)
    expect(answer.body).toMatch(/<style>[\s\S]*\.gatehouse-trouble-name/)
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; /)
  }
})

/** Goes where a check and we lead, through a proxy that asks before everything, our own pages too. @returns what the check said at last */
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

test('where everything is behind the check, our own pages too, nobody is led in circles: listed or not, allowed or not', async () => {
  const atRoot = { GATEHOUSE_PUBLIC_URL: 'https://example.com', GATEHOUSE_COOKIE_DOMAIN: 'example.com' }
  const notListed = await start({ ...atRoot, GATEHOUSE_PROTECTED_ORIGINS: grafana })
  const strict = await start({ ...atRoot, GATEHOUSE_PROTECTED_ORIGINS: 'https://example.com administrators' })
  const below = await start({ GATEHOUSE_PROTECTED_ORIGINS: grafana })
  const guarded = 'sign-in-guarded'
  for (const browser of [notListed.openBrowser(), await entered(notListed)]) {
    expect(await follow(notListed, browser, '/d/1')).toEqual(['not-protected', guarded])
    // By another name, as the proxy has it.
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
    '/auth/page/plow/a/b',
    '/?return=x',
  ])
    for (const browser of [strict.openBrowser(), await entered(strict)])
      expect([own, await follow(strict, browser, own)]).toEqual([own, [guarded]])
  for (const other of ['/accounts', '/grafana/account', '//account', '/x?/account']) {
    expect([other, (await follow(strict, strict.openBrowser(), other))[0]]).toEqual([other, '302'])
  }
  expect(await follow(below, below.openBrowser(), '/d/1')).toEqual(['not-protected', guarded])
  // The path is taken off before the check.
  const host = { 'x-forwarded-host': '127.0.0.1:3000' }
  expect(await follow(below, below.openBrowser(), '/d/1', host, path => path.replace(/^\/gate/, ''))).toEqual([
    'forwarded-headers',
    guarded,
  ])
  const listed = await start()
  expect(await follow(listed, listed.openBrowser(), '/d/1', {}, path => path.replace(/^\/gate/, ''))).toEqual(['302', guarded])
  // A page of a dashboard's own is none of ours.
  expect(await follow(notListed, notListed.openBrowser(), '/trouble', { 'x-forwarded-host': 'wiki.example.com' })).toEqual([
    'not-protected',
    guarded,
  ])
})

/** A browser of somebody who is signed in. */
const entered = async (server: Server) => {
  const browser = server.openBrowser()
  await browser.enter()
  return browser
}

test('a proxy that asks a Gatehouse with another database, and a check that could keep nothing: the third turn says so', async () => {
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
      seen.push(back.headers.location ?? [back.statusCode, /gatehouse-trouble-name">([^<]+)</.exec(back.body)?.[1]])
    }
    return seen
  }
  const onward = `${grafana}/home`
  expect(await turns(other.openBrowser(), '/home', { cookie })).toEqual([onward, onward, [409, 'session-unknown'], onward])
  one.clock.advance(seconds(11))
  // Too long to be kept.
  expect(await turns(one.openBrowser(), `/${'a'.repeat(2048)}`, {})).toEqual([onward, onward, [409, 'session-unknown'], onward])
  one.clock.advance(seconds(11))
  const crowd = one.openBrowser({ address: '10.8.8.8' })
  for (let i = 0; i < limits.rates.returns.most; i++) await ask(crowd, `${grafana}/${i}`)
  expect(await turns(crowd, '/home', {})).toEqual([onward, onward, [409, 'session-unknown'], onward])
  // Whoever opens the start page by himself goes on as often as he likes.
  for (let i = 0; i < 5; i++) expect((await browser.get('/gate/', page)).headers.location).toBe(onward)
})

test('nothing kept, and a dashboard that somebody may not enter: that is what is said', async () => {
  const rule = { GATEHOUSE_PROTECTED_ORIGINS: `${grafana} administrators`, GATEHOUSE_DASHBOARD_URL: grafana }
  const server = await start(rule)
  const { statusCode, body } = await (await entered(server)).get('/gate/?return=none', page)
  expect([statusCode, body.includes('You may not open this')]).toEqual([403, true])
  const free = await start()
  const browser = await entered(free)
  // Where no check stands before the dashboard there is no circle.
  for (let i = 0; i < 4; i++) expect((await browser.get('/gate/?return=none', page)).headers.location).toBe('/gate/account')
})

test('prefix-stripped: who is led back to an address of ours where there is nothing is told why', async () => {
  const server = await start({ GATEHOUSE_PUBLIC_URL: 'https://example.com' })
  const browser = server.openBrowser()
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'example.com', 'x-forwarded-uri': '/d/1?x=y' }
  const { headers: led } = await browser.get('/auth/forward', { ...page, ...forwarded })
  const returnId = /\?return=([\w-]{22})$/.exec(led.location ?? '')?.[1]
  expect(await signInFrom(browser, returnId, '')).toEqual([303, 'https://example.com/d/1?x=y'])
  const causeAt = async (address: string) => {
    const { statusCode, body } = await browser.get(address, page)
    return [statusCode, /gatehouse-trouble-name">([^<]+)</.exec(body)?.[1]]
  }
  expect(await causeAt('/d/1?x=y')).toEqual([404, 'prefix-stripped'])
  for (const other of ['/d/1', '/d/1?x=z', '/d/2']) expect([other, ...(await causeAt(other))]).toEqual([other, 404, undefined])
  expect((await browser.get('/d/1?x=y', { accept: 'application/json' })).body).toBe('{"error":"address: there is nothing here"}')
  server.clock.advance(limits.signedInMark.lifetime)
  expect(await causeAt('/d/1?x=y')).toEqual([404, undefined])
})
