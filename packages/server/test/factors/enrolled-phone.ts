import { routes } from '@gatehouse/wire'
import { seconds } from '../../src/limits.ts'
import { enroll, otpOf } from '../support/authenticator.ts'
import { ada, type Browser, startServer } from '../support/harness.ts'
import { enrollDevice } from './device.ts'

export const factorError = (contents: object) => ({ tag: 'AuthFailureFactorError', contents })
export const noApproval = factorError({ tag: 'DatabaseError', contents: { tag: 'NoApprovedChallenges' } })
export const denied = { challengeStatus: 'Denied', challengeRespondedReason: { tag: 'InvalidCode' } }
export const approved = { challengeStatus: 'Approved', challengeRespondedReason: { tag: 'ReasonNone' } }

/** Ada with an authenticator and a device, and half a minute gone by. */
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
  /** How often the devices were asked. */
  const pushes = async () =>
    (await server.db.selectFrom('challenges').selectAll().where('challengeFactorType', '=', 'Push').execute()).filter(
      challenge => challenge.challengeEnrols === 0,
    ).length
  return { server, computer, secret, authenticator: factorUUID, phone, verified, tryCode, attempts, pushes }
}
