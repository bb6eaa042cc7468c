import {
  type AuthenticationRequest,
  type AuthToken,
  encode,
  type LoginRequest,
  type MagicLinkRequest,
  type MailCodeRequest,
  type OTPRequest,
  type PasswordResetRequest,
  type RecoveryCodeRequest,
  routes,
} from '@gatehouse/wire'
import type { Config } from '../config.ts'
import { warnOfMissingServer } from './missing-server.ts'
import { postJson, postJsonVoid, postJsonWithRetry } from './request.ts'

export type { Failure, Reply } from './request.ts'

/**
 * Functions that make calls to a server: `post` decodes the reply, `postWithRetry` also tries again while the server is busy, and
 * `postVoid` does not read the reply.
 */
export const createCalls = ({ baseUrl }: Pick<Config, 'baseUrl'>) => ({
  post: postJson(baseUrl),
  postWithRetry: postJsonWithRetry(baseUrl),
  postVoid: postJsonVoid(baseUrl),
})

/**
 * The calls of the widget (§7). Every call resolves to a {@link Reply} and never rejects. The
 * optional signal aborts it.
 * @param options.passkeys whether the page handles passkeys. If not, the server leaves them out of
 * its replies.
 */
export const createApi = (config: Pick<Config, 'baseUrl'>, { passkeys = false }: { passkeys?: boolean } = {}) => {
  const { post, postWithRetry, postVoid } = createCalls(config)
  const page = passkeys && { passkeys }
  return {
    /** Signs in with username and password. The outcome may require a second factor. */
    getAuthTokenWithError: async (login: LoginRequest, signal?: AbortSignal) => {
      const { path, response } = routes.getAuthTokenWithError
      const reply = await postWithRetry(path, { ...login, ...page }, response, signal)
      if (!reply.ok) warnOfMissingServer(config, reply.failure)
      return reply
    },

    /** Exchanges a hand-over code for a session after a sign-in with a password. */
    plowlogin: (token: AuthToken, signal?: AbortSignal) => postVoid(routes.plowlogin.path, token, signal),

    /**
     * Exchanges a hand-over code for a session after a second factor. Sends only selector and
     * token.
     */
    loginWithToken: ({ authTokenSelector, authTokenToken }: AuthenticationRequest, signal?: AbortSignal) =>
      postVoid(routes.loginWithToken.path, { authTokenSelector, authTokenToken }, signal),

    /**
     * Exchanges a hand-over code for a session. Returns the address that the token page would have
     * opened.
     */
    handOver: ({ authTokenSelector, authTokenToken }: AuthenticationRequest, signal?: AbortSignal) =>
      post(routes.handOver.path, { authTokenSelector, authTokenToken }, routes.handOver.response, signal),

    /** Verifies a code from the user's authenticator app. */
    verifyOTP: (otp: OTPRequest, signal?: AbortSignal) =>
      postWithRetry(routes.verifyOTP.path, { ...otp, ...page }, routes.verifyOTP.response, signal),

    /** Verifies the first code of a new factor. Without a code, skips its set-up. */
    setupOTP: (otp: OTPRequest, signal?: AbortSignal) =>
      postWithRetry(routes.setupOTP.path, { ...otp, ...page }, routes.setupOTP.response, signal),

    /** Verifies a recovery code instead of a code from the authenticator app. */
    recoveryCode: (request: RecoveryCodeRequest, signal?: AbortSignal) =>
      postWithRetry(routes.recoveryCode.path, { ...request, ...page }, routes.recoveryCode.response, signal),

    /** Requests the email that resets the second factor. */
    resetOTP: (otp: OTPRequest, signal?: AbortSignal) => postWithRetry(routes.resetOTP.path, otp, routes.resetOTP.response, signal),

    /** Requests the email that resets the password. */
    sendPasswordResetEmail: (request: PasswordResetRequest, signal?: AbortSignal) =>
      postVoid(routes.sendPasswordResetEmail.path, encode(routes.sendPasswordResetEmail.request, request), signal),

    /** Requests emails with one-time links. */
    magiclinkSend: (requests: MagicLinkRequest[], signal?: AbortSignal) =>
      post(routes.magiclinkSend.path, requests, routes.magiclinkSend.response, signal),

    /**
     * Binds the next requested one-time links to this browser. Returns the number for the waiting
     * tab.
     */
    magiclinkWait: (signal?: AbortSignal) => post(routes.magiclinkWait.path, {}, routes.magiclinkWait.response, signal),

    /** Signs in with the code from a one-time-link email. */
    magiclinkCode: (request: MailCodeRequest, signal?: AbortSignal) =>
      post(routes.magiclinkCode.path, { ...request, ...page }, routes.magiclinkCode.response, signal),

    /** Ends the session of this browser. */
    logoutBySelf: (signal?: AbortSignal) => post(routes.logoutBySelf.path, {}, routes.logoutBySelf.response, signal),
  }
}

/** The calls that the widget makes to the server. Tests pass their own. */
export type Api = ReturnType<typeof createApi>
