import { routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { hours, minutes } from '../../src/limits.ts'
import { prepareFindSession } from '../../src/sessions/sessions.store.ts'
import * as accounts from '../../src/users/users.store.ts'
import { ada, admin, isSignedIn, startServer } from '../support/harness.ts'

const cookie = 'gatehouse-session'

test('SE-04: signing out ends the session on the server, which then refuses a copied cookie', async () => {
  const server = await startServer()
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  const copy = server.openBrowser()
  copy.jar.set(cookie, browser.jar.get(cookie) ?? '')
  expect(await isSignedIn(copy)).toBe(true)
  expect(await browser.call(routes.logoutBySelf, {})).toBe('Signed out')
  expect(browser.jar.has(cookie)).toBe(false)
  expect(await isSignedIn(copy)).toBe(false)
})

test('SE-03: a session ends after an hour without use and after a day with use', async () => {
  const server = await startServer()
  await server.addUser()
  const idle = server.openBrowser()
  await idle.enter()
  server.clock.advance(hours(1) - 1)
  expect(await isSignedIn(idle)).toBe(true)
  server.clock.advance(hours(1))
  expect(await isSignedIn(idle)).toBe(false)

  const busy = server.openBrowser()
  await busy.enter()
  for (let i = 0; i < 24; i++) {
    expect(await isSignedIn(busy)).toBe(true)
    server.clock.advance(minutes(59))
  }
  expect(await isSignedIn(busy)).toBe(true)
  server.clock.advance(minutes(24))
  expect(await isSignedIn(busy)).toBe(false)
})

test('SE-08: a known selector with a wrong validator is refused, ends the session and is audited', async () => {
  const server = await startServer()
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  const [selector] = (browser.jar.get(cookie) ?? '').split('.')
  const attacker = server.openBrowser()
  attacker.jar.set(cookie, `${selector}.${'A'.repeat(43)}`)
  expect(await isSignedIn(attacker)).toBe(false)
  expect(await isSignedIn(browser)).toBe(false)
  expect(await server.db.selectFrom('audit').selectAll().where('auditEvent', '=', 'session-forged').execute()).toHaveLength(1)
})

test('treats a cookie the database cannot store as anonymous, and affects no check that shares its statement', async () => {
  const server = await startServer()
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  const find = prepareFindSession(server.db)
  // For example `%00` in a cookie: PostgreSQL accepts no such text.
  const hostile = ['\0', `${'A'.repeat(21)}\0`, '\ud800', 'A'.repeat(4000)].map(selector => find(`${selector}.${'A'.repeat(43)}`, 0))
  const own = find(browser.jar.get(cookie) ?? '', server.clock.at)
  expect(await Promise.all(hostile)).toEqual([undefined, undefined, undefined, undefined])
  expect(await own).toMatchObject({ userIdent: ada.username })
  const stranger = server.openBrowser()
  stranger.jar.set(cookie, `%00.${'A'.repeat(43)}`)
  expect(await isSignedIn(stranger)).toBe(false)
})

test('SE-01: what the database stores opens nothing', async () => {
  const server = await startServer()
  await server.addUser()
  await server.openBrowser().enter()
  const { sessionSelector, sessionHash } = await server.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow()
  const attacker = server.openBrowser()
  attacker.jar.set(cookie, `${sessionSelector}.${sessionHash}`)
  expect(await isSignedIn(attacker)).toBe(false)
})

test('SE-09: treats a malformed cookie as anonymous, never as an error', async () => {
  const server = await startServer()
  const values = [
    '',
    '.',
    '..',
    'a',
    'a.',
    '.b',
    'a.b.c',
    '%',
    '%E0%A4%A',
    '"',
    'a=b',
    '\u00ff'.repeat(10),
    '🔒',
    `${'x'.repeat(4000)}.y`,
    '__proto__.constructor',
    "'; drop table sessions;--.x",
  ]
  for (const value of values) {
    const response = await server.app.inject({ url: '/account', headers: { cookie: `${cookie}=${value}` } })
    expect([value, response.statusCode, response.headers.location]).toEqual([value, 303, '/'])
  }
})

test('SE-11: a user has at most twenty sessions; a new one ends the oldest', async () => {
  const server = await startServer()
  await server.addUser()
  const browsers = []
  for (let i = 0; i < 21; i++) {
    const browser = server.openBrowser()
    await browser.enter()
    browsers.push(browser)
    server.clock.advance(1000)
  }
  const alive = await Promise.all(browsers.map(isSignedIn))
  expect(alive).toEqual([false, ...Array(20).fill(true)])
})

test('CK-01: cookies over HTTPS are bound to the host, hidden from scripts and never sent over plain HTTP', async () => {
  const server = await startServer({ env: { GATEHOUSE_PUBLIC_URL: 'https://sign-in.example.com' } })
  await server.addUser()
  const browser = server.openBrowser()
  const signIn = await browser.send('POST', routes.getAuthTokenWithError.path, { ...ada, useragent: '' })
  const plowlogin = await browser.send('POST', routes.plowlogin.path, signIn.json().contents)
  const cookies = [signIn, plowlogin].flatMap(({ headers }) => [headers['set-cookie'] ?? []].flat())
  expect(cookies.map(text => text.split('=')[0])).toEqual([
    '__Host-gatehouse-hand-over',
    '__Host-gatehouse-browser',
    '__Host-gatehouse-session',
  ])
  for (const text of cookies) {
    const attributes = text.split('; ').slice(1)
    expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']))
    expect(text).not.toContain('Domain')
  }
})

test('over plain HTTP the same cookies have no prefix and no Secure attribute', async () => {
  const server = await startServer()
  await server.addUser()
  const { headers } = await server.openBrowser().send('POST', routes.getAuthTokenWithError.path, { ...ada, useragent: '' })
  expect([headers['set-cookie']].flat()).toEqual([
    expect.stringMatching(/^gatehouse-hand-over=[\w-]{43}; Max-Age=60; Path=\/; HttpOnly; SameSite=Lax$/),
    expect.stringMatching(/^gatehouse-browser=/),
  ])
})

test('AZ-01: only an administrator with a recent sign-in signs others out; everyone else gets the same 403 for any id', async () => {
  const server = await startServer()
  const userId = await server.addUser()
  const adminId = await server.addUser(admin)
  const [anonymous, user, administrator] = [server.openBrowser(), server.openBrowser(), server.openBrowser()]
  await user.enter()
  const refusals = []
  for (const browser of [anonymous, user]) {
    for (const id of [userId, adminId, 'unknown']) refusals.push(await browser.send('POST', routes.logoutByUserId.path, id))
  }
  expect(new Set(refusals.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
  expect(refusals[0]?.statusCode).toBe(403)
  expect(await isSignedIn(user)).toBe(true)

  await administrator.enter(admin)
  expect(await administrator.call(routes.logoutByUserId, 'unknown')).toBe(false)
  expect(await administrator.call(routes.logoutByUserId, userId)).toBe(true)
  expect(await isSignedIn(user)).toBe(false)

  server.clock.advance(minutes(15))
  expect((await administrator.send('POST', routes.logoutByUserId.path, adminId)).statusCode).toBe(403)
  const results = await server.db.selectFrom('audit').select('auditResult').where('auditEvent', '=', 'sign-out-by-administrator').execute()
  expect(results.map(row => row.auditResult).sort()).toEqual([...Array(4).fill('forbidden'), 'successful', 'unknown-user'])
})

test('a sign-out by an administrator also ends an unfinished sign-in', async () => {
  const server = await startServer()
  const userId = await server.addUser()
  await server.addUser(admin)
  const [browser, administrator] = [server.openBrowser(), server.openBrowser()]
  const outcome = await browser.signIn()
  await administrator.enter(admin)
  await administrator.call(routes.logoutByUserId, userId)
  expect((await browser.send('POST', routes.plowlogin.path, 'contents' in outcome ? outcome.contents : {})).statusCode).toBe(401)
})

test('a session in use is written at most once a minute', async () => {
  const server = await startServer()
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  const seen = async () => (await server.db.selectFrom('sessions').select('sessionSeen').executeTakeFirstOrThrow()).sessionSeen
  const start = await seen()
  server.clock.advance(minutes(1) - 1)
  await isSignedIn(browser)
  expect(await seen()).toBe(start)
  server.clock.advance(1)
  await isSignedIn(browser)
  expect(await seen()).toBe(start + minutes(1))
})

test('RX-8: a session created while the clock was ahead ends when the clock is corrected', async () => {
  const server = await startServer()
  await server.addUser()
  server.clock.advance(hours(24 * 365))
  const browser = server.openBrowser()
  await browser.enter()
  server.clock.advance(-hours(24 * 365))
  expect(await isSignedIn(browser)).toBe(false)
})

test('the session cookie has no expiry, so it ends with the browser', async () => {
  const server = await startServer()
  await server.addUser()
  const browser = server.openBrowser()
  const signIn = await browser.send('POST', routes.getAuthTokenWithError.path, { ...ada, useragent: '' })
  const { headers } = await browser.send('POST', routes.plowlogin.path, signIn.json().contents)
  expect(headers['set-cookie']).toMatch(/^gatehouse-session=[\w-]{22}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
})

test('SE-05: deleting a user ends the sessions and an unfinished sign-in', async () => {
  const server = await startServer()
  const userId = await server.addUser()
  const [browser, half] = [server.openBrowser(), server.openBrowser()]
  await browser.enter()
  const outcome = await half.signIn()
  await accounts.deleteAccount(server.db, userId)
  expect(await isSignedIn(browser)).toBe(false)
  expect((await half.send('POST', routes.plowlogin.path, 'contents' in outcome ? outcome.contents : {})).statusCode).toBe(401)
  for (const table of ['sessions', 'hand_overs', 'known_browsers', 'emails'] as const) {
    expect([table, await server.db.selectFrom(table).selectAll().execute()]).toEqual([table, []])
  }
})

test('anonymous attempts to sign a user out leave no audit rows', async () => {
  const server = await startServer()
  const userId = await server.addUser()
  for (let i = 0; i < 5; i++) await server.openBrowser().send('POST', routes.logoutByUserId.path, userId)
  expect(await server.db.selectFrom('audit').selectAll().execute()).toEqual([])
})
