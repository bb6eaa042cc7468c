import { accountRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { minutes, seconds } from '../../src/limits.ts'
import { codeAt, offered, secretOf } from '../support/authenticator.ts'
import { ada, admin, isSignedIn } from '../support/harness.ts'
import { askForReset, databaseError, failed, invalidCode, linkIn, otp, resetFactor, startEnrolled } from '../support/second-factor-users.ts'

test('MF-04: a reset requires password and mailbox; the old factor works until the new one is verified, which ends all sessions', async () => {
  const { server, browser, code, verify, userId } = await startEnrolled({
    env: { GATEHOUSE_SECOND_FACTOR: 'skippable', GATEHOUSE_ADMINS: admin.username },
  })
  expect(await isSignedIn(browser)).toBe(true)
  expect(await browser.call(routes.resetOTP, { ...otp, otpPassword: 'wrong' })).toEqual(failed)
  expect(await server.deliver()).toHaveLength(1)

  const { factorUUID, mail } = await askForReset(server, browser)
  expect(linkIn(mail).page).toBe('new-factor')
  // Until the link is opened, the new factor has no secret to scan.
  const early = await browser.call(routes.setupOTP, { ...otp, otpVerification: 123_456, otpFactorUUID: factorUUID })
  expect(early).toEqual(databaseError({ tag: 'MissingFactorBindingByFactorUUID', contents: factorUUID }))
  const factor = offered(await server.openBrowser().call(routes.newFactor, linkIn(mail).claim))
  // The mailbox alone is not enough: the code must come with the password.
  const noPassword = await server.openBrowser().call(routes.setupOTP, {
    otpUsername: ada.username,
    otpPassword: 'not known to the attacker',
    otpVerification: await codeAt(secretOf(factor), server.clock.at),
    otpFactorUUID: factorUUID,
  })
  expect(noPassword).toEqual(failed)
  expect((await verify(await code())).tag).toBe('AuthSuccessful')
  expect(await browser.call(routes.newFactor, linkIn(mail).claim)).toEqual(failed)

  const old = server.openBrowser()
  server.clock.advance(seconds(30))
  const oldOutcome = await verify(await code(), old)
  if (oldOutcome.tag === 'AuthSuccessful') await old.call(routes.plowlogin, oldOutcome.contents)
  expect(await isSignedIn(old)).toBe(true)
  const { secret } = await resetFactor(server, browser)
  expect(await isSignedIn(old)).toBe(false)
  server.clock.advance(seconds(30))
  expect(await verify(await code())).toEqual(invalidCode('Pending'))
  expect((await verify(await codeAt(secret, server.clock.at))).tag).toBe('AuthSuccessful')
  const mails = (await server.deliver()).map(one => one.to)
  expect(mails.filter(to => to === admin.username)).toHaveLength(1)
  const factors = await server.db.selectFrom('factors').select('factorStatus').where('factorIdentity', '=', userId).execute()
  expect(factors).toEqual([{ factorStatus: 'Verified' }])
})

test('MF-04, A07: access to the mailbox alone resets no factor, by ticket or by a mailed password', async () => {
  const { server, secret, userId } = await startEnrolled()
  const attacker = server.openBrowser()
  const ticketed = { otpUsername: '', otpPassword: '' }
  const byLink = async () => {
    server.clock.advance(1)
    await attacker.call(routes.magiclinkSend, [{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }])
    const mail = (await server.deliver()).find(one => one.text.includes('/one-time-link#'))
    expect(await attacker.call(routes.magiclinkRedeem, linkIn(mail).claim)).toEqual({ tag: 'AuthRequires2FA' })
  }
  await byLink()
  expect(await attacker.call(routes.resetOTP, { ...ticketed, otpUsername: ada.username })).toEqual(failed)
  expect((await attacker.send('POST', routes.resetOTP.path, ticketed)).statusCode).toBe(400)

  // The attacker cannot complete a reset that the owner started either.
  const { factorUUID, mail } = await askForReset(server, server.openBrowser())
  const factor = offered(await attacker.call(routes.newFactor, linkIn(mail).claim))
  await byLink()
  const stolen = { ...ticketed, otpVerification: await codeAt(secretOf(factor), server.clock.at), otpFactorUUID: factorUUID }
  expect(await attacker.call(routes.setupOTP, stolen)).toEqual(databaseError({ tag: 'MissingFactorByFactorUUID', contents: factorUUID }))

  server.clock.advance(minutes(20))
  await attacker.call(routes.sendPasswordResetEmail, { useremail: ada.username })
  const reset = linkIn((await server.deliver()).find(one => one.text.includes('/new-password#')))
  const password = 'a password of the attacker'
  await attacker.call(routes.resetPassword, {
    username: ada.username,
    resettoken: `${reset.claim.selector}.${reset.claim.token}`,
    newpassword: password,
    newpasswordverification: password,
  })
  server.clock.advance(1)
  const mailsBefore = (await server.deliver()).length
  const held = await attacker.call(routes.resetOTP, { otpUsername: ada.username, otpPassword: password })
  expect(held.tag).toBe('AuthRequiresFactorReset')
  const [told, ...others] = await server.deliver()
  expect(others).toHaveLength(mailsBefore)
  expect(told?.subject).toContain('not reset')
  expect(told?.text).not.toContain('#')

  // The owner vouches for the password by using it together with the factor.
  const code = { otpUsername: ada.username, otpPassword: password, otpVerification: await codeAt(secret, server.clock.at) }
  expect((await server.openBrowser().call(routes.verifyOTP, code)).tag).toBe('AuthSuccessful')
  server.clock.advance(1)
  await server.openBrowser().call(routes.resetOTP, { otpUsername: ada.username, otpPassword: password })
  expect((await server.deliver())[0]?.text).toContain('/new-factor#')
  expect(await server.db.selectFrom('factors').select('factorStatus').where('factorIdentity', '=', userId).execute()).toContainEqual({
    factorStatus: 'Verified',
  })
})

test('a factor reset request gets the same answer when the server sends no more mail', async () => {
  const { server } = await startEnrolled()
  const visitor = server.openBrowser({ address: '198.51.100.7' })
  for (let i = 0; i < 5; i++) expect((await visitor.call(routes.resetOTP, otp)).tag).toBe('AuthRequiresFactorReset')
  const mails = await server.deliver()
  expect(mails.filter(mail => mail.text.includes('/new-factor#'))).toHaveLength(3)
})

test('a newer reset link invalidates the older one', async () => {
  const { server, browser } = await startEnrolled()
  const first = await askForReset(server, browser)
  server.clock.advance(seconds(1))
  const second = await askForReset(server, browser)
  expect(linkIn(second.mail).claim).not.toEqual(linkIn(first.mail).claim)
  expect(await browser.call(routes.newFactor, linkIn(first.mail).claim)).toEqual(failed)
  expect((await browser.call(routes.newFactor, linkIn(second.mail).claim)).tag).toBe('AuthRequiresFactorCreation')
})

test('a factor reset removes the recovery codes and offers new ones', async () => {
  const { server, browser, code, verify } = await startEnrolled()
  const outcome = await verify(await code())
  if (outcome.tag === 'AuthSuccessful') await browser.call(routes.plowlogin, outcome.contents)
  const { recoveryCodes } = await browser.call(accountRoutes.userRecoveryCodes, {})
  const { done } = await resetFactor(server, browser)
  expect(await browser.call(routes.recoveryCode, { ...otp, otpRecoveryCode: recoveryCodes[0] })).toEqual(invalidCode('Pending'))
  if (done.tag !== 'AuthSuccessful') throw new Error(done.tag)
  const { authTokenSelector, authTokenToken } = done.contents
  const arrived = await browser.get(`/auth/page/plow/${authTokenSelector}/${authTokenToken}`)
  expect(arrived.headers.location).toBe('/recovery-codes')
})

test('MF-04: a later reset request does not cancel a new factor whose secret was shown', async () => {
  const { server, browser, verify } = await startEnrolled()
  const first = await askForReset(server, browser)
  const secret = secretOf(offered(await browser.call(routes.newFactor, linkIn(first.mail).claim)))
  server.clock.advance(seconds(1))
  // Attack: an attacker who has only the password requests one reset after another, to cancel the owner's.
  const attacker = server.openBrowser({ address: '198.51.100.7' })
  expect((await attacker.call(routes.resetOTP, otp)).tag).toBe('AuthRequiresFactorReset')
  expect((await verify(await codeAt(secret, server.clock.at), server.openBrowser())).tag).toBe('AuthSuccessful')
})

test('MF-04: opening the link of a newer reset ends the new factor of the older one', async () => {
  const { server, browser, verify } = await startEnrolled()
  const first = await askForReset(server, browser)
  const older = secretOf(offered(await browser.call(routes.newFactor, linkIn(first.mail).claim)))
  server.clock.advance(seconds(1))
  const second = await askForReset(server, browser)
  const newer = secretOf(offered(await browser.call(routes.newFactor, linkIn(second.mail).claim)))
  expect(await verify(await codeAt(older, server.clock.at))).toEqual(invalidCode('Pending'))
  expect((await verify(await codeAt(newer, server.clock.at))).tag).toBe('AuthSuccessful')
})
