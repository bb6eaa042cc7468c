import { routes } from '@gatehouse/wire'
import { seconds } from '../../src/limits.ts'
import { enroll, otpOf } from '../support/authenticator.ts'
import { ada, type Browser, startServer } from '../support/harness.ts'
import { enrollDevice } from './device.ts'

export const factorError = (contents: object) => ({ tag: 'AuthFailureFactorError', contents })
export const noApproval = factorError({ tag: 'DatabaseError', contents: { tag: 'NoApprovedChallenges' } })
export const denied = { challengeStatus: 'Denied', challengeRespondedReason: { tag: 'InvalidCode' } }
export const approved = { challengeStatus: 'Approved', challengeRespondedReason: { tag: 'ReasonNone' } }

/** A server on which Ada has an authenticator app and a phone. The code she used last is no longer the current one. */
export const startWithDevice = async (env = {}) => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable', ...env } })
  await server.addUser()
  const computer = server.openBrowser()
  const { secret, factorUUID } = await enroll(computer, server.clock)
  server.clock.advance(seconds(1))
  const phone = await enrollDevice(computer, server.openBrowser(), server.config.publicUrl.origin)
  const verified = await phone.verify()
  server.clock.advance(seconds(30))
  const tryCode = (browser: Browser, otpVerification: number) => browser.call(routes.verifyOTP, { ...otpOf(ada), otpVerification })
  const attempts = async () =>
    (await server.db.selectFrom('failed_codes').select('failedCodeAttempts').executeTakeFirst())?.failedCodeAttempts ?? 0
  /** How many approval requests reached the phones. */
  const pushes = async () =>
    (await server.db.selectFrom('challenges').selectAll().where('challengeFactorType', '=', 'Push').execute()).filter(
      challenge => challenge.challengeEnrols === 0,
    ).length
  return { server, computer, secret, authenticator: factorUUID, phone, verified, tryCode, attempts, pushes }
}
