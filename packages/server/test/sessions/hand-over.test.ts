import { pages, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { seconds } from '../../src/limits.ts'
import { ada, type Browser, isSignedIn, startServer } from '../support/harness.ts'

const signedIn = async () => {
  const server = await startServer()
  await server.addUser()
  const browser = server.openBrowser()
  const outcome = await browser.signIn()
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  const pair = outcome.contents
  return { server, browser, pair, page: pages.token(pair.authTokenSelector, pair.authTokenToken) }
}
const open = async (browser: Browser, page: string) => {
  const { statusCode, headers } = await browser.get(page, { accept: 'text/html' })
  return [statusCode, headers.location]
}
const toDashboard = [303, '/account']
const over = [410, undefined]

test('SE-10: plowlogin starts the session, then the token page leads to the dashboard once', async () => {
  const { browser, pair, page } = await signedIn()
  expect(await isSignedIn(browser)).toBe(false)
  expect(await browser.call(routes.plowlogin, pair)).toEqual({})
  expect(await isSignedIn(browser)).toBe(true)
  expect(await open(browser, page)).toEqual(toDashboard)
  expect(await open(browser, page)).toEqual(over)
})

test.each(['plowlogin', 'loginWithToken'] as const)('%s redeems a hand-over code once', async call => {
  const { browser, pair } = await signedIn()
  const { authTokenSelector, authTokenToken } = pair
  expect(await browser.call(routes[call], { authTokenSelector, authTokenToken })).toEqual({})
  const again = await browser.send('POST', routes[call].path, { authTokenSelector, authTokenToken })
  expect([again.statusCode, again.json().error]).toEqual([401, expect.stringContaining('authTokenToken')])
})

test('handOver starts the session and returns the address the token page would lead to, once, and only in the same browser', async () => {
  const { server, browser, pair, page } = await signedIn()
  const { authTokenSelector, authTokenToken } = pair
  const claim = { authTokenSelector, authTokenToken }
  expect((await server.openBrowser().send('POST', routes.handOver.path, claim)).statusCode).toBe(401)
  const foreign = await browser.send('POST', routes.handOver.path, claim, { origin: 'https://evil.example' })
  expect([foreign.statusCode, await isSignedIn(browser)]).toEqual([403, false])
  expect(await browser.call(routes.handOver, claim)).toEqual({ to: 'Dashboard', address: `${server.config.publicUrl.origin}/account` })
  expect(await isSignedIn(browser)).toBe(true)
  expect((await browser.send('POST', routes.handOver.path, claim)).statusCode).toBe(401)
  expect(await open(browser, page)).toEqual(over)
})

test('the token page alone starts the session, once', async () => {
  const { server, browser, page } = await signedIn()
  const copy = server.openBrowser()
  for (const [name, value] of browser.jar) copy.jar.set(name, value)
  expect(await open(browser, page)).toEqual(toDashboard)
  expect(await isSignedIn(browser)).toBe(true)
  expect(await open(copy, page)).toEqual(over)
  expect(await isSignedIn(copy)).toBe(false)
})

test('A28: neither the page nor the call signs in another browser, and the code remains valid in its own browser', async () => {
  const { server, browser, pair, page } = await signedIn()
  const victim = server.openBrowser()
  expect(await open(victim, page)).toEqual(over)
  expect((await victim.send('POST', routes.plowlogin.path, pair)).statusCode).toBe(401)
  expect(await isSignedIn(victim)).toBe(false)
  expect(await open(browser, page)).toEqual(toDashboard)
})

test('a later sign-in in the same browser makes an earlier hand-over code unusable', async () => {
  const { browser, page } = await signedIn()
  await browser.signIn()
  expect(await open(browser, page)).toEqual(over)
})

test('after 60 s neither the page nor the calls sign in', async () => {
  const { server, browser, pair, page } = await signedIn()
  server.clock.advance(seconds(60))
  expect((await browser.send('POST', routes.plowlogin.path, pair)).statusCode).toBe(401)
  expect(await open(browser, page)).toEqual(over)
  expect(await isSignedIn(browser)).toBe(false)
})

test('one millisecond before 60 s the code still signs in', async () => {
  const { server, browser, page } = await signedIn()
  server.clock.advance(seconds(60) - 1)
  expect(await open(browser, page)).toEqual(toDashboard)
})

test('A01: of 200 parallel redemptions exactly one starts a session', async () => {
  const { server, browser, pair } = await signedIn()
  const { authTokenSelector, authTokenToken } = pair
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, i) => {
      const copy = server.openBrowser()
      for (const [name, value] of browser.jar) copy.jar.set(name, value)
      return copy.send('POST', routes[i % 2 ? 'plowlogin' : 'loginWithToken'].path, { authTokenSelector, authTokenToken })
    }),
  )
  const counts = Object.groupBy(answers, answer => String(answer.statusCode))
  expect([counts[200]?.length, counts[401]?.length]).toEqual([1, 199])
  expect((await server.db.selectFrom('sessions').selectAll().execute()).length).toBe(1)
})

test('SE-07: ignores the other fields of a posted auth token', async () => {
  const { server, browser, pair } = await signedIn()
  const other = await server.addUser({ username: 'grace@example.com', password: 'another long password' })
  await browser.call(routes.plowlogin, {
    ...pair,
    authTokenUser: other,
    authTokenExpires: '2999-01-01T00:00:00Z',
    authTokenUserAgent: 'forged',
  })
  expect((await browser.get('/account')).body).toContain(ada.username)
  const session = await server.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow()
  expect(session.sessionExpires).toBe(server.clock.at + 24 * 60 * seconds(60))
  expect(session.sessionUserAgent).toBe('Test/1.0')
})

test('SE-02: never adopts a session value the client made up, and ends the session from before a sign-in', async () => {
  const server = await startServer()
  await server.addUser()
  const browser = server.openBrowser()
  browser.jar.set('gatehouse-session', 'chosen.bytheattacker')
  await browser.enter()
  const first = browser.jar.get('gatehouse-session')
  expect(first).not.toBe('chosen.bytheattacker')
  await browser.enter()
  const before = server.openBrowser()
  before.jar.set('gatehouse-session', first ?? '')
  expect(await isSignedIn(before)).toBe(false)
  expect(await isSignedIn(browser)).toBe(true)
})

test('CK-02, SE-10: the session value appears in no address and no body', async () => {
  const { browser, pair } = await signedIn()
  const answer = await browser.send('POST', routes.plowlogin.path, pair)
  const session = browser.jar.get('gatehouse-session') ?? ''
  expect(session.length).toBeGreaterThan(60)
  expect(answer.body).toBe('{}')
  for (const part of session.split('.')) expect(Object.values(pair)).not.toContain(part)
})

test('the token page is not stored, sends no referrer, and its address is not logged', async () => {
  const { server, browser, pair, page } = await signedIn()
  for (const path of [page, `${page}/more`, `${page}?x=1`]) {
    const { headers } = await browser.get(path)
    expect([headers['cache-control'], headers['referrer-policy']]).toEqual(['no-store', 'no-referrer'])
  }
  expect(server.logged.length).toBeGreaterThan(3)
  expect(server.logged.join('')).not.toContain(pair.authTokenSelector)
  expect(server.logged.join('')).not.toContain(pair.authTokenToken)
})

test('EM-01: a wrong token with the right selector and browser opens nothing, and the right token remains valid', async () => {
  const { browser, pair, page } = await signedIn()
  const authTokenToken = `${pair.authTokenToken.startsWith('A') ? 'B' : 'A'}${pair.authTokenToken.slice(1)}`
  const { authTokenSelector } = pair
  for (const call of ['plowlogin', 'loginWithToken'] as const) {
    expect((await browser.send('POST', routes[call].path, { authTokenSelector, authTokenToken })).statusCode).toBe(401)
  }
  expect(await open(browser, pages.token(authTokenSelector, authTokenToken))).toEqual(over)
  expect(await open(browser, page)).toEqual(toDashboard)
})

test('after the token page neither call starts another session', async () => {
  const { browser, pair, page } = await signedIn()
  expect(await open(browser, page)).toEqual(toDashboard)
  for (const call of [routes.plowlogin, routes.loginWithToken]) {
    const { authTokenSelector, authTokenToken } = pair
    expect((await browser.send('POST', call.path, { authTokenSelector, authTokenToken })).statusCode).toBe(401)
  }
})

test('a HEAD request for the token page does not use the code up', async () => {
  const { server, browser, page } = await signedIn()
  const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  expect((await server.app.inject({ method: 'HEAD', url: page, headers: { cookie } })).statusCode).toBe(405)
  expect(await open(browser, page)).toEqual(toDashboard)
})
