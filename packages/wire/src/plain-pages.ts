/** Pages of our own server whose forms work without a script too: each posts to the page it is on. What follows the base path. */
export const plainPages = {
  login: '/',
  forgotPassword: '/forgot-password',
  /** A second factor, or setting one up: whichever a sign-in waits for. */
  secondFactor: '/second-factor',
  firstCode: '/second-factor/first-code',
  /** A number that is typed on a phone, in place of a code. */
  approveOnPhone: '/second-factor/phone',
  recoveryCode: '/second-factor/recovery-code',
  resetFactor: '/second-factor/reset',
  codeAfterReset: '/second-factor/after-reset',
} as const
