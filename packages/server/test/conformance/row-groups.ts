/** Rows of the report that several faults break together. */
export const rows = {
  /** Hostile bodies, for each call. */
  hostileBodies: [
    'hostile/getAuthTokenWithError',
    'hostile/plowlogin',
    'hostile/sendPasswordResetEmail',
    'hostile/verifyOTP',
    'hostile/setupOTP',
    'hostile/resetOTP',
    'hostile/magiclink/send',
  ],
  /** Checks that need a working token. */
  sessionsOfTokens: [
    'session/plowlogin',
    'session/plowlogin-pair',
    'session/token-once',
    'session/token-bound',
    'session/login-with-token',
    'session/token-page',
    'session/token-page-private',
    'session/check',
    'logout/self',
    'logout/ends-session',
  ],
  /** Requests for mail with a wrong body. */
  wrongMailRequests: ['mail/reset-field', 'mail/link-unknown-redirect', 'mail/link-no-list'],
  /** Requests that pages of other sites can send. */
  foreignRequests: ['browser/json-only', 'browser/foreign-origin', 'browser/cross-site'],
}
