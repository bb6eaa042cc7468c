import type { ChallengeRespondedReason, ChallengeStatus, DatabaseError, FactorStatus, SkipRefusal, StoreError } from '@gatehouse/wire'

/** The texts that the first load needs, separate to keep it small. */
export type FirstLoadMessages = {
  login: {
    email: string
    password: string
    forgotPassword: string
    /** The button to the same page, after an administrator has reset the password. */
    resetPassword: string
    signIn: string
    signingIn: string
    signedIn: string
    passkey: string
    orSignInWith: string
    google: string
    microsoft: string
    pak: string
    notReady: string
    /** Beside the provider that this browser used last. */
    lastUsed: string
    emailMissing: string
    emailMalformed: string
    passwordMissing: string
  }
  /** The link from every other page to the login page. */
  backToLogin: string
  /** Why a sign-in failed (§8). */
  failures: { 'failed-login': string; 'forced-reset': string }
  passwordField: { show: string; hide: string }
  unexpected: { title: string; advice: string; moreInfo: string }
  /** Shown while the next page's code loads, and if loading fails. */
  nextPage: { loading: string; failed: string; retry: string }
  toasts: { region: string; close: string }
}

/** Every text of the widget. One object of this type is one language. */
export type Messages = FirstLoadMessages & {
  /** On a login page whose methods the host page has chosen. */
  methods: { or: string; emailLink: string }
  verifyFactor: {
    title: string
    text: string
    /** In place of `text` after a factor reset. */
    textAfterReset: string
    code: string
    notSixDigits: string
    verify: string
    verifying: string
    verified: string
    or: string
    reset: string
    useRecoveryCode: string
    showQrCode: string
    /** In place of `text` and `showQrCode` for a push factor of a server with its own app. */
    textOnDevice: string
    showInstructions: string
  }
  /** The page that takes a recovery code instead of the six digits. Its button has the label of `verifyFactor`. */
  recoveryCode: { title: string; text: string; code: string; missing: string; useApp: string; usePhone: string; usePasskey: string }
  /** The page that shows a number to type on a phone, instead of asking for six digits. */
  approveOnPhone: {
    title: string
    text: string
    ask: string
    asking: string
    askAgain: string
    /** Above the number. */
    enter: string
    /** Screen readers announce this instead of `enter` and the number; `digits` contains a space between two digits. */
    number: (digits: string) => string
    waiting: string
    /** How long the number still works: `time` is minutes and seconds, such as `1:05`. */
    left: (time: string) => string
    /** Without a script: what to do, the button, and the error if the user presses it too early. */
    byHand: string
    goOn: string
    notYet: string
    approved: string
    /** Why the phone or the server denied the sign-in. The last three are faults, in the words of `verifyErrors.reasons`. */
    denied: Record<ChallengeRespondedReason['tag'], string>
    expired: string
    /** Advice if the phone shows nothing. */
    hint: string
    useCode: string
  }
  /** Why a sign-in with a passkey alone failed, and what to do. */
  passkeySignIn: {
    /** The user closed the dialog, it took too long, or there was no passkey to choose. */
    cancelled: string
    failed: string
    /** The server does not know this passkey. */
    unknown: string
    /** The server offers no passkeys. */
    off: string
  }
  /** The page that asks for a passkey as the second factor. */
  usePasskey: {
    title: string
    text: string
    use: string
    /** The link to this page from the pages of other factors. */
    link: string
    /** The browser can't use passkeys here. */
    unsupported: string
    /** The page is in a frame of another site, where passkeys do not work. */
    framed: string
    needsScript: string
    /** Why the browser gave no passkey. */
    problems: Record<'Cancelled' | 'AlreadyThere' | 'Failed', string>
  }
  createFactor: {
    title: string
    text: string
    /** Text alternative of the picture. */
    qrCode: string
    /** In place of the picture when its code fails to load. */
    qrCodeFailed: string
    cannotScan: string
    copy: string
    copied: string
    /** For browsers that do not let pages copy: the text is now selected, and the user copies it. */
    selected: string
    open: string
    /** The button that replaces `open` on phones. */
    openOnPhone: string
    /** Replaces `text` for a push factor of a server with its own app. The page also shows the factor's name. */
    textOnDevice: string
    /** The server's factor has nothing to scan. */
    nothingToScan: string
    next: string
    skip: string
    skipping: string
    skipped: string
    skipNote: string
    /** The button for a passkey in place of the authenticator app, and while the browser creates one. */
    usePasskey: string
    creatingPasskey: string
    /** Why there is no passkey. `Refused`: the server refused it. */
    passkeyProblems: Record<'Cancelled' | 'AlreadyThere' | 'Failed' | 'Refused', string>
    /** In place of the Skip button where the user can't skip. */
    skipRefused: Record<SkipRefusal, string>
  }
  resetFactor: {
    title: string
    text: string
    /** Where the email goes. */
    to: (address: string) => string
    /** Beside the password field, after a sign-in by one-time link or provider. */
    noPassword: string
    /** No sign-in used both this password and the current factor: the password was set by email, or the last factor was removed. */
    held: string
    send: string
    sending: string
  }
  forgotPassword: {
    title: string
    text: string
    /** In place of `title` and `text` if the page offers only a one-time link. */
    linkTitle: string
    linkText: string
    sendResetEmail: string
    sendMagicLink: string
    magicLinkNote: string
    sent: string
    resetEmailSent: string
    magicLinkSent: string
    /** Where the email went. */
    sentTo: (address: string) => string
    /** How long the user waits before sending another email to the same address. */
    sendAgainIn: (seconds: number) => string
    sendAgain: string
  }
  /** Below 'Email sent', while the tab waits for a one-time link. */
  mailCode: { number: string; code: string; missing: string; wrong: string }
  verifyErrors: VerifyErrorMessages
}

/** Errors of a second factor (§8). Most are faults of a server; users report their words to administrators. */
export type VerifyErrorMessages = {
  /** Why a factor or code was refused (§4, displayed reasons). */
  reasons: Record<ChallengeRespondedReason['tag'], string>
  /** The values of `status` in `verificationFailedWith` and `authenticationFailedWith`. */
  statuses: Record<ChallengeStatus | FactorStatus, string>
  storeErrors: Record<Exclude<StoreError['tag'], 'StoreIOError'>, string> & { StoreIOError: (details: string) => string }
  databaseErrors: Record<Exclude<DatabaseError['tag'], 'FactorTypeMismatch'>, string> & {
    /** Both are names of factor types: `TOTP` or `Push`. */
    FactorTypeMismatch: (given: string, expected: string) => string
  }
  /** `details` are the server's own words. */
  apiError: (details: string) => string
  /** The title for an error while a new factor is verified, and its text. */
  verificationFailed: string
  verificationFailedWith: (status: string, reason: string) => string
  /** The title for an error during a sign-in, and its text. */
  authenticationFailed: string
  authenticationFailedWith: (status: string, reason: string) => string
  messagingProvider: string
  /** After codes from a phone whose clock is wrong: how to correct it. */
  clockBehind: (minutes: number) => string
  clockAhead: (minutes: number) => string
}
