/** Paths, below the base path, of pages whose forms also work without JavaScript. Each form posts to its own page. */
export const plainPages = {
  login: '/',
  forgotPassword: '/forgot-password',
  /** Second-factor verification or set-up, depending on the sign-in. */
  secondFactor: '/second-factor',
  firstCode: '/second-factor/first-code',
  /** Phone approval in place of a code. */
  approveOnPhone: '/second-factor/phone',
  /** Says that a passkey needs JavaScript, and links to the pages of the other second factors. */
  usePasskey: '/second-factor/passkey',
  recoveryCode: '/second-factor/recovery-code',
  resetFactor: '/second-factor/reset',
  codeAfterReset: '/second-factor/after-reset',
} as const
