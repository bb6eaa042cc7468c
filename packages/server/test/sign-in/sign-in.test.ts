import { routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import golden from '../../../wire/fixtures/AuthOutcome.AuthSuccessful.json' with { type: 'json' }
import { limits } from '../../src/limits.ts'
import * as accounts from '../../src/users/users.store.ts'
import { ada, startServer } from '../support/harness.ts'

const failedLogin = { tag: 'AuthFailureFailedLogin' }

test('the right password returns a hand-over code with five fields', async () => {
  const server = await startServer()
  const userId = await server.addUser()
  const response = await server.openBrowser().send('POST', routes.getAuthTokenWithError.path, { ...ada, useragent: '' })
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  const outcome = response.json()
  expect(Object.keys(outcome.contents).sort()).toEqual(Object.keys(golden.contents).sort())
  expect(outcome).toMatchObject({ tag: 'AuthSuccessful', contents: { authTokenUser: userId, authTokenUserAgent: 'Test/1.0' } })
  expect(Date.parse(outcome.contents.authTokenExpires)).toBe(server.clock.at + 60_000)
})

test('PW-13: every spelling of a username is the same account and the same count', async () => {
  const server = await startServer()
  await server.addUser()
  const browser = server.openBrowser()
  for (const username of [' ADA@example.com ', 'ada@EXAMPLE.com', 'Ada@Example.Com\t']) {
    expect(await browser.signIn({ ...ada, username, password: 'wrong password wrong' })).toEqual(failedLogin)
  }
  const rows = await server.db.selectFrom('failed_logins').selectAll().execute()
  expect(rows.map(row => [row.failedLoginUserIdent, row.failedLoginAttempts])).toEqual([['ada@example.com', 3]])
  expect(await browser.signIn({ ...ada, username: 'ADA@EXAMPLE.COM' })).toMatchObject({ tag: 'AuthSuccessful' })
})

test.each([
  'ada',
  'ada@',
  '@example.com',
  'a@b@c',
  'ada＠example.com',
  'ada@example.com,eve@example.com',
  'a da@example.com',
  '"ada"@example.com',
  'ada@exa<mple.com',
  'ada@example.com/evil',
  'ada@example.com?x',
  'ada@example.com#f',
  'ada@ex%61mple.com',
  'ada@127.1',
  'ada@[::1]',
  'ada@example..com',
  'a%00@example.com',
  '',
])('PW-13: refuses %j as a username and names the field', async username => {
  const server = await startServer()
  const response = await server.openBrowser().send('POST', routes.getAuthTokenWithError.path, { username, password: 'x', useragent: '' })
  expect([response.statusCode, response.json()]).toEqual([400, { error: 'username: expected an email address' }])
})

test('PW-07: accepts a composed password in decomposed form, and trims nothing', async () => {
  const server = await startServer()
  await server.addUser({ username: ada.username, password: 'caf\u00e9 caf\u00e9 caf\u00e9 caf\u00e9' })
  const browser = server.openBrowser()
  expect(await browser.signIn({ ...ada, password: 'cafe\u0301 cafe\u0301 cafe\u0301 cafe\u0301' })).toMatchObject({ tag: 'AuthSuccessful' })
  expect(await browser.signIn({ ...ada, password: 'caf\u00e9 caf\u00e9 caf\u00e9 caf\u00e9 ' })).toEqual(failedLogin)
})

test('PW-03: refuses a password of more than 1024 bytes before hashing and never truncates it', async () => {
  const server = await startServer()
  const long = 'é'.repeat(512)
  await server.addUser({ username: ada.username, password: long })
  const browser = server.openBrowser()
  expect(await browser.signIn({ ...ada, password: long })).toMatchObject({ tag: 'AuthSuccessful' })
  expect(await browser.signIn({ ...ada, password: long.slice(0, -1) })).toEqual(failedLogin)
  const { computed } = server.passwords.figures()
  const response = await browser.send('POST', routes.getAuthTokenWithError.path, { ...ada, password: `${long}x`, useragent: '' })
  expect([response.statusCode, response.json().error]).toEqual([400, expect.stringContaining('/password')])
  expect(server.passwords.figures().computed).toBe(computed)
})

test('reports a forced reset only after the right password', async () => {
  const server = await startServer()
  await accounts.forceReset(server.db, await server.addUser())
  const browser = server.openBrowser()
  expect(await browser.signIn({ ...ada, password: 'wrong password wrong' })).toEqual(failedLogin)
  expect(await browser.signIn()).toEqual({ tag: 'AuthFailureForcedReset' })
  expect([...browser.jar.keys()]).toEqual(['gatehouse-sign-in'])
  expect(await server.db.selectFrom('failed_logins').selectAll().execute()).toEqual([])
})

test('TH-12: answers unknown, password-less, wrong and locked sign-ins with the same bytes', async () => {
  const server = await startServer()
  await server.addUser()
  await server.addUser({ username: 'locked@example.com', password: ada.password })
  const passwordless = await server.addUser({ username: 'sso@example.com', password: ada.password })
  await server.db.updateTable('users').set({ userPassword: null }).where('userId', '=', passwordless).execute()
  for (let i = 0; i < 10; i++) await server.openBrowser().signIn({ username: 'locked@example.com', password: 'wrong' })
  const answer = async (username: string, password: string) => {
    const { statusCode, headers, rawPayload } = await server
      .openBrowser()
      .send('POST', routes.getAuthTokenWithError.path, { username, password, useragent: '' })
    const { 'x-request-id': _, date: __, 'set-cookie': cookie, ...alike } = headers
    // The id of the sign-in is random and has a fixed length.
    const cookies = String(cookie).replace(/^gatehouse-sign-in=[\w-]{22};/, 'gatehouse-sign-in=id;')
    return { statusCode, alike, cookies, bytes: rawPayload.toString('hex') }
  }
  const wrong = await answer(ada.username, 'wrong')
  expect(wrong.cookies).toBe('gatehouse-sign-in=id; Max-Age=900; Path=/; HttpOnly; SameSite=Lax')
  expect(await answer('nobody@example.com', 'wrong')).toEqual(wrong)
  expect(await answer('sso@example.com', ada.password)).toEqual(wrong)
  expect(await answer('locked@example.com', ada.password)).toEqual(wrong)
})

test('TH-13: computes one Argon2id hash for each sign-in, whether the user is known or not', async () => {
  const server = await startServer()
  await server.addUser()
  const runsFor = async (username: string, password: string) => {
    const before = server.passwords.figures().computed
    await server.openBrowser().signIn({ username, password })
    return server.passwords.figures().computed - before
  }
  const passwordless = await server.addUser({ username: 'sso@example.com', password: ada.password })
  await server.db.updateTable('users').set({ userPassword: null }).where('userId', '=', passwordless).execute()
  expect(await runsFor(ada.username, 'wrong')).toBe(1)
  expect(await runsFor('sso@example.com', 'wrong')).toBe(1)
  expect(await runsFor('nobody@example.com', 'wrong')).toBe(1)
  expect(await runsFor(ada.username, ada.password)).toBe(1)
})

test('PW-09: a sign-in rehashes a password whose hash has weaker parameters', async () => {
  const server = await startServer({ cost: limits.password.argon2id })
  const userId = await server.addUser()
  const { hash } = await import('@node-rs/argon2')
  const weak = await hash(ada.password, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
  await server.db.updateTable('users').set({ userPassword: weak }).where('userId', '=', userId).execute()
  expect(await server.openBrowser().signIn()).toMatchObject({ tag: 'AuthSuccessful' })
  const account = await accounts.findByIdent(server.db, ada.username)
  expect(account?.userPassword).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await server.openBrowser().signIn()).toMatchObject({ tag: 'AuthSuccessful' })
})

test('a password that changes during its check does not sign in', async () => {
  const server = await startServer({
    afterVerify: async () => {
      await server.db.updateTable('users').set({ userPassword: '$argon2id$other' }).execute()
    },
  })
  await server.addUser()
  expect(await server.openBrowser().signIn()).toEqual(failedLogin)
})

test('a reset forced during the password check is reported and prevents the sign-in', async () => {
  const server = await startServer({
    afterVerify: async () => {
      await server.db.updateTable('users').set({ userForcedReset: 1 }).execute()
    },
  })
  await server.addUser()
  expect(await server.openBrowser().signIn()).toEqual({ tag: 'AuthFailureForcedReset' })
  expect(await server.db.selectFrom('hand_overs').selectAll().execute()).toEqual([])
})

test('CC-02: a full hashing queue answers 503 with Retry-After and counts no attempt', async () => {
  const server = await startServer({ slots: 1 })
  await server.addUser()
  let release = () => {}
  const held = new Promise<void>(resolve => (release = resolve))
  const turns = Array.from({ length: 1 + limits.password.queuePerSlot }, () =>
    server.passwords.inTurn({ address: '198.51.100.7' }, () => held),
  )
  const response = await server
    .openBrowser({ address: '198.51.100.7' })
    .send('POST', routes.getAuthTokenWithError.path, { ...ada, useragent: '' })
  expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '2'])
  expect(await server.db.selectFrom('failed_logins').selectAll().execute()).toEqual([])
  release()
  await Promise.all(turns)
  expect(await server.openBrowser().signIn()).toMatchObject({ tag: 'AuthSuccessful' })
})

test('LG-03: an internal fault is a 500 with a request id and no internal detail', async () => {
  const server = await startServer()
  const userId = await server.addUser()
  await server.db.updateTable('users').set({ userPassword: 'no hash at all' }).where('userId', '=', userId).execute()
  const response = await server.openBrowser().send('POST', routes.getAuthTokenWithError.path, { ...ada, useragent: '' })
  const id = response.headers['x-request-id']
  expect([response.statusCode, response.json()]).toEqual([500, { error: `Something went wrong (request ${id})`, code: 'Fault', value: id }])
  expect(server.logged.join('')).toContain('"request failed"')
})

test('LG-02: reduces a browser’s User-Agent to one line of bounded length', async () => {
  const server = await startServer()
  const userAgent = `Evil\u0085\u009b ${'x'.repeat(2000)}`
  await server.openBrowser().send('POST', routes.getAuthTokenWithError.path, { ...ada, useragent: '' }, { 'user-agent': userAgent })
  const { auditUserAgent } = await server.db.selectFrom('audit').selectAll().executeTakeFirstOrThrow()
  expect(auditUserAgent).toBe(`Evil   ${'x'.repeat(505)}`)
})

test('LG-02: neither stores nor logs an unknown username as typed', async () => {
  const server = await startServer()
  await server.openBrowser().signIn({ username: 'hunter2@hunter2.example', password: 'hunter2hunter2' })
  const tables = [
    await server.db.selectFrom('audit').selectAll().execute(),
    await server.db.selectFrom('failed_logins').selectAll().execute(),
  ]
  expect(tables.map(rows => rows.length)).toEqual([1, 1])
  expect(JSON.stringify(tables) + server.logged.join('')).not.toContain('hunter2')
})

test('LG-01: audits every step without secrets', async () => {
  const server = await startServer()
  const userId = await server.addUser()
  const browser = server.openBrowser({ address: '198.51.100.7' })
  const later = () => server.clock.advance(1)
  await browser.signIn({ ...ada, password: 'wrong password wrong' })
  later()
  const outcome = await browser.signIn()
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  later()
  await browser.call(routes.plowlogin, outcome.contents)
  const cookies = [...browser.jar.values()]
  later()
  await browser.call(routes.logoutBySelf, {})
  const rows = await server.db.selectFrom('audit').selectAll().orderBy('auditAt').execute()
  expect(rows.map(row => [row.auditEvent, row.auditResult, row.auditActor, row.auditTarget])).toEqual([
    ['sign-in', 'wrong-password', null, userId],
    ['sign-in', 'successful', userId, userId],
    ['session-started', 'successful', userId, userId],
    ['sign-out', 'successful', userId, userId],
  ])
  expect(rows.every(row => row.auditAddress === '198.51.100.7' && row.auditUserAgent === 'Test/1.0' && row.auditRequestId)).toBe(true)
  const everything = JSON.stringify(rows) + server.logged.join('')
  expect(cookies).toHaveLength(3)
  for (const secret of [ada.password, 'wrong password wrong', outcome.contents.authTokenToken, ...cookies])
    expect(everything).not.toContain(secret)
})
