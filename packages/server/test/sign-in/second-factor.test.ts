import { randomUUID } from 'node:crypto'
import { routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { minutes } from '../../src/limits.ts'
import { addAuthenticator, enroll } from '../support/authenticator.ts'
import { startServer } from '../support/harness.ts'
import { databaseError, failed, otp, skippable, startEnrolled, startWithAda } from '../support/second-factor-users.ts'

test('a reset forced during a code check applies to that call', async () => {
  let meanwhile = async () => {}
  const { server, browser, code, verify } = await startEnrolled({ ...skippable, afterVerify: () => meanwhile() })
  const right = await code()
  meanwhile = async () => void (await server.db.updateTable('users').set({ userForcedReset: 1 }).execute())
  expect(await verify(right, browser)).toEqual({ tag: 'AuthFailureForcedReset' })
})

test('LG-01, TH-15: audits a right password even if the code is missing', async () => {
  const { server, browser } = await startEnrolled()
  const results = async () => (await server.db.selectFrom('audit').select('auditResult').execute()).map(row => row.auditResult)
  await browser.call(routes.verifyOTP, otp)
  expect(await results()).toContain('no-code')
  await browser.call(routes.verifyOTP, { ...otp, otpVerification: 1, otpFactorUUID: randomUUID() })
  expect(await results()).toContain('unknown-factor')
})

test('MF-07: no step can be skipped', async () => {
  const { server, browser, code } = await startEnrolled()
  const visitor = server.openBrowser()
  expect(await visitor.call(routes.verifyOTP, { ...otp, otpPassword: '', otpVerification: await code() })).toEqual(failed)
  expect(await visitor.call(routes.verifyOTP, { ...otp, otpPassword: 'x', otpVerification: await code() })).toEqual(failed)
  expect(await browser.call(routes.verifyOTP, otp)).toEqual(databaseError({ tag: 'NoApprovedChallenges' }))
  for (const { path } of [routes.verifyOTP, routes.setupOTP, routes.resetOTP, routes.recoveryCode]) {
    for (const body of [{}, [], null, '']) expect((await visitor.send('POST', path, body)).statusCode).toBe(400)
  }
  visitor.jar.set('gatehouse-ticket', 'made.up')
  const ticketed = { otpUsername: '', otpPassword: '', otpVerification: await code() }
  expect(await visitor.call(routes.verifyOTP, ticketed)).toEqual(failed)
})

test('MF-09: accepts only the user’s own factors; another user’s factor gets the same answer as an unknown one', async () => {
  const { server, browser, code } = await startEnrolled()
  const grace = { username: 'grace@example.com', password: 'another horse battery' }
  await server.addUser(grace)
  const graces = await enroll(server.openBrowser(), server.clock, grace)
  const unknown = randomUUID()
  for (const otpFactorUUID of [graces.factorUUID, unknown]) {
    const answer = await browser.call(routes.verifyOTP, { ...otp, otpVerification: await code(), otpFactorUUID })
    expect(answer).toEqual(databaseError({ tag: 'MissingFactorByFactorUUID', contents: otpFactorUUID }))
  }
})

test('wrong codes after the correct password do not lock the password', async () => {
  const { server, browser, wrongCode, verify } = await startEnrolled()
  for (let i = 0; i < 12; i++) await verify(await wrongCode())
  expect(await server.db.selectFrom('failed_logins').selectAll().execute()).toEqual([])
  expect(await browser.signIn()).toEqual({ tag: 'AuthRequires2FA' })
})

test('a user without a second factor can neither verify nor reset one', async () => {
  const { server } = await startWithAda()
  const browser = server.openBrowser()
  const none = databaseError({ tag: 'NoVerifiedFactors' })
  expect(await browser.call(routes.verifyOTP, { ...otp, otpVerification: 1 })).toEqual(none)
  expect(await browser.call(routes.resetOTP, otp)).toEqual(none)
  expect(await browser.call(routes.recoveryCode, { ...otp, otpRecoveryCode: 'abcd' })).toEqual(none)
})

test('reports a verified factor whose secret is missing', async () => {
  const { server, code, verify } = await startEnrolled()
  await server.db.deleteFrom('totp_bindings').execute()
  expect(await verify(await code())).toEqual({
    tag: 'AuthFailureFactorError',
    contents: { tag: 'TOTPError', contents: { status: 'Denied', reason: { tag: 'MissingSecret' } } },
  })
})

test('keeps one challenge open: denies it at the next sign-in, expires it after ten minutes, and approves it after the right code', async () => {
  const { server, browser, code, wrongCode, verify } = await startEnrolled()
  const rows = () =>
    server.db.selectFrom('challenges').select(['challengeStatus', 'challengeRespondedReason']).orderBy('challengeDateCreated').execute()
  await browser.signIn()
  server.clock.advance(1000)
  await browser.signIn()
  server.clock.advance(minutes(10))
  await browser.signIn()
  await verify(await wrongCode())
  expect(await rows()).toEqual([
    { challengeStatus: 'Denied', challengeRespondedReason: 'NotNeeded' },
    { challengeStatus: 'Expired', challengeRespondedReason: 'ReasonNone' },
    { challengeStatus: 'Pending', challengeRespondedReason: 'InvalidCode' },
  ])
  await verify(await code())
  expect((await rows()).at(-1)).toEqual({ challengeStatus: 'Approved', challengeRespondedReason: 'ReasonNone' })
})

test('a forced reset precedes any second factor in every call', async () => {
  const { server, browser, code } = await startEnrolled()
  await server.db.updateTable('users').set({ userForcedReset: 1 }).execute()
  const forced = { tag: 'AuthFailureForcedReset' }
  expect(await browser.signIn()).toEqual(forced)
  expect(await browser.call(routes.verifyOTP, { ...otp, otpVerification: await code() })).toEqual(forced)
  expect(await browser.call(routes.setupOTP, { ...otp, otpFactorUUID: randomUUID() })).toEqual(forced)
  expect(await browser.call(routes.resetOTP, otp)).toEqual(forced)
  expect(await browser.call(routes.recoveryCode, { ...otp, otpRecoveryCode: 'abcd' })).toEqual(forced)
  expect(await browser.call(routes.verifyOTP, { ...otp, otpPassword: 'wrong', otpVerification: 1 })).toEqual(failed)
})

test('TH-07, A21: a lockout of the password also applies to codes, set-up, reset and recovery codes', async () => {
  const { server, code, factorUUID } = await startEnrolled()
  const visitor = server.openBrowser()
  for (let i = 0; i < 10; i++) {
    const bodies = [
      () => visitor.call(routes.verifyOTP, { ...otp, otpPassword: 'wrong', otpVerification: 1 }),
      () => visitor.call(routes.setupOTP, { ...otp, otpPassword: 'wrong', otpFactorUUID: factorUUID }),
      () => visitor.call(routes.resetOTP, { ...otp, otpPassword: 'wrong' }),
      () => visitor.call(routes.recoveryCode, { ...otp, otpPassword: 'wrong', otpRecoveryCode: 'x' }),
    ]
    expect(await bodies[i % 4]?.()).toEqual(failed)
  }
  expect(await visitor.signIn()).toEqual(failed)
  expect(await visitor.call(routes.verifyOTP, { ...otp, otpVerification: await code() })).toEqual(failed)
  expect(await visitor.call(routes.setupOTP, { ...otp, otpFactorUUID: factorUUID })).toEqual(failed)
  expect(await visitor.call(routes.resetOTP, otp)).toEqual(failed)
  expect(await visitor.call(routes.recoveryCode, { ...otp, otpRecoveryCode: 'x' })).toEqual(failed)
})

test('with second factors off, the password alone signs in; a user who has a second factor needs it under every policy', async () => {
  for (const policy of ['skippable', 'required', 'phishing-resistant', 'phishing-resistant-administrators']) {
    const { server } = await startEnrolled({ env: { GATEHOUSE_SECOND_FACTOR: policy } })
    expect([policy, await server.openBrowser().signIn()]).toEqual([policy, { tag: 'AuthRequires2FA' }])
  }
  const off = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'off' } })
  await off.addUser()
  expect((await off.openBrowser().signIn()).tag).toBe('AuthSuccessful')
  const browser = off.openBrowser()
  await browser.enter()
  await addAuthenticator(browser, off.clock)
  expect(await off.openBrowser().signIn()).toEqual({ tag: 'AuthRequires2FA' })
})
