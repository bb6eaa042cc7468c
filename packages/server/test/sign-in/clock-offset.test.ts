import { plainPages as at, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { hours, seconds } from '../../src/limits.ts'
import { codeAt, offered, secretOf } from '../support/authenticator.ts'
import { ada } from '../support/harness.ts'
import { invalidCode, otp, startEnrolled, startWithAda } from '../support/second-factor-users.ts'

const steps = (count: number) => count * seconds(30)

/** Ada's authenticator app. `send` and `sendNext` take the error of its clock in steps. */
const startWithClock = async () => {
  const user = await startEnrolled()
  user.server.clock.advance(hours(2))
  const send = async (offset: number, browser = user.browser) =>
    user.verify(await codeAt(user.secret, user.server.clock.at + steps(offset)), browser)
  /** Sends the next code of the app. */
  const sendNext = async (offset: number) => {
    user.server.clock.advance(steps(1))
    return send(offset)
  }
  const lastStep = async () =>
    (await user.server.db.selectFrom('totp_bindings').select('factorTOTPBindingLastStep').executeTakeFirstOrThrow())
      .factorTOTPBindingLastStep
  const results = async () =>
    (await user.server.db.selectFrom('audit').select('auditResult').orderBy('auditAt').execute()).map(row => row.auditResult)
  return { ...user, send, sendNext, lastStep, results }
}

const withOffset = (status: 'Pending' | 'Denied', clockOffset: number) => {
  const { tag, contents } = invalidCode(status)
  return { tag, contents: { ...contents, contents: { ...contents.contents, clockOffset } } }
}

test.each([
  [-20, -600],
  [-6, -180],
  [-2, -60],
  [2, 60],
  [20, 600],
])('TP-02: refuses two consecutive codes off by %i steps, and reports the clock’s error with the second', async (offset, difference) => {
  const { server, userId, sendNext, lastStep, results } = await startWithClock()
  const before = await lastStep()
  expect(await sendNext(offset)).toEqual(invalidCode('Pending'))
  expect(await sendNext(offset)).toEqual(withOffset('Pending', difference))
  expect(await lastStep()).toBe(before)
  expect(await server.db.selectFrom('failed_codes').select(['failedCodeUser', 'failedCodeAttempts']).execute()).toEqual([
    { failedCodeUser: userId, failedCodeAttempts: 2 },
  ])
  const minutes = Math.abs(difference) / 60
  expect((await results()).slice(-2)).toEqual(['wrong-code', `wrong-code: clock-${offset < 0 ? 'behind' : 'ahead'}: ${minutes} min`])
})

test('TP-02: reports no clock error for a code 21 steps away, for another offset, after a wrong code in between, or for the same code again', async () => {
  const { server, send, sendNext, wrongCode, verify } = await startWithClock()
  const pending = invalidCode('Pending')
  const clear = () => server.db.deleteFrom('failed_codes').execute()
  for (const offset of [-21, -21, -6, -7]) expect(await sendNext(offset)).toEqual(pending)
  await clear()
  expect(await sendNext(-6)).toEqual(pending)
  expect(await send(-6), 'the same code again').toEqual(pending)
  expect(await verify(await wrongCode())).toEqual(pending)
  expect(await sendNext(-6)).toEqual(pending)
  await clear()
  expect(await sendNext(5)).toEqual(pending)
  expect((await sendNext(0)).tag).toBe('AuthSuccessful')
  expect(await sendNext(5), 'after a right code').toEqual(pending)
})

test('TH-08: a code with a matching offset counts as wrong: the fifth starts the pause, and during the pause no offset is reported', async () => {
  const { sendNext, code, verify } = await startWithClock()
  expect(await sendNext(-6)).toEqual(invalidCode('Pending'))
  for (let i = 2; i <= 4; i++) expect(await sendNext(-6)).toEqual(withOffset('Pending', -180))
  expect(await sendNext(-6)).toEqual(withOffset('Denied', -180))
  expect(await sendNext(-6)).toEqual(invalidCode('Denied'))
  expect(await verify(await code())).toEqual(invalidCode('Denied'))
})

test('TH-12: without the right password, codes with a matching offset get the answer for a wrong password', async () => {
  const { server, secret, sendNext, browser } = await startWithClock()
  await sendNext(-6)
  await sendNext(-6)
  server.clock.advance(steps(1))
  const otpVerification = await codeAt(secret, server.clock.at + steps(-6))
  const answer = await browser.send('POST', routes.verifyOTP.path, { ...otp, otpPassword: 'wrong horse', otpVerification })
  expect(answer.body).toBe('{"tag":"AuthFailureFailedLogin"}')
})

test('reports a wrong clock during factor set-up', async () => {
  const { server } = await startWithAda()
  const browser = server.openBrowser()
  const factor = offered(await browser.signIn())
  const setUp = async () => {
    server.clock.advance(steps(1))
    const otpVerification = await codeAt(secretOf(factor), server.clock.at + steps(4))
    return browser.call(routes.setupOTP, { ...otp, otpVerification, otpFactorUUID: factor.factorUUID })
  }
  const wrong = { status: 'Unverified', reason: { tag: 'InvalidCode' } }
  expect(await setUp()).toEqual({ tag: 'AuthFailureFactorError', contents: { tag: 'VerifyTOTPFactorError', contents: wrong } })
  const told = { tag: 'VerifyTOTPFactorError', contents: { ...wrong, clockOffset: 120 } }
  expect(await setUp()).toEqual({ tag: 'AuthFailureFactorError', contents: told })
})

test('without JavaScript, the page says once that the clock is wrong', async () => {
  const { server, secret } = await startWithClock()
  const browser = server.openBrowser()
  await browser.submit(at.login, ada)
  const page = async () => (await browser.get(at.secondFactor, { accept: 'text/html' })).body
  const shown: string[] = []
  for (let i = 0; i < 2; i++) {
    server.clock.advance(steps(1))
    const otp = String(await codeAt(secret, server.clock.at + steps(-6))).padStart(6, '0')
    expect((await browser.submit(at.secondFactor, { otp })).statusCode).toBe(303)
    shown.push(await page())
  }
  for (const body of shown) expect(body).toContain('Invalid code')
  expect(shown.map(body => body.includes('clock is about 3 minutes behind'))).toEqual([false, true])
  expect(await page()).not.toContain('3 minutes behind')
})
