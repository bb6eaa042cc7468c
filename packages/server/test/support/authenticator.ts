import type { AuthOutcome, Factor } from '@gatehouse/wire'
import { accountRoutes, routes } from '@gatehouse/wire'
import { TOTP } from 'totp-generator'
import { ada, type Browser } from './harness.ts'

/** The code an authenticator app shows, computed by a second implementation of RFC 6238. */
export const codeAt = async (secret: string, at: number): Promise<number> => Number((await TOTP.generate(secret, { timestamp: at })).otp)

export const secretOf = (factor: Factor): string => {
  if (factor.factorBinding?.tag !== 'TOTPBinding') throw new Error('the factor has no secret')
  return factor.factorBinding.contents.factorTOTPBindingSecret
}

/** The factor that a sign-in offers for set-up. */
export const offered = (outcome: AuthOutcome): Factor => {
  if (outcome.tag !== 'AuthRequiresFactorCreation') throw new Error(`expected a factor, got ${outcome.tag}`)
  return outcome.contents
}

export const otpOf = (user: { username: string; password: string }) => ({ otpUsername: user.username, otpPassword: user.password })

/** Signs in, enrolls an authenticator, and starts a session. Advance the clock before using another code: each code works once. */
export const enroll = async (browser: Browser, clock: { at: number }, user = ada) => {
  const factor = offered(await browser.signIn(user))
  const secret = secretOf(factor)
  const otpVerification = await codeAt(secret, clock.at)
  const outcome = await browser.call(routes.setupOTP, { ...otpOf(user), otpVerification, otpFactorUUID: factor.factorUUID })
  if (outcome.tag !== 'AuthSuccessful') throw new Error(`setting up gave ${outcome.tag}`)
  await browser.call(routes.loginWithToken, {
    authTokenSelector: outcome.contents.authTokenSelector,
    authTokenToken: outcome.contents.authTokenToken,
  })
  return { secret, factorUUID: factor.factorUUID }
}

/** Adds an authenticator on the account page of a signed-in user. Advance the clock before using another code: each code works once. */
export const addAuthenticator = async (browser: Browser, clock: { at: number }, user = ada) => {
  const factor = await browser.call(accountRoutes.userFactorAdd, {
    factorCreationRequestIdentity: user.username,
    factorCreationRequestFriendlyName: 'App',
    factorCreationRequestFactorType: 'TOTP',
  })
  const secret = secretOf(factor)
  await browser.call(accountRoutes.userFactorVerify, {
    verifyTOTPFactorRequestFactorUUID: factor.factorUUID,
    verifyTOTPFactorRequestCode: await codeAt(secret, clock.at),
  })
  return { secret, factorUUID: factor.factorUUID }
}
