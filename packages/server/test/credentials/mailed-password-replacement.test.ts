import { type AuthOutcome, accountRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { minutes, seconds } from '../../src/limits.ts'
import { adaAtProvider, finishSignIn, linkIdentity, signInAtProvider, startWithProvider } from '../sso/sso-sign-in.ts'
import { codeAt, enroll, offered, secretOf } from '../support/authenticator.ts'
import { ada, type Browser, type startServer } from '../support/harness.ts'
import { otp, startEnrolled } from '../support/second-factor-users.ts'
import { mailedLink } from './mailed-link.ts'
import { mailed, openOneTimeLink, recoveryCodeByTicket, resetByMail, resetSendsLink } from './mailed-password.ts'

type Server = Awaited<ReturnType<typeof startServer>>
const lower = { error: 'factor: sign in with your second factor first', code: 'SecondFactorRequired' }
const attackers = { ...otp, otpPassword: mailed.password }

/** The owner requests a factor reset. */
const askForReset = async (server: Server, browser: Browser) => {
  server.clock.advance(1)
  const asked = await browser.call(routes.resetOTP, otp)
  if (asked.tag !== 'AuthRequiresFactorReset') throw new Error(asked.tag)
  return { factorUUID: asked.contents, link: mailedLink(await server.deliver(), 'new-factor') }
}

/** Tries the new factor's code in every call that takes one, with a password and with a ticket. */
const useNewCode = async (
  server: Server,
  secret: string,
  otpFactorUUID: string,
  password = mailed.password,
): Promise<AuthOutcome['tag'][]> => {
  const otpVerification = await codeAt(secret, server.clock.at)
  const byLink = server.openBrowser()
  await openOneTimeLink(server, byLink)
  const typed = { ...otp, otpPassword: password, otpVerification }
  const ticket = { otpUsername: '', otpPassword: '', otpVerification }
  const outcomes = [
    await server.openBrowser().call(routes.setupOTP, { ...typed, otpFactorUUID }),
    await server.openBrowser().call(routes.verifyOTP, typed),
    await byLink.call(routes.setupOTP, { ...ticket, otpFactorUUID }),
    await byLink.call(routes.verifyOTP, ticket),
  ]
  return outcomes.map(outcome => outcome.tag)
}

const verifiedFactors = async ({ db }: Server) =>
  (await db.selectFrom('factors').select('factorUUID').where('factorStatus', '=', 'Verified').execute()).map(row => row.factorUUID)

test('MF-10: ends a pending factor reset after a password reset by email, even if an attacker has seen its secret', async () => {
  const { server, browser, factorUUID: own } = await startEnrolled()
  const pending = await askForReset(server, browser)
  const secret = secretOf(offered(await server.openBrowser().call(routes.newFactor, pending.link)))
  await resetByMail(server)
  expect(await useNewCode(server, secret, pending.factorUUID)).not.toContain('AuthSuccessful')
  expect(await verifiedFactors(server)).toEqual([own])
  expect(await server.db.selectFrom('factors').select('factorUUID').execute()).toHaveLength(1)
})

test('MF-10: voids the link of a factor reset after a password reset by email', async () => {
  const { server, browser } = await startEnrolled()
  const pending = await askForReset(server, browser)
  await resetByMail(server)
  expect(await server.openBrowser().call(routes.newFactor, pending.link)).toEqual({ tag: 'AuthFailureFailedLogin' })
})

test('MF-10: refuses a factor replacement if a password reset by email commits right after its password check', async () => {
  let meanwhile = async () => {}
  const {
    server,
    browser,
    factorUUID: own,
  } = await startEnrolled({
    env: { GATEHOUSE_SECOND_FACTOR: 'skippable' },
    afterVerify: () => meanwhile(),
  })
  const pending = await askForReset(server, browser)
  const secret = secretOf(offered(await server.openBrowser().call(routes.newFactor, pending.link)))
  meanwhile = async () => {
    meanwhile = async () => {}
    // The same password as before, so the refusal does not come from a password mismatch.
    await resetByMail(server, ada.password)
  }
  const completes = { ...otp, otpFactorUUID: pending.factorUUID, otpVerification: await codeAt(secret, server.clock.at) }
  expect((await browser.call(routes.setupOTP, completes)).tag).not.toBe('AuthSuccessful')
  expect(await verifiedFactors(server)).toEqual([own])
})

test('MF-10: refuses a factor reset left open by an older server if the password was set by email', async () => {
  const { server, browser, factorUUID: own } = await startEnrolled()
  const pending = await askForReset(server, browser)
  await server.db.updateTable('users').set({ userPasswordByMail: 1 }).execute()
  expect(await server.openBrowser().call(routes.newFactor, pending.link)).toEqual({ tag: 'AuthFailureFailedLogin' })
  await server.db.updateTable('users').set({ userPasswordByMail: 0 }).execute()
  const again = await askForReset(server, browser)
  const secret = secretOf(offered(await server.openBrowser().call(routes.newFactor, again.link)))
  await server.db.updateTable('users').set({ userPasswordByMail: 1 }).execute()
  expect(await useNewCode(server, secret, again.factorUUID, ada.password)).not.toContain('AuthSuccessful')
  expect(await verifiedFactors(server)).toEqual([own])
})

test('MF-10: ends a pending factor reset when an administrator forces a password reset', async () => {
  const { server, browser } = await startEnrolled({
    env: { GATEHOUSE_SECOND_FACTOR: 'skippable', GATEHOUSE_ADMINS: 'root@example.com' },
  })
  const root = { username: 'root@example.com', password: 'the password of the root' }
  await server.addUser(root)
  const administrator = server.openBrowser()
  await enroll(administrator, server.clock, root)
  const pending = await askForReset(server, browser)
  await server.openBrowser().call(routes.newFactor, pending.link)
  const userId = (await server.db.selectFrom('users').select('userId').where('userIdent', '=', ada.username).executeTakeFirstOrThrow())
    .userId
  const forced = await administrator.send('POST', '/administration/user/force-reset', { userId })
  expect(forced.statusCode).toBe(200)
  const left = await server.db.selectFrom('factors').select('factorStatus').where('factorIdentity', '=', userId).execute()
  expect(left).toEqual([{ factorStatus: 'Verified' }])
})

test('MF-10: lets a user who lost the authenticator and forgot the password back in by email and two recovery codes', async () => {
  const { server, browser } = await startEnrolled()
  const { recoveryCodes } = await browser.call(accountRoutes.userRecoveryCodes, {})
  await resetByMail(server)
  expect(await resetSendsLink(server)).toBe(false)
  const [first = '', second = ''] = recoveryCodes
  // A one-time link and a recovery code open a session, but the server still sends no reset link.
  const byLink = server.openBrowser()
  await openOneTimeLink(server, byLink)
  expect((await recoveryCodeByTicket(byLink, first)).tag).toBe('AuthSuccessful')
  expect(await resetSendsLink(server)).toBe(false)
  const typed = await server.openBrowser().call(routes.recoveryCode, { ...attackers, otpRecoveryCode: second })
  expect(typed.tag).toBe('AuthSuccessful')
  expect(await resetSendsLink(server)).toBe(true)
  // The newest reset's link.
  const factor = offered(await browser.call(routes.newFactor, mailedLink(await server.deliver(), 'new-factor')))
  const code = { otpFactorUUID: factor.factorUUID, otpVerification: await codeAt(secretOf(factor), server.clock.at) }
  expect((await browser.call(routes.setupOTP, { ...attackers, ...code })).tag).toBe('AuthSuccessful')
  expect(await verifiedFactors(server)).toEqual([factor.factorUUID])
})

test('MF-10: does not reauthenticate with a mailed password in a session opened by one-time link and code', async () => {
  const { server, code } = await startEnrolled()
  await resetByMail(server)
  const owner = server.openBrowser()
  await openOneTimeLink(server, owner)
  const outcome = await owner.call(routes.verifyOTP, { otpUsername: '', otpPassword: '', otpVerification: await code() })
  if (outcome.tag === 'AuthSuccessful') await owner.call(routes.plowlogin, outcome.contents)
  server.clock.advance(minutes(15))
  const confirm = (password: string) => owner.send('POST', accountRoutes.userPasswordConfirm.path, { password })
  expect((await confirm('a wrong password')).json()).toEqual({ error: 'password: is wrong' })
  expect((await confirm(mailed.password)).json()).toEqual(lower)
  expect((await owner.send('POST', accountRoutes.userRecoveryCodesAnew.path, {})).statusCode).toBe(403)
  // Changing the mailed password must not bypass this.
  const another = { newpassword: 'another password of the attacker', newpasswordverification: 'another password of the attacker' }
  const change = { useridentity: ada.username, oldpassword: mailed.password, ...another }
  expect((await owner.send('POST', accountRoutes.userPasswordUpdate.path, change)).statusCode).toBe(200)
  expect((await owner.send('POST', accountRoutes.userRecoveryCodesAnew.path, {})).statusCode).toBe(403)
})

test('MF-12: lets a session from a trusted provider neither link nor unlink an identity nor change the email address', async () => {
  const { idp, server } = await startWithProvider({
    as: ['GOOGLE', 'PAK'],
    env: { GATEHOUSE_SECOND_FACTOR: 'skippable', GATEHOUSE_SSO_TRUSTED: 'google' },
  })
  await server.addUser()
  const owner = server.openBrowser()
  await enroll(owner, server.clock)
  await linkIdentity(owner, idp)
  server.clock.advance(minutes(1))
  idp.users.set(adaAtProvider.sub, { ...adaAtProvider, amr: ['mfa'] })
  const browser = server.openBrowser()
  await finishSignIn(browser, await signInAtProvider(browser, idp))
  const { password } = ada
  for (const [path, body] of [
    [accountRoutes.userProviderLink.path, { provider: 'Pak', password }],
    [accountRoutes.userProviderUnlink.path, { provider: 'Google', password }],
    [accountRoutes.userEmailChange.path, { newemail: 'attacker@example.com', password }],
  ] as const) {
    server.clock.advance(seconds(1))
    const answer = await browser.send('POST', path, body)
    expect([path, answer.statusCode, answer.json()]).toEqual([path, 403, lower])
  }
})
