import type { ChallengeRespondedReason, Place } from '@gatehouse/wire'

type Statement = { title: string; text: string }

/** Labels of a button that copies a text. `selected`: the browser could not copy the text, but selected it. */
type Copying = { copy: string; copied: string; selected: string }

/**
 * The texts of the approver: the page on a phone that approves sign-ins on another screen. Its user types a number that only the other
 * screen shows.
 */
export type ApproverMessages = {
  /** The name of the page. */
  title: string
  opening: string
  /** A notification. `product` is the server's name, such as Gatehouse. */
  notification: (product: string) => string
  /** The suggested name of the phone, if the browser reports no better one. */
  phoneNames: { Android: string; other: string }
  offlineTitle: string
  offline: string
  notSent: string
  noAnswer: string

  unusable: { title: string; insecure: string; store: string }

  /** The page on a phone without an account. The steps quote buttons of the account page, which must read as they do there. */
  start: {
    title: string
    text: string
    steps: string[]
    /** Label and caption of the field for the link. */
    paste: string
    pasteHint: string
    open: string
    notALink: string
  }

  enrol: Copying & {
    title: string
    text: string
    name: string
    nameHint: string
    nameMissing: string
    nameUnfit: string
    submit: string
    running: string
    cancel: string
    over: string
    /** Quotes a button of Safari. */
    homeScreen: string
  }

  /** A sign-in that waits for approval. */
  request: {
    title: string
    /** In place of `title` and `asks` while the phone is being set up. */
    enrolmentTitle: string
    asks: string
    enrolmentAsks: string
    /** Facts about the sign-in: names before the values. */
    account: string
    device: string
    place: string
    since: string
    left: string
    /** Replaces the time left when no time is left. */
    over: string
    /** The field's label. */
    number: string
    /** Quotes `deny`. */
    numberHint: string
    notSixDigits: string
    approve: string
    approving: string
    deny: string
  }

  denial: Statement & { deny: string; denying: string; back: string }

  /** The result of a request. */
  end: {
    done: string
    approved: Statement
    enrolled: Statement
    wrongNumber: Statement
    stopped: Statement
    stoppedEnrolment: Statement
    notNeeded: Statement
    expired: Statement
    other: {
      title: string
      reasons: Record<Exclude<ChallengeRespondedReason['tag'], 'InvalidCode' | 'NotRequested' | 'NotNeeded'>, string>
    }
  }

  /** The page while there is no request. */
  idle: Statement & {
    /** Heading of the list of accounts. */
    accounts: string
    remove: string
    /** Accessible name of the button `remove`. */
    removeOf: (username: string) => string
    another: string
  }

  removal: {
    title: (username: string) => string
    text: string
    submit: string
    running: string
    cancel: string
    lastStays: string
  }

  removed: { title: string; text: (username: string) => string; done: string }

  /** The notification settings. ntfy and Gotify are apps. */
  notifications: Statement &
    Copying & {
      turnOn: string
      turningOn: string
      on: string
      denied: string
      failed: string
      none: string
      install: string
      others: string
      ntfy: string
      gotify: string
    }

  waiting: Statement

  /** Where a sign-in comes from: `Firefox on Linux`. */
  device: (browser: string, system: string) => string
  unknownBrowser: string
  /** The network that a sign-in comes from. */
  place: Record<Place, string>
}
