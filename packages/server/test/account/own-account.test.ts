import { accountRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { limits, minutes, seconds } from '../../src/limits.ts'
import { mailedLink } from '../credentials/mailed-link.ts'
import { codeAt, enroll, otpOf } from '../support/authenticator.ts'
import { ada, type Browser, isSignedIn, startServer } from '../support/harness.ts'

type Server = Awaited<ReturnType<typeof startServer>>

const fresh = 'a long new password'
const twice = (newpassword: string) => ({ newpassword, newpasswordverification: newpassword })
/** The two calls that change a password and require the old one. */
const changes = [
  [accountRoutes.userPasswordReset, (old: string, next: string) => ({ useridentity: ada.username, oldpassword: old, newpassword: next })],
  [accountRoutes.userPasswordUpdate, (old: string, next: string) => ({ useridentity: ada.username, oldpassword: old, ...twice(next) })],
] as const

const namedChanges = changes.map(([route, body]) => [route.path, route, body] as const)

const startSignedIn = async (options?: Parameters<typeof startServer>[0]) => {
  const server = await startServer(options)
  const userId = await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  return { server, userId, browser }
}

const attempts = async (server: Server) =>
  (await server.db.selectFrom('failed_logins').select('failedLoginAttempts').execute()).map(row => row.failedLoginAttempts)
const storedPassword = async (server: Server) =>
  (await server.db.selectFrom('users').select('userPassword').executeTakeFirstOrThrow()).userPassword
const withoutPassword = (server: Server) => server.db.updateTable('users').set({ userPassword: null }).execute()
const linkFor = async (server: Server, browser: Browser) => {
  server.clock.advance(1)
  await browser.call(routes.sendPasswordResetEmail, { useremail: ada.username })
  const { selector, token } = mailedLink(await server.deliver(), 'new-password')
  return { username: ada.username, resettoken: `${selector}.${token}` }
}

test.each(namedChanges)(
  'PW-11: %s changes the password if the old one is right, renews the session and ends all others',
  async (_, route, body) => {
    const { server, browser } = await startSignedIn()
    const other = server.openBrowser()
    await other.enter()
    const before = browser.jar.get('gatehouse-session') ?? ''
    expect(await browser.call(route, body(ada.password, fresh))).toEqual({})
    expect(browser.jar.get('gatehouse-session')).not.toBe(before)
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false])
    other.jar.set('gatehouse-session', before)
    expect(await isSignedIn(other)).toBe(false)
    expect(await other.signIn()).toEqual({ tag: 'AuthFailureFailedLogin' })
    expect(await other.signIn({ ...ada, password: fresh })).toMatchObject({ tag: 'AuthSuccessful' })
    expect((await server.deliver()).map(mail => [mail.to, mail.subject])).toEqual([
      [ada.username, expect.stringContaining('Password changed')],
    ])
  },
)

test.each(namedChanges)('PW-11: %s refuses a wrong old password and counts it as a failed sign-in', async (_, route, body) => {
  const { server, browser } = await startSignedIn()
  const stored = await storedPassword(server)
  const change = async (old: string) => {
    const { statusCode, json } = await browser.send('POST', route.path, body(old, fresh))
    return [statusCode, json()]
  }
  for (let i = 1; i <= 10; i++) {
    expect(await change('not her password at all')).toEqual([403, { error: 'oldpassword: is wrong' }])
    expect(await attempts(server)).toEqual([i])
  }
  // As at sign-in: during a lockout, the right password gets the same refusal.
  expect(await change(ada.password)).toEqual([403, { error: 'oldpassword: is wrong' }])
  expect(await storedPassword(server)).toBe(stored)
  server.clock.advance(seconds(30))
  expect(await change(ada.password)).toEqual([200, {}])
  expect(await attempts(server)).toEqual([])
})

test('PW-11: changes no password or address without a session, and neither counts nor hashes anything', async () => {
  const server = await startServer()
  await server.addUser()
  const { computed } = server.passwords.figures()
  const anonymous = server.openBrowser()
  for (const [path, body] of [
    ...changes.map(([route, of]) => [route.path, of(ada.password, fresh)] as const),
    [accountRoutes.userPasswordCreate.path, { useridentity: ada.username, ...twice(fresh) }],
    [accountRoutes.userEmailChange.path, { newemail: 'new@example.com', password: ada.password }],
  ] as const) {
    const response = await anonymous.send('POST', path, body)
    expect([path, response.statusCode, response.json()]).toEqual([path, 401, { error: 'Sign in first' }])
  }
  expect(server.passwords.figures().computed).toBe(computed)
  expect(await attempts(server)).toEqual([])
})

test("PW-11: does not change another user's password, even when it is known, and does not reveal whether the user exists", async () => {
  const { server, browser } = await startSignedIn()
  const grace = { username: 'grace@example.com', password: 'a compiler of her own' }
  await server.addUser(grace)
  const { computed } = server.passwords.figures()
  for (const useridentity of [grace.username, 'nobody@example.com', 'nothing', '']) {
    for (const [path, body] of [
      [accountRoutes.userPasswordReset.path, { useridentity, oldpassword: grace.password, newpassword: fresh }],
      [accountRoutes.userPasswordUpdate.path, { useridentity, oldpassword: grace.password, ...twice(fresh) }],
      [accountRoutes.userPasswordCreate.path, { useridentity, ...twice(fresh) }],
    ] as const) {
      const response = await browser.send('POST', path, body)
      expect([response.statusCode, response.json()]).toEqual([403, { error: 'useridentity: is not who is signed in', code: 'AnotherUser' }])
    }
  }
  expect(server.passwords.figures().computed).toBe(computed)
  expect(await server.openBrowser().signIn(grace)).toMatchObject({ tag: 'AuthSuccessful' })
})

/** Every way to set a password, with its preparation. */
const ways: [string, (server: Server, browser: Browser) => Promise<(password: string) => ReturnType<Browser['send']>>][] = [
  ...changes
    .map(
      ([route, body]) =>
        [
          route.path,
          async (_: Server, browser: Browser) => (password: string) => browser.send('POST', route.path, body(ada.password, password)),
        ] as const,
    )
    .map(([path, way]): [string, typeof way] => [path, way]),
  [
    accountRoutes.userPasswordCreate.path,
    async (server, browser) => {
      await withoutPassword(server)
      return password => browser.send('POST', accountRoutes.userPasswordCreate.path, { useridentity: ada.username, ...twice(password) })
    },
  ],
  [
    routes.resetPassword.path,
    async (server, browser) => {
      const link = await linkFor(server, browser)
      return password => browser.send('POST', routes.resetPassword.path, { ...link, ...twice(password) })
    },
  ],
]

/** 15 code points, 60 bytes. */
const sealed = '🔒🗝🚪🏠🌲🌊🔥🌙🎯🎵🐢🦊🍋🚲🎈'

test.each(ways)('PW-01, PW-02, PW-03, PW-05, PW-06: %s refuses unacceptable passwords, says why, and changes nothing', async (_, way) => {
  const { server, browser } = await startSignedIn()
  const set = await way(server, browser)
  const stored = await storedPassword(server)
  const { computed } = server.passwords.figures()
  for (const [password, error, code] of [
    ['', 'newpassword: needs at least 15 characters. This one has 0'],
    ['fourteen chars', 'newpassword: needs at least 15 characters. This one has 14'],
    ['🔒'.repeat(14), 'newpassword: needs at least 15 characters. This one has 14'],
    // After Unicode composition it has one code point fewer: 14.
    [`${'x'.repeat(13)}e\u0301`, 'newpassword: needs at least 15 characters. This one has 14'],
    ['123456789987654321', 'newpassword: is too common', 'PasswordCommon'],
    ['PasswordPassword', 'newpassword: is too common', 'PasswordCommon'],
    ['password1234567', 'newpassword: is too common', 'PasswordCommon'],
    ['iloveyouiloveyou', 'newpassword: is too easy to guess: it repeats itself', 'PasswordRepeated'],
    ['ada@example.com', 'newpassword: is too easy to guess from the email address or the name of the product', 'PasswordOwnWords'],
    ['adaadaadaadaada', 'newpassword: is too easy to guess from the email address or the name of the product', 'PasswordOwnWords'],
    ['EXAMPLEexampleExample', 'newpassword: is too easy to guess from the email address or the name of the product', 'PasswordOwnWords'],
    ['gatehouseGatehouse', 'newpassword: is too easy to guess from the email address or the name of the product', 'PasswordOwnWords'],
  ] as const) {
    const response = await set(password)
    expect([password, response.statusCode, response.json()]).toEqual([password, 400, { error, ...(code && { code }) }])
  }
  for (const password of [`${'é'.repeat(512)}x`, '🔒'.repeat(257)]) {
    const response = await set(password)
    expect([response.statusCode, response.json().error]).toEqual([400, expect.stringMatching(/newpassword.*must have at most 1024 bytes/)])
  }
  expect(server.passwords.figures().computed).toBe(computed)
  expect(await storedPassword(server)).toBe(stored)
  expect(await attempts(server)).toEqual([])
  // The link, session and old password remain valid.
  expect((await set(sealed)).statusCode).toBe(200)
  expect(await server.openBrowser().signIn({ ...ada, password: sealed })).toMatchObject({ tag: 'AuthSuccessful' })
})

test.each(ways)('PW-03: %s accepts 1024 bytes unchanged', async (_, way) => {
  const { server, browser } = await startSignedIn()
  const long = ` a hollow voice says that ${'xyzzy plugh '.repeat(83)}ab`
  expect((await (await way(server, browser))(long)).statusCode).toBe(200)
  for (const wrong of [long.trim(), long.slice(0, -1), long.toUpperCase()])
    expect(await server.openBrowser().signIn({ ...ada, password: wrong })).toEqual({ tag: 'AuthFailureFailedLogin' })
  expect(await server.openBrowser().signIn({ ...ada, password: long })).toMatchObject({ tag: 'AuthSuccessful' })
})

test.each(ways)('EM-14: %s notifies the owner with one mail that does not contain the password', async (_, way) => {
  const { server, browser } = await startSignedIn()
  const set = await way(server, browser)
  const before = (await server.deliver()).length
  server.clock.advance(1)
  await set(fresh)
  const [mail, ...more] = await server.deliver()
  expect(more).toHaveLength(before)
  expect(mail?.to).toBe(ada.username)
  expect(mail?.text).toContain('If this wasn’t you')
  expect(JSON.stringify(mail)).not.toContain(fresh)
})

test('requires both entries of the new password to match', async () => {
  const { server, browser } = await startSignedIn()
  const link = await linkFor(server, browser)
  for (const [path, body] of [
    [accountRoutes.userPasswordUpdate.path, { useridentity: ada.username, oldpassword: ada.password }],
    [accountRoutes.userPasswordCreate.path, { useridentity: ada.username }],
    [routes.resetPassword.path, link],
  ] as const) {
    const response = await browser.send('POST', path, { ...body, newpassword: fresh, newpasswordverification: `${fresh}!` })
    expect([response.statusCode, response.json().error]).toEqual([400, expect.stringContaining('newpasswordverification differs')])
  }
  expect((await browser.send('POST', routes.resetPassword.path, { ...link, ...twice(fresh) })).statusCode).toBe(200)
})

test('PW-01: accepts eight code points where a second factor is required', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'required' } })
  await server.addUser()
  const browser = server.openBrowser()
  await enroll(browser, server.clock)
  const link = await linkFor(server, browser)
  const reset = (password: string) => browser.send('POST', routes.resetPassword.path, { ...link, ...twice(password) })
  const change = (old: string, next: string) => browser.send('POST', accountRoutes.userPasswordReset.path, changes[0][1](old, next))
  const tooShort = { error: 'newpassword: needs at least 8 characters. This one has 7' }
  for (const response of [await reset('sëvenlé'), await change(ada.password, 'sëvenlé')])
    expect([response.statusCode, response.json()]).toEqual([400, tooShort])
  expect((await change(ada.password, 'vïolet7!')).statusCode).toBe(200)
  const again = await linkFor(server, browser)
  const response = await browser.send('POST', routes.resetPassword.path, { ...again, ...twice('ôrange 8') })
  expect(response.statusCode).toBe(200)
  expect(await browser.signIn({ ...ada, password: 'ôrange 8' })).toEqual({ tag: 'AuthRequires2FA' })
})

test('creates a password only if the account has none, and only soon after the sign-in', async () => {
  const { server, browser } = await startSignedIn()
  const create = async () => {
    const response = await browser.send('POST', accountRoutes.userPasswordCreate.path, { useridentity: ada.username, ...twice(fresh) })
    return [response.statusCode, response.json()]
  }
  expect(await create()).toEqual([409, { error: 'useridentity: has a password already', code: 'PasswordExists' }])
  expect(await isSignedIn(browser)).toBe(true)
  await withoutPassword(server)
  server.clock.advance(minutes(15))
  expect(await create()).toEqual([
    403,
    { error: 'Sign in again first; the last time was more than 15 minutes ago', code: 'ReauthenticationRequired' },
  ])
  server.clock.advance(-1)
  expect(await create()).toEqual([200, {}])
  expect(await isSignedIn(browser)).toBe(true)
  expect(await browser.signIn({ ...ada, password: fresh })).toMatchObject({ tag: 'AuthSuccessful' })
  expect((await create())[0]).toBe(409)
})

test('EM-10: a new password ends open links, unused hand-over codes and the old password’s lockout', async () => {
  const { server, browser } = await startSignedIn()
  const link = await linkFor(server, browser)
  const half = server.openBrowser()
  const outcome = await half.signIn()
  const visitor = server.openBrowser()
  for (let i = 0; i < 10; i++) await visitor.signIn({ ...ada, password: 'wrong password wrong' })
  await browser.call(accountRoutes.userPasswordReset, changes[0][1](ada.password, fresh))
  expect((await half.send('POST', routes.plowlogin.path, 'contents' in outcome ? outcome.contents : {})).statusCode).toBe(401)
  expect((await half.send('POST', routes.resetPassword.path, { ...link, ...twice('another long password') })).statusCode).toBe(410)
  expect(await server.openBrowser().signIn({ ...ada, password: fresh })).toMatchObject({ tag: 'AuthSuccessful' })
})

test('a session that began with a second factor keeps it when the password changes', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'required' } })
  await server.addUser()
  const browser = server.openBrowser()
  await enroll(browser, server.clock)
  await browser.call(accountRoutes.userPasswordReset, changes[0][1](ada.password, fresh))
  const { sessionFactor } = await server.db.selectFrom('sessions').select('sessionFactor').executeTakeFirstOrThrow()
  expect(sessionFactor).toBe('TOTP')
})

test('SE-02, SE-03: a new password renews the session’s value but not its start', async () => {
  const { server, browser } = await startSignedIn()
  const begun = await server.db.selectFrom('sessions').select(['sessionCreated', 'sessionExpires']).executeTakeFirstOrThrow()
  const cookie = browser.jar.get('gatehouse-session')
  server.clock.advance(minutes(40))
  await browser.call(accountRoutes.userPasswordReset, changes[0][1](ada.password, fresh))
  expect(browser.jar.get('gatehouse-session')).not.toBe(cookie)
  expect(await server.db.selectFrom('sessions').select(['sessionCreated', 'sessionExpires']).execute()).toEqual([begun])
})

test.each([
  ['signed out', async (server: Server) => void (await server.db.deleteFrom('sessions').execute())],
  [
    'forced to reset the password',
    async (server: Server) => void (await server.db.updateTable('users').set({ userForcedReset: 1 }).execute()),
  ],
])('changes no password if the user is %s while the old one is checked', async (_, meanwhile) => {
  let happen = async () => {}
  const { server, browser } = await startSignedIn({ afterVerify: () => happen() })
  const before = await storedPassword(server)
  happen = () => meanwhile(server)
  const answer = await browser.send('POST', accountRoutes.userPasswordUpdate.path, changes[1][1](ada.password, fresh))
  expect([answer.statusCode, await storedPassword(server)]).toEqual([403, before])
})

test('AZ-04: shows ten recovery codes, once, to a user signed in with a second factor', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  await server.addUser()
  const browser = server.openBrowser()
  const ask = (from: Browser) => from.send('POST', accountRoutes.userRecoveryCodes.path, {})
  expect((await ask(browser)).statusCode).toBe(403)
  await enroll(browser, server.clock)
  // A session without a second factor is refused.
  await server.db.updateTable('sessions').set({ sessionFactor: null }).execute()
  expect((await ask(browser)).statusCode).toBe(403)
  await server.db.updateTable('sessions').set({ sessionFactor: 'TOTP' }).execute()
  const answer = (await ask(browser)).json()
  expect(Object.keys(answer)).toEqual(['recoveryCodes'])
  expect(new Set(answer.recoveryCodes).size).toBe(10)
  for (const code of answer.recoveryCodes) expect(code).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/)
  expect((await ask(browser)).statusCode).toBe(403)
})

test('CC-02: returns 503 when no hashing slot is free, and then counts no attempt and uses no link', async () => {
  const { server, browser } = await startSignedIn({ slots: 1 })
  const link = await linkFor(server, browser)
  let release = () => {}
  const held = new Promise<void>(resolve => (release = resolve))
  const claim = { address: '198.51.100.7', knownFor: async () => ada.username }
  const turns = Array.from({ length: 1 + limits.password.queuePerSlot }, () => server.passwords.inTurn(claim, () => held))
  const calls: [string, object][] = [
    [accountRoutes.userPasswordReset.path, changes[0][1](ada.password, fresh)],
    [accountRoutes.userEmailChange.path, { newemail: 'countess@new.example', password: ada.password }],
    [routes.verifyOTP.path, { ...otpOf(ada), otpVerification: await codeAt('A'.repeat(32), server.clock.at) }],
    [routes.resetOTP.path, otpOf(ada)],
    [routes.resetPassword.path, { ...link, ...twice(fresh) }],
  ]
  for (const [path, body] of calls) {
    const response = await browser.send('POST', path, body)
    expect([path, response.statusCode, response.headers['retry-after']]).toEqual([path, 503, '2'])
  }
  // The session check does not wait for a hashing slot.
  expect(await isSignedIn(browser)).toBe(true)
  release()
  await Promise.all(turns)
  expect(await attempts(server)).toEqual([])
  expect((await browser.send('POST', routes.resetPassword.path, { ...link, ...twice(fresh) })).statusCode).toBe(200)
})
