import type { PasswordProblem, SSOProvider } from '@gatehouse/wire'
import type { PageName } from '@gatehouse/wire/page-props'

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

/** Texts of the pages that emailed links open, of the recovery codes, the mailbox and the head of the account page, and shared texts. */
export type PortalMessages = {
  /** Titles in the browser's tab. The server adds the product's name. */
  titles: Record<Exclude<PageName, 'misconfiguration' | 'notice'>, string>
  /** The title after a form without a script failed. */
  errorInTitle: (title: string) => string
  /** The heading of the sign-in page. `name` is the product's. */
  signInTo: (name: string) => string
  /** The line below it: the host of the page that the user requested before. */
  continueTo: (host: string) => string
  /** The same line for a user who is signed in: the page requires a newer sign-in. */
  continueAgainTo: (host: string) => string
  /** On the approver's page, in browsers without JavaScript. */
  approverNeedsScript: string
  /** The server failed. `request` is the request's id in its log, for support. */
  fault: (request: string) => string
  /** A call failed for a reason that the page does not know. `status` is the HTTP status, for support. */
  refused: (status: string) => string
  /**
   * Why the server refused a call. `TooManyRequests` and `Busy`: it answers no more calls for now, because too many came from the user's
   * network, or too many people sign in at once. `OtherSite`: the page's address is not the server's own. `AnotherUser`: in another tab,
   * someone else signed in. `RecoveryCodesClosed`: too long after a sign-in, or the user already has codes.
   */
  failures: Record<
    | 'TooManyRequests'
    | 'Busy'
    | 'OtherSite'
    | 'AnotherUser'
    | 'PasswordExists'
    | 'FactorsFull'
    | 'PasskeyRefused'
    | 'RecoveryCodesClosed'
    | 'TimeZoneUnknown',
    string
  >
  /** Pages that emailed links open. `email` may be masked. Where the server does not send it, a page shows the text without it. */
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
    title: string
    titleFor: (email: string) => string
    text: string
    /** Replaces `text` if the user must enter the number that the waiting tab shows. The next three are the texts of its field. */
    textWithNumber: string
    number: string
    numberMissing: string
    wrongNumber: string
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
    /**
     * Why the server refused a password. Each is a whole text; those for passwords that are easy to guess say how to choose a better one.
     */
    problems: Record<Exclude<PasswordProblem, 'PasswordTooLong'>, string>
    /** Both values are the largest number of bytes: `most` is shown, and `count` selects the plural form. */
    tooLong: (most: string, count: number) => string
    /** For a reason that this page does not know, because the server is newer. */
    refused: string
    change: string
    changing: string
    doneTitle: string
    done: string
    /** Above the names of the user's passkeys. */
    passkeys: string
    signIn: string
    dead: Record<DeadLink, string>
  }
  newFactor: {
    title: string
    text: string
    textFor: (email: string) => string
    show: string
    showing: string
    scan: string
    /** The instruction after scanning. */
    enter: string
    dead: Record<DeadLink, string>
  }
  confirmEmail: {
    title: string
    titleFor: (email: string) => string
    text: string
    confirm: string
    confirming: string
    doneTitle: string
    done: string
    doneFor: (email: string) => string
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
    /** First line of the file. `name` is the product's. */
    fileTitle: (name: string) => string
    print: string
    saved: string
  }
  /** Links below every page. */
  frame: {
    help: string
    privacy: string
    imprint: string
    /** The label of the link to all languages, for screen readers. `name` is the current language's own name, which the page shows. */
    language: (name: string) => string
  }
  /** The page of all languages. */
  languages: { back: string }
  /** Only development servers show it. */
  mailbox: {
    title: string
    text: string
    empty: string
    list: string
    back: string
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
    /** @param dashboard the dashboard's host */
    backTo: (dashboard: string) => string
    waysToSignIn: string
    waysToSignInText: string
    providers: Record<SSOProvider, string>
    linked: string
    link: ProviderChange
    unlink: ProviderChange
    /** While the browser goes to the provider. */
    leaving: (provider: string) => string
    unlinked: (provider: string) => string
    /** The server refuses to unlink the last way to sign in. */
    lastWay: string
    /** The server cannot send the browser to the provider. */
    unavailable: string
  }
}
