import { routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { minutes, seconds } from '../../src/limits.ts'
import {
  askForLink,
  askForReset,
  failed,
  linkTo,
  lookAt,
  newPassword,
  reset,
  skippable,
  startWithAda,
} from '../credentials/mailed-recovery.ts'
import { enroll, offered, otpOf } from '../support/authenticator.ts'
import { ada, isSignedIn, startServer } from '../support/harness.ts'

test('EM-01, EM-02: stores links as hashes, which open nothing', async () => {
  const server = await startWithAda()
  const claims = [await askForLink(server), await askForReset(server)]
  const rows = await server.db.selectFrom('mail_links').selectAll().execute()
  for (const { token } of claims) {
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(rows)).not.toContain(token)
  }
  for (const row of rows) {
    const stolen = { selector: row.mailLinkSelector, token: row.mailLinkHash }
    expect(await server.openBrowser().call(routes.magiclinkRedeem, stolen)).toEqual(failed)
    expect((await reset(server.openBrowser(), stolen)).statusCode).toBe(410)
  }
})

test('EM-01: encrypts mail in the outbox', async () => {
  const server = await startWithAda()
  await server.openBrowser().call(routes.sendPasswordResetEmail, { useremail: ada.username })
  expect(JSON.stringify(await server.db.selectFrom('outbox').selectAll().execute())).not.toContain('ada@')
  await server.openBrowser().signIn()
})

test.each([
  ['one-time-link', minutes(10)],
  ['new-password', minutes(30)],
  ['new-factor', minutes(10)],
] as const)('EM-03: %s works until the last second of %d ms, and says afterwards that it has expired', async (page, lifetime) => {
  const server = await startWithAda(skippable)
  const browser = server.openBrowser()
  if (page === 'new-factor') await enroll(browser, server.clock)
  const ask = async () => {
    if (page === 'one-time-link') return askForLink(server)
    if (page === 'new-password') return askForReset(server)
    await browser.call(routes.resetOTP, otpOf(ada))
    return linkTo(server, 'new-factor')
  }
  const use = async (claim: { selector: string; token: string }) => {
    if (page === 'new-password') return (await reset(server.openBrowser(), claim)).statusCode === 200
    const route = page === 'one-time-link' ? routes.magiclinkRedeem : routes.newFactor
    return (await server.openBrowser().call(route, claim)).tag !== 'AuthFailureFailedLogin'
  }
  const late = await ask()
  server.clock.advance(lifetime + seconds(1))
  expect(await lookAt(server, page, late)).toEqual({ state: 'Expired' })
  expect(await use(late)).toBe(false)
  const timely = await ask()
  server.clock.advance(lifetime - seconds(1))
  expect((await lookAt(server, page, timely)).state).toBe('Good')
  expect(await use(timely)).toBe(true)
})

test('EM-04, CS-03, A17: GET and HEAD of the pages for one-time, password reset and factor reset links change nothing', async () => {
  const server = await startWithAda(skippable)
  const browser = server.openBrowser()
  await enroll(browser, server.clock)
  await browser.call(routes.resetOTP, otpOf(ada))
  const claims = {
    'one-time-link': await askForLink(server),
    'new-password': await askForReset(server),
    'new-factor': await linkTo(server, 'new-factor'),
  }
  for (const page of Object.keys(claims) as (keyof typeof claims)[]) {
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await server.app.inject({ method, url: `/${page}` })
      expect([answer.statusCode, answer.headers['cache-control'], answer.headers['referrer-policy']]).toEqual([
        200,
        'no-store',
        // The Referer goes only to this server, and never contains the fragment with the token.
        'same-origin',
      ])
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
    for (let i = 0; i < 5; i++) await lookAt(server, page, claims[page])
    expect((await lookAt(server, page, claims[page])).state).toBe('Good')
  }
})

test('EM-07: keeps two links of a kind valid, voids the first when a third is sent, and voids all after a reset', async () => {
  const server = await startWithAda()
  const [first, second] = [await askForReset(server), await askForReset(server)]
  const statesOf = async () => Promise.all([first, second].map(async link => (await lookAt(server, 'new-password', link)).state))
  expect(await statesOf()).toEqual(['Good', 'Good'])
  const third = await askForReset(server)
  expect(await statesOf()).toEqual(['Expired', 'Good'])
  const links = [await askForLink(server), await askForLink(server)]
  expect((await reset(server.openBrowser(), first)).statusCode).toBe(410)
  expect((await reset(server.openBrowser(), second)).statusCode).toBe(200)
  expect((await reset(server.openBrowser(), third)).statusCode).toBe(410)
  for (const link of links) expect(await server.openBrowser().call(routes.magiclinkRedeem, link)).toEqual(failed)
  expect((await server.openBrowser().signIn({ ...ada, password: newPassword })).tag).toBe('AuthSuccessful')
  expect(await server.openBrowser().signIn()).toEqual(failed)
})

test('EM-08: a password reset neither signs in nor replaces the second factor', async () => {
  const server = await startWithAda(skippable)
  await enroll(server.openBrowser(), server.clock)
  const browser = server.openBrowser()
  const answer = await reset(browser, await askForReset(server))
  expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([200, undefined])
  expect(await isSignedIn(browser)).toBe(false)
  expect(await browser.signIn({ ...ada, password: newPassword })).toEqual({ tag: 'AuthRequires2FA' })
})

test('EM-10, A27: a password reset ends all sessions and sends a notice without a secret', async () => {
  const server = await startWithAda()
  const browsers = [server.openBrowser(), server.openBrowser(), server.openBrowser()]
  for (const browser of browsers) await browser.enter()
  const claim = await askForReset(server)
  for (const browser of browsers) expect(await isSignedIn(browser)).toBe(true)
  server.clock.advance(1)
  await reset(server.openBrowser(), claim)
  for (const browser of browsers) expect(await isSignedIn(browser)).toBe(false)
  const [notice] = await server.deliver()
  expect(notice?.to).toBe(ada.username)
  expect(JSON.stringify(notice)).not.toContain(newPassword)
  expect(notice?.text).not.toContain('#')
})

test('EM-10: setting up a factor ends earlier sessions', async () => {
  const server = await startWithAda({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  const other = server.openBrowser()
  const { factorUUID } = offered(await other.signIn())
  const skipped = await other.call(routes.setupOTP, { ...otpOf(ada), otpFactorUUID: factorUUID })
  if (skipped.tag === 'AuthSuccessful') await other.call(routes.plowlogin, skipped.contents)
  expect(await isSignedIn(other)).toBe(true)
  const browser = server.openBrowser()
  await enroll(browser, server.clock)
  expect(await isSignedIn(other)).toBe(false)
  expect(await isSignedIn(browser)).toBe(true)
})

test('refuses an unacceptable password with the reason, and the link stays valid', async () => {
  const server = await startWithAda()
  const claim = await askForReset(server)
  const short = await reset(server.openBrowser(), claim, 'short')
  expect([short.statusCode, short.json()]).toEqual([400, { error: 'newpassword: needs at least 15 characters. This one has 5' }])
  expect((await lookAt(server, 'new-password', claim)).state).toBe('Good')
  expect((await reset(server.openBrowser(), claim)).statusCode).toBe(200)
  expect((await reset(server.openBrowser(), claim)).statusCode).toBe(410)
})

test('EM-11: a reset token works only for its own user', async () => {
  const server = await startWithAda()
  const grace = { username: 'grace@example.com', password: 'another horse battery' }
  await server.addUser(grace)
  const claim = await askForReset(server)
  expect((await reset(server.openBrowser(), claim, newPassword, grace.username)).statusCode).toBe(410)
  expect((await server.openBrowser().signIn(grace)).tag).toBe('AuthSuccessful')
  expect((await reset(server.openBrowser(), claim)).statusCode).toBe(200)
})

test('TH-02: a password reset enables a disabled password', async () => {
  const server = await startWithAda()
  await server.openBrowser().signIn({ ...ada, password: 'wrong' })
  await server.db.updateTable('failed_logins').set({ failedLoginAttempts: 100 }).execute()
  expect(await server.openBrowser().signIn()).toEqual(failed)
  await reset(server.openBrowser(), await askForReset(server))
  expect((await server.openBrowser().signIn({ ...ada, password: newPassword })).tag).toBe('AuthSuccessful')
})

test('notifies the user of a locked account once a day, whichever networks the attempts come from', async () => {
  const server = await startWithAda()
  const lock = async () => {
    for (let i = 0; i < 10; i++) await server.openBrowser().signIn({ ...ada, password: 'wrong' })
  }
  const told = async () => (await server.deliver()).length
  await lock()
  expect(await told()).toBe(1)
  server.clock.advance(minutes(2))
  await lock()
  expect(await told()).toBe(1)
  server.clock.advance(minutes(60 * 24))
  await lock()
  expect(await told()).toBe(2)
  for (let i = 0; i < 10; i++) await server.openBrowser().signIn({ username: 'nobody@example.com', password: 'wrong' })
  expect(await told()).toBe(2)
})

test('sends a separate notice when the password is disabled; this and the lockout notice name the address of the attempts', async () => {
  const server = await startWithAda()
  const visitor = server.openBrowser({ address: '203.0.113.66' })
  await server.openBrowser({ address: '192.0.2.1' }).signIn()
  for (let i = 0; i < 10; i++)
    await visitor.send('POST', routes.verifyOTP.path, { ...otpOf({ ...ada, password: 'wrong' }), otpVerification: 1 })
  const [paused] = await server.deliver()
  expect([paused?.subject, paused?.text]).toEqual([expect.stringContaining('Account locked'), expect.stringContaining('203.0.113.66')])
  await server.db.updateTable('failed_logins').set({ failedLoginAttempts: 99, failedLoginLockExpires: null }).execute()
  server.clock.advance(minutes(10))
  await server.openBrowser({ address: '203.0.113.67' }).signIn({ ...ada, password: 'wrong' })
  const [disabled, ...before] = await server.deliver()
  expect([disabled?.subject, disabled?.text]).toEqual([
    expect.stringContaining('Password disabled'),
    expect.stringContaining('203.0.113.67'),
  ])
  expect(before).toHaveLength(1)
})

test('a reset request for a user without a password mails an invitation that is still valid after 23 hours', async () => {
  const server = await startServer()
  await server.addUser()
  await server.db.updateTable('users').set({ userPassword: null }).execute()
  await askForReset(server)
  const [mail] = await server.deliver()
  expect(mail?.subject).toContain('Set up your account')
  const claim = await linkTo(server, 'new-password')
  server.clock.advance(minutes(60 * 23))
  expect((await lookAt(server, 'new-password', claim)).state).toBe('Good')
})

test('a forced reset requires a different password', async () => {
  const server = await startWithAda()
  await server.db.updateTable('users').set({ userForcedReset: 1 }).execute()
  const claim = await askForReset(server)
  const same = await reset(server.openBrowser(), claim, ada.password)
  expect([same.statusCode, same.json()]).toEqual([
    400,
    { error: 'newpassword: must be another one than before', code: 'PasswordUnchanged' },
  ])
  expect((await reset(server.openBrowser(), claim)).statusCode).toBe(200)
})
