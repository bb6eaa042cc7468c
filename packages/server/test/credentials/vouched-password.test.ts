import { accountRoutes, plainPages as at, type OTPRequest, pushRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { limits, seconds } from '../../src/limits.ts'
import { enrollDevice } from '../factors/device.ts'
import { linkIdentity, signInAtProvider, startWithProvider } from '../sso/sso-sign-in.ts'
import { codeAt, enroll } from '../support/authenticator.ts'
import { ada, startServer } from '../support/harness.ts'
import { otp, startEnrolled } from '../support/second-factor-users.ts'
import { codeByTicket, mailed, openOneTimeLink, recoveryCodeByTicket, resetByMail, resetSendsLink } from './mailed-password.ts'

const typed: OTPRequest = { ...otp, otpPassword: mailed.password }

/** Ada has an authenticator and recovery codes. An attacker who reads her mailbox then resets her password. */
const startAttacked = async () => {
  const started = await startEnrolled()
  const { recoveryCodes } = await started.browser.call(accountRoutes.userRecoveryCodes, {})
  await resetByMail(started.server)
  expect(await resetSendsLink(started.server)).toBe(false)
  const [recoveryCode = ''] = recoveryCodes
  return { ...started, recoveryCode }
}

test('MF-11: a one-time link and a code do not vouch for a mailed password', async () => {
  const { server, code } = await startAttacked()
  const owner = server.openBrowser()
  await openOneTimeLink(server, owner)
  expect((await codeByTicket(owner, await code())).tag).toBe('AuthSuccessful')
  expect(await resetSendsLink(server)).toBe(false)
})

test('MF-11: a one-time link and a recovery code do not vouch for a mailed password', async () => {
  const { server, recoveryCode } = await startAttacked()
  const owner = server.openBrowser()
  await openOneTimeLink(server, owner)
  expect((await recoveryCodeByTicket(owner, recoveryCode)).tag).toBe('AuthSuccessful')
  expect(await resetSendsLink(server)).toBe(false)
})

test('MF-11: single sign-on and a code do not vouch for a mailed password', async () => {
  const { idp, server } = await startWithProvider({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  await server.addUser()
  const before = server.openBrowser()
  const { secret } = await enroll(before, server.clock)
  await linkIdentity(before, idp)
  server.clock.advance(seconds(30))
  await resetByMail(server)
  const owner = server.openBrowser()
  await signInAtProvider(owner, idp)
  expect((await codeByTicket(owner, await codeAt(secret, server.clock.at))).tag).toBe('AuthSuccessful')
  expect(await resetSendsLink(server)).toBe(false)
})

test('MF-11: a phone approval vouches for a mailed password only if the user typed it in that sign-in', async () => {
  const { server, code, verify } = await startEnrolled()
  const computer = server.openBrowser()
  const outcome = await verify(await code(), computer)
  if (outcome.tag === 'AuthSuccessful') await computer.call(routes.plowlogin, outcome.contents)
  const phone = await enrollDevice(computer, server.openBrowser(), 'http://localhost:8080')
  await phone.verify()
  await resetByMail(server)
  const approve = async (asks: ReturnType<typeof server.openBrowser>, request: OTPRequest) => {
    const asked = await asks.call(pushRoutes.pushChallenge, request)
    if (asked.tag !== 'PushChallengeOpened') throw new Error(asked.tag)
    await phone.answer(asked.contents.challengeUUID, 'Approve', asked.contents.challengeNumber)
    expect((await asks.call(routes.verifyOTP, request)).tag).toBe('AuthSuccessful')
  }
  const owner = server.openBrowser()
  await openOneTimeLink(server, owner)
  await approve(owner, { otpUsername: '', otpPassword: '' })
  expect(await resetSendsLink(server)).toBe(false)
  await approve(server.openBrowser(), typed)
  expect(await resetSendsLink(server)).toBe(true)
})

test('MF-11: typing a mailed password with a code vouches for it', async () => {
  const { server, code } = await startAttacked()
  expect((await server.openBrowser().call(routes.verifyOTP, { ...typed, otpVerification: await code() })).tag).toBe('AuthSuccessful')
  expect(await resetSendsLink(server)).toBe(true)
})

test('MF-11: typing a mailed password with a recovery code vouches for it, so the server sends a factor reset link', async () => {
  const { server, recoveryCode } = await startAttacked()
  const owner = server.openBrowser()
  expect((await owner.call(routes.recoveryCode, { ...typed, otpRecoveryCode: recoveryCode })).tag).toBe('AuthSuccessful')
  expect(await resetSendsLink(server)).toBe(true)
})

test('MF-11: without JavaScript, a code on the next page vouches for a mailed password typed on the login page', async () => {
  const { server, code } = await startAttacked()
  const owner = server.openBrowser()
  await owner.submit(at.login, mailed)
  await owner.submit(at.secondFactor, { otp: String(await code()).padStart(6, '0') })
  expect(await resetSendsLink(server)).toBe(true)
})

test('MF-11: a wrong code, an expired ticket or another user’s enrollment does not vouch for a mailed password', async () => {
  const { server, wrongCode, code } = await startAttacked()
  await server.openBrowser().call(routes.verifyOTP, { ...typed, otpVerification: await wrongCode() })
  const late = server.openBrowser()
  await late.submit(at.login, mailed)
  server.clock.advance(limits.ticket.lifetime)
  await late.submit(at.secondFactor, { otp: String(await code()).padStart(6, '0') })
  const grace = { username: 'grace@example.com', password: 'another horse battery' }
  await server.addUser(grace)
  await enroll(server.openBrowser(), server.clock, grace)
  expect(await resetSendsLink(server)).toBe(false)
})

test('MF-11: setting up the first second factor after a one-time link does not vouch for a mailed password', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'required' } })
  await server.addUser()
  await resetByMail(server)
  const owner = server.openBrowser()
  const offered = await openOneTimeLink(server, owner)
  if (offered.tag !== 'AuthRequiresFactorCreation') throw new Error(offered.tag)
  const { factorUUID, factorBinding } = offered.contents
  const secret = factorBinding?.tag === 'TOTPBinding' ? factorBinding.contents.factorTOTPBindingSecret : ''
  const first = { otpUsername: '', otpPassword: '', otpFactorUUID: factorUUID, otpVerification: await codeAt(secret, server.clock.at) }
  expect((await owner.call(routes.setupOTP, first)).tag).toBe('AuthSuccessful')
  expect(await resetSendsLink(server)).toBe(false)
  expect(await resetSendsLink(server, ada)).toBe(false)
})
