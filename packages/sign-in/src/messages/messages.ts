import type { ChallengeRespondedReason, VerifyError } from '@gatehouse/wire'

/** What the sign-in area may say before the later pages are there. Apart, for it comes with the first load. */
export type MessagesAtFirst = {
  login: {
    email: string
    password: string
    forgotPassword: string
    signIn: string
    signingIn: string
    signedIn: string
    orSignInWith: string
    google: string
    microsoft: string
    pak: string
    notReady: string
    emailMissing: string
    emailMalformed: string
    passwordMissing: string
  }
  /** Leads from any other page to the login page. */
  backToLogin: string
  /** Reasons of a refused sign-in (§8). */
  failures: { 'failed-login': string; 'forced-reset': string }
  passwordField: { show: string; hide: string }
  unexpected: { title: string; advice: string; moreInfo: string }
  /** While a page's own code comes, and when it does not. */
  nextPage: { loading: string; failed: string; retry: string }
  toasts: { region: string; close: string }
}

/** Every sentence on a screen. A language is one object of this type. */
export type Messages = MessagesAtFirst & {
  verifyFactor: {
    title: string
    /** What to enter. */
    text: string
    /** The same, of a factor that was reset. */
    textAfterReset: string
    code: string
    notSixDigits: string
    verify: string
    verifying: string
    verified: string
    or: string
    reset: string
    showQrCode: string
  }
  createFactor: {
    title: string
    text: string
    /** What the picture is, for those who do not see it. */
    qrCode: string
    /** In place of the picture when its code could not be loaded. */
    qrCodeFailed: string
    cannotScan: string
    copy: string
    copied: string
    /** Where the browser lets no page copy: the text is selected for the person to copy. */
    selected: string
    open: string
    /** The server handed over a factor without anything to scan. */
    nothingToScan: string
    next: string
    skip: string
    skipping: string
    skipped: string
    skipNote: string
  }
  resetFactor: { title: string; text: string; send: string; sending: string }
  forgotPassword: {
    title: string
    text: string
    sendResetEmail: string
    sendMagicLink: string
    magicLinkNote: string
    sent: string
    resetEmailSent: string
    magicLinkSent: string
  }
  /** Errors of a second factor (§8). */
  verifyErrors: {
    /** Displayed reason of a factor or a code that was refused (§4). */
    reason: (reason: ChallengeRespondedReason) => string
    sentence: (error: VerifyError) => string
    verificationFailed: string
    authenticationFailed: string
    messagingProvider: string
  }
  account: { title: string; signedInAs: string; administrator: string; signOut: string; signingOut: string }
}
