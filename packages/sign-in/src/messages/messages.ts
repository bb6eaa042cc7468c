import type { ChallengeRespondedReason, SkipRefusal, SSOProvider, VerifyError } from '@gatehouse/wire'

/** The texts that the first load needs, separate to keep it small. */
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
  /** The link from every other page to the login page. */
  backToLogin: string
  /** Why a sign-in failed (§8). */
  failures: { 'failed-login': string; 'forced-reset': string }
  passwordField: { show: string; hide: string }
  unexpected: { title: string; advice: string; moreInfo: string }
  /** While the code of the next page loads, and when it fails to. */
  nextPage: { loading: string; failed: string; retry: string }
  toasts: { region: string; close: string }
}

/** Why an emailed link no longer works. */
type DeadLink = 'Used' | 'Expired' | 'Unknown'

/** The dialog that links or unlinks a provider. */
type ProviderChange = {
  /** The button beside the provider's name. */
  short: string
  title: (provider: string) => string
  running: (provider: string) => string
  text: (provider: string) => string
  /** In place of `text` when the dialog asks for the password. */
  textWithPassword: (provider: string) => string
}

/** Every text on a screen. One object of this type is one language. */
export type Messages = MessagesAtFirst & {
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
  recoveryCode: { title: string; text: string; code: string; missing: string; useApp: string; usePhone: string }
  /** The page that shows a number to type on a phone, instead of asking for six digits. */
  approveOnPhone: {
    title: string
    text: string
    ask: string
    asking: string
    askAgain: string
    /** Above the number. */
    enter: string
    /** What screen readers announce instead of the number; `digits` has spaces between them. */
    number: (digits: string) => string
    waiting: string
    left: (minutes: number, seconds: number) => string
    /** Without a script: what to do, the button, and the error if the user presses it too early. */
    byHand: string
    goOn: string
    notYet: string
    approved: string
    denied: (reason: ChallengeRespondedReason) => string
    expired: string
    /** What to do when the phone shows nothing. */
    hint: string
    useCode: string
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
    /** Where the browser lets no page copy: the text is now selected, and the user copies it. */
    selected: string
    open: string
    /** In place of `text` for a push factor of a server with its own app. `name` is the factor's and can be empty. */
    textOnDevice: (name: string) => string
    /** The server's factor has nothing to scan. */
    nothingToScan: string
    next: string
    skip: string
    skipping: string
    skipped: string
    skipNote: string
    /** In place of the Skip button where the user can't skip. */
    skipRefused: Record<SkipRefusal, string>
  }
  resetFactor: {
    title: string
    text: string
    /** Beside the password field, after a sign-in by one-time link or provider. */
    noPassword: string
    /** The user set the password by email, so it cannot reset the second factor. */
    held: string
    send: string
    sending: string
  }
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
    /** Why a factor or code was refused (§4, displayed reasons). */
    reason: (reason: ChallengeRespondedReason) => string
    sentence: (error: VerifyError) => string
    verificationFailed: string
    authenticationFailed: string
    messagingProvider: string
  }
  /** Pages that emailed links open. `email` may be masked, and is empty where the server does not send it. */
  mailLink: {
    looking: string
    /** Without a script: what to do, the field for the link, and the button. */
    byHand: string
    pasted: string
    goOn: string
    lookFailed: string
    retry: string
    /** Headings for links that no longer work. */
    dead: Record<DeadLink, string>
    askAgain: string
    /** The call failed, but the link still works. */
    refused: string
  }
  oneTimeLink: {
    title: (email: string) => string
    text: string
    signIn: string
    signingIn: string
    signedIn: string
    dead: Record<DeadLink, string>
    /** The link to a password reset, after a forced reset. */
    resetPassword: string
  }
  newPassword: {
    title: string
    account: string
    password: string
    again: string
    /** Beside the field: the minimum length. */
    length: (least: number) => string
    missing: string
    tooShort: (least: number, given: number) => string
    different: string
    /** `problem` is the server's end of a sentence, such as 'is too common'. The text adds how to choose a better password. */
    refused: (problem: string) => string
    change: string
    changing: string
    doneTitle: string
    done: string
    signIn: string
    dead: Record<DeadLink, string>
  }
  newFactor: {
    title: string
    text: (email: string) => string
    show: string
    showing: string
    scan: string
    /** What to do after scanning. */
    enter: string
    dead: Record<DeadLink, string>
  }
  confirmEmail: {
    title: (email: string) => string
    text: string
    confirm: string
    confirming: string
    doneTitle: string
    done: (email: string) => string
    signIn: string
    dead: Record<DeadLink, string>
    /** The link to the account page, where a change of address starts. */
    toAccount: string
  }
  recoveryCodes: {
    title: string
    text: string
    show: string
    showing: string
    later: string
    shownTitle: string
    shownText: string
    /** Accessible name of the list. */
    list: string
    copy: string
    copied: string
    selected: string
    download: string
    fileName: string
    /** First line of the file. */
    fileTitle: string
    print: string
    saved: string
  }
  /** Only development servers show it. */
  mailbox: {
    title: string
    text: string
    empty: string
    list: string
    nothingOpen: string
    from: string
    to: string
    sent: string
    html: string
    plain: string
  }
  account: {
    title: string
    signedInAs: string
    /** Without a script. */
    asleep: string
    administrator: string
    signOut: string
    signingOut: string
    waysToSignIn: string
    waysToSignInText: string
    providers: Record<SSOProvider, string>
    linked: string
    link: ProviderChange
    unlink: ProviderChange
    /** Closes the dialog without a change. */
    cancel: string
    close: string
    /** While the browser goes to the provider. */
    leaving: (provider: string) => string
    unlinked: (provider: string) => string
    /** `problem` is the server's end of a sentence, such as 'is wrong'. */
    passwordRefused: (problem: string) => string
    /** The server refuses to unlink the last way to sign in. */
    lastWay: string
    /** The server cannot send the browser to the provider. */
    unavailable: string
  }
}
