import { accountRoutes, administrationRoutes, pushRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { seconds } from '../../src/limits.ts'
import { mailedLink } from '../credentials/mailed-link.ts'
import { codeAt, enroll, otpOf } from '../support/authenticator.ts'
import { ada, admin, isSignedIn } from '../support/harness.ts'
import { enrollDevice, pushRequest, requestApproval, signInByApproval, status } from './device.ts'
import { approved, factorError, noApproval, startWithDevice } from './enrolled-phone.ts'

test('enrolls a phone by its link and a first approval; each later approval signs in one browser, once', async () => {
  const { server, computer, phone, verified } = await startWithDevice()
  expect(verified).toEqual({ tag: 'Verified' })
  expect(phone.enrolled).toMatchObject({ username: ada.username, origin: 'http://localhost:8080', productName: 'Gatehouse' })
  const { factors } = await computer.call(accountRoutes.userAccount, {})
  expect(factors.map(factor => [factor.factorFriendlyName, factor.factorFactorType])).toEqual([
    ['Authenticator app', 'TOTP'],
    ['Phone', 'Push'],
  ])
  const browser = server.openBrowser()
  expect(await browser.signIn()).toEqual({ tag: 'AuthRequires2FA', contents: { factorTypes: ['Push', 'TOTP'] } })
  const asked = await requestApproval(browser)
  expect(await status(browser)).toEqual(['Pending', 'ReasonNone'])
  expect(await signInByApproval(browser)).toEqual(noApproval)
  const { pending } = await phone.pending()
  expect(pending).toMatchObject({ challengeUUID: asked.challengeUUID, username: ada.username, isEnrolment: false })
  expect(await phone.answer(asked.challengeUUID, 'Approve', asked.challengeNumber)).toMatchObject(approved)
  expect(await status(browser)).toEqual(['Approved', 'ReasonNone'])
  const signedIn = await signInByApproval(browser)
  if (signedIn.tag !== 'AuthSuccessful') throw new Error(signedIn.tag)
  await browser.call(routes.plowlogin, signedIn.contents)
  expect(await isSignedIn(browser)).toBe(true)
  expect(await signInByApproval(browser)).toEqual(noApproval)
  expect((await phone.pending()).pending).toBeNull()
  const sessions = await server.db.selectFrom('sessions').select('sessionFactor').execute()
  expect(sessions.map(row => row.sessionFactor)).toEqual(['Push', 'Push'])
})

test('a one-time code or a recovery code ends the phone approval in progress', async () => {
  const { server, phone, secret, tryCode, computer } = await startWithDevice()
  const browser = server.openBrowser()
  const first = await requestApproval(browser)
  await tryCode(browser, ((await codeAt(secret, server.clock.at)) + 1) % 1_000_000)
  expect(await status(browser)).toEqual(['Denied', 'NotNeeded'])
  expect(await phone.answer(first.challengeUUID, 'Approve', first.challengeNumber)).toMatchObject({ challengeStatus: 'Denied' })
  await requestApproval(browser)
  const { recoveryCodes } = await computer.call(accountRoutes.userRecoveryCodes, {})
  expect((await browser.call(routes.recoveryCode, { ...otpOf(ada), otpRecoveryCode: recoveryCodes[0] ?? '' })).tag).toBe('AuthSuccessful')
  expect((await phone.pending()).pending).toBeNull()
})

test('after a one-time link a phone approval completes the sign-in and uses the ticket up; a lockout allows no approval request', async () => {
  const { server, phone, pushes } = await startWithDevice()
  const visitor = server.openBrowser()
  await visitor.call(routes.magiclinkSend, [{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }])
  const outcome = await visitor.call(routes.magiclinkRedeem, mailedLink(await server.deliver(), 'one-time-link'))
  expect(outcome).toEqual({ tag: 'AuthRequires2FA', contents: { factorTypes: ['Push', 'TOTP'] } })
  const nobody = { username: '', password: '' }
  const asked = await requestApproval(visitor, nobody)
  await phone.answer(asked.challengeUUID, 'Approve', asked.challengeNumber)
  // Another ticket does not work, neither in another browser nor in this one.
  const ticket = visitor.jar.get('gatehouse-ticket') ?? ''
  server.clock.advance(seconds(1))
  await visitor.call(routes.magiclinkSend, [{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }])
  expect((await visitor.call(routes.magiclinkRedeem, mailedLink(await server.deliver(), 'one-time-link'))).tag).toBe('AuthRequires2FA')
  expect(await signInByApproval(visitor, nobody)).toEqual(noApproval)
  visitor.jar.set('gatehouse-ticket', ticket)
  expect(await signInByApproval(server.openBrowser(), nobody)).toEqual({ tag: 'AuthFailureFailedLogin' })
  expect((await signInByApproval(visitor, nobody)).tag).toBe('AuthSuccessful')
  expect(visitor.jar.has('gatehouse-ticket')).toBe(false)
  expect(await visitor.call(pushRoutes.pushChallenge, pushRequest(nobody))).toEqual({ tag: 'AuthFailureFailedLogin' })

  const stranger = server.openBrowser()
  for (let i = 0; i < 11; i++) await stranger.signIn({ ...ada, password: 'wrong password wrong' })
  expect(await stranger.call(pushRoutes.pushChallenge, pushRequest())).toEqual({ tag: 'AuthFailureFailedLogin' })
  expect(await pushes()).toBe(1)
})

test('refuses a code for a phone, and names both factor types if the request named the phone', async () => {
  const { server, computer, phone, authenticator, attempts } = await startWithDevice()
  const contents = [phone.factorUUID, 'Push', 'TOTP']
  const mismatch = { tag: 'DatabaseError', contents: { tag: 'FactorTypeMismatch', contents } }
  const otp = { ...otpOf(ada), otpVerification: 123_456 }
  expect(await server.openBrowser().call(routes.verifyOTP, { ...otp, otpFactorUUID: phone.factorUUID })).toEqual(factorError(mismatch))
  const response = await computer.send('POST', accountRoutes.userFactorVerify.path, {
    verifyTOTPFactorRequestFactorUUID: phone.factorUUID,
    verifyTOTPFactorRequestCode: 123_456,
  })
  expect([response.statusCode, response.json()]).toEqual([409, { 'typed-error': mismatch }])

  await computer.call(accountRoutes.userFactorRemove, { factorUUID: authenticator })
  const browser = server.openBrowser()
  expect(await browser.signIn()).toEqual({ tag: 'AuthRequires2FA', contents: { factorTypes: ['Push'] } })
  expect(await browser.call(routes.verifyOTP, otp)).toEqual(
    factorError({ tag: 'TOTPError', contents: { status: 'Denied', reason: { tag: 'WrongFactorType', contents: 'Push' } } }),
  )
  expect(await attempts()).toBe(0)
  const asked = await requestApproval(browser)
  await phone.answer(asked.challengeUUID, 'Approve', asked.challengeNumber)
  expect((await signInByApproval(browser)).tag).toBe('AuthSuccessful')
})

test('requests no approval for a user without a phone, or for one who must reset the password first', async () => {
  const { server } = await startWithDevice()
  await server.addUser(admin)
  const browser = server.openBrowser()
  expect(await browser.call(pushRoutes.pushChallenge, pushRequest(admin))).toEqual(
    factorError({ tag: 'DatabaseError', contents: { tag: 'NoVerifiedFactors' } }),
  )
  expect((await browser.send('POST', pushRoutes.pushStatus.path, {})).statusCode).toBe(410)
  await server.db.updateTable('users').set({ userForcedReset: 1 }).where('userIdent', '=', ada.username).execute()
  expect(await browser.call(pushRoutes.pushChallenge, pushRequest())).toEqual({ tag: 'AuthFailureForcedReset' })
})

test('either of two phones can answer; a removed phone gets 410, and its pending approval no longer works', async () => {
  const { server, computer, phone } = await startWithDevice()
  await server.addUser(admin)
  const tablet = await enrollDevice(computer, server.openBrowser(), server.config.publicUrl.origin, { name: 'Tablet' })
  await tablet.verify()
  const browser = server.openBrowser()
  const first = await requestApproval(browser)
  expect([(await phone.pending()).pending, (await tablet.pending()).pending]).toEqual([
    expect.objectContaining({ challengeUUID: first.challengeUUID }),
    expect.objectContaining({ challengeUUID: first.challengeUUID }),
  ])
  await tablet.answer(first.challengeUUID, 'Approve', first.challengeNumber)
  expect((await phone.pending()).pending).toBeNull()
  expect((await signInByApproval(browser)).tag).toBe('AuthSuccessful')

  const second = await requestApproval(browser)
  const administrator = server.openBrowser()
  await enroll(administrator, server.clock, admin)
  const detail = await administrator.call(administrationRoutes.user, { userId: phone.userId })
  expect(detail.factors.map(factor => factor.factorFactorType)).toEqual(['TOTP', 'Push', 'Push'])
  await administrator.call(administrationRoutes.removeFactor, { userId: phone.userId, factorUUID: phone.factorUUID })
  await expect(phone.pending()).rejects.toThrow('410')
  const late = await phone.device.answer({ ...phone, challengeUUID: second.challengeUUID }, 'Approve', second.challengeNumber)
  expect((await phone.send(late)).statusCode).toBe(410)
  expect(await signInByApproval(browser)).toEqual(noApproval)
})
