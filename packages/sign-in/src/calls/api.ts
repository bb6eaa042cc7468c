import {
  type AuthenticationRequest,
  type AuthToken,
  encode,
  type LoginRequest,
  type MagicLinkRequest,
  type OTPRequest,
  type PasswordResetRequest,
  type RecoveryCodeRequest,
  routes,
} from '@gatehouse/wire'
import type { Config } from '../config.ts'
import { postJson, postJsonPatiently, postJsonVoid } from './request.ts'

export { verifyErrorText } from '@gatehouse/wire'
export { warnOfPageOrigin } from './page-origin.ts'
export type { Failure, Reply } from './request.ts'

/** How the product's calls are made: those that are answered, also by a busy server, and those whose answer is left unread. */
export const createCalls = ({ baseUrl }: Pick<Config, 'baseUrl'>) => ({
  ask: postJson(baseUrl),
  askPatiently: postJsonPatiently(baseUrl),
  tell: postJsonVoid(baseUrl),
})

/**
 * The product's calls as one object (§7). Every call resolves to a {@link Reply} and never rejects; the optional signal
 * calls it off.
 */
export const createApi = (config: Pick<Config, 'baseUrl'>) => {
  const { ask, askPatiently, tell } = createCalls(config)
  return {
    /** Signs in with username and password, as far as those two go. */
    getAuthTokenWithError: (login: LoginRequest, signal?: AbortSignal) =>
      askPatiently(routes.getAuthTokenWithError.path, login, routes.getAuthTokenWithError.response, signal),

    /** Starts the session of a hand-over code after a sign-in with password. */
    plowlogin: (token: AuthToken, signal?: AbortSignal) => tell(routes.plowlogin.path, token, signal),

    /** Starts the session of a hand-over code after a second factor. Sends selector and token and nothing else. */
    loginWithToken: ({ authTokenSelector, authTokenToken }: AuthenticationRequest, signal?: AbortSignal) =>
      tell(routes.loginWithToken.path, { authTokenSelector, authTokenToken }, signal),

    /** Verifies a code of the factor that is set up. */
    verifyOTP: (otp: OTPRequest, signal?: AbortSignal) => askPatiently(routes.verifyOTP.path, otp, routes.verifyOTP.response, signal),

    /** Verifies the first code of a new factor; without a code, skips setting it up. */
    setupOTP: (otp: OTPRequest, signal?: AbortSignal) => askPatiently(routes.setupOTP.path, otp, routes.setupOTP.response, signal),

    /** Verifies a recovery code in place of a code of the factor. */
    recoveryCode: (request: RecoveryCodeRequest, signal?: AbortSignal) =>
      askPatiently(routes.recoveryCode.path, request, routes.recoveryCode.response, signal),

    /** Asks for the mail that leads to a new factor. */
    resetOTP: (otp: OTPRequest, signal?: AbortSignal) => askPatiently(routes.resetOTP.path, otp, routes.resetOTP.response, signal),

    /** Asks for the mail that leads to a new password. */
    sendPasswordResetEmail: (request: PasswordResetRequest, signal?: AbortSignal) =>
      tell(routes.sendPasswordResetEmail.path, encode(routes.sendPasswordResetEmail.request, request), signal),

    /** Asks for one-time links by mail. */
    magiclinkSend: (requests: MagicLinkRequest[], signal?: AbortSignal) =>
      ask(routes.magiclinkSend.path, requests, routes.magiclinkSend.response, signal),

    /** Ends the session of this browser. */
    logoutBySelf: (signal?: AbortSignal) => ask(routes.logoutBySelf.path, {}, routes.logoutBySelf.response, signal),
  }
}

/** The calls that the pages make; a test hands in its own. */
export type Api = ReturnType<typeof createApi>
