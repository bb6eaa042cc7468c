import type { ChallengeRespondedReason, SkipRefusal, SSOProvider, VerifyError } from '@gatehouse/wire'

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

/** Why a mailed link is good no more. */
type DeadLink = 'Used' | 'Expired' | 'Unknown'

/** Linking or unlinking a provider, which is asked about in a window of its own. */
type ProviderChange = {
  /** Beside the provider's name. */
  short: string
  title: (provider: string) => string
  running: (provider: string) => string
  text: (provider: string) => string
  /** The same where the password is asked for. */
  textWithPassword: (provider: string) => string
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
    useRecoveryCode: string
    showQrCode: string
    /** The two of a push factor that a server with its own app sets up. */
    textOnDevice: string
    showInstructions: string
  }
  /** A recovery code in place of the six digits. Its button says what that of verifyFactor says. */
  recoveryCode: { title: string; text: string; code: string; missing: string; useApp: string; usePhone: string }
  /** A number that is typed on a phone, in place of the six digits. */
  approveOnPhone: {
    title: string
    text: string
    ask: string
    asking: string
    askAgain: string
    /** Above the number. */
    enter: string
    /** Read out in place of the number that is seen: its digits, with spaces between them. */
    number: (digits: string) => string
    waiting: string
    left: (minutes: number, seconds: number) => string
    /** Where no script hears of the answer: what to do, the button, and what is said if it was pressed too early. */
    byHand: string
    goOn: string
    notYet: string
    approved: string
    denied: (reason: ChallengeRespondedReason) => string
    expired: string
    /** What to do when nothing comes. */
    hint: string
    useCode: string
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
    /** In place of `text` for a push factor of a server with its own app; the name is the factor's and can be empty. */
    textOnDevice: (name: string) => string
    /** The server handed over a factor without anything to scan. */
    nothingToScan: string
    next: string
    skip: string
    skipping: string
    skipped: string
    skipNote: string
    /** In place of the button where it cannot be skipped. */
    skipRefused: Record<SkipRefusal, string>
  }
  resetFactor: {
    title: string
    text: string
    /** Where the password is asked for after a one-time link or a provider. */
    noPassword: string
    /** The password came by email, so it does not reset the second factor. */
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
    /** Displayed reason of a factor or a code that was refused (§4). */
    reason: (reason: ChallengeRespondedReason) => string
    sentence: (error: VerifyError) => string
    verificationFailed: string
    authenticationFailed: string
    messagingProvider: string
  }
  /** Pages that a mailed link opens. `email` may be masked, and is empty where the server did not tell. */
  mailLink: {
    looking: string
    /** Where no script reads the link: what to do, the field for it, and the button. */
    byHand: string
    pasted: string
    goOn: string
    lookFailed: string
    retry: string
    /** Headings of a link that is good no more. */
    dead: Record<DeadLink, string>
    askAgain: string
    /** The link is good all the same; this once it did nothing. */
    refused: string
  }
  oneTimeLink: {
    title: (email: string) => string
    text: string
    signIn: string
    signingIn: string
    signedIn: string
    dead: Record<DeadLink, string>
    /** The way out of a forced reset. */
    resetPassword: string
  }
  newPassword: {
    title: string
    account: string
    password: string
    again: string
    /** Beside the field: how long a password must be. */
    length: (least: number) => string
    missing: string
    tooShort: (least: number, given: number) => string
    different: string
    /** The server's end of a sentence, such as 'is too common', and how to choose a better password. */
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
    /** What to do once it is scanned. */
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
    /** A change of address begins where one is signed in. */
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
    /** Names the list for those who do not see it. */
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
  /** Shown by a development server only. */
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
    /** Where no script has come. */
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
    /** The window that asks closes and nothing was changed. */
    cancel: string
    close: string
    /** On the way to the provider. */
    leaving: (provider: string) => string
    unlinked: (provider: string) => string
    /** The server's end of a sentence, such as 'is wrong'. */
    passwordRefused: (problem: string) => string
    /** Without it nobody could sign in to the account. */
    lastWay: string
    /** The way to the provider cannot begin. */
    unavailable: string
  }
}
