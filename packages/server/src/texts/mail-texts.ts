/** A text with the name of the product, such as Gatehouse or the operator's own name. */
type OfProduct = (product: string) => string

/** What to do next: a heading, and a paragraph. */
type Advice = { title: string; text: string }

/**
 * `title` is the heading and the subject. Lists of mails show `preview` after the subject, so it must add something new. `text` is the
 * first paragraph.
 */
type Told = { title: string; preview: OfProduct; text: OfProduct }

/** A mail to administrators about a user, a service or an application, whose name follows the title in the subject. */
export type ToldAdministrators = Told & { advice: Advice }

/** The frame of every mail. */
export type MailFrameTexts = {
  /** `title` is that of the mail. */
  subject: (title: string, product: string) => string
  /** In mails to administrators. `about` is the user's email address, the name of a service, or the origin of an application. */
  subjectAbout: (title: string, about: string, product: string) => string
  /** A line of the plain text: what a value is, and the value, such as `Browser: Firefox on Linux`. */
  fact: (label: string, value: string) => string
  /** The line above a link in the plain text. `label` is the text of the button in the HTML. */
  above: (label: string) => string
  /** Below a button; the address follows on its own line. */
  withoutButton: string
  /** In the footer of the HTML; the product's address follows on its own line. */
  sentBy: OfProduct
  /** Links to the operator's pages. */
  help: string
  privacy: string
  imprint: string
  /** A time and its time zone, such as `20 Nov 2026, 03:04 (Europe/Amsterdam)`: the reader's zone, or UTC in mails to administrators. */
  time: (time: string, zone: string) => string
}

/** The labels of facts. They stand in a narrow column. */
export type FactTexts = {
  when: string
  ipAddress: string
  /** In place of an address that the server does not know. */
  unknownAddress: string
  browser: string
  /** A browser and its operating system, such as `Firefox on Linux`. */
  browserOn: (browser: string, system: string) => string
  unknownBrowser: string
  /** The browser that asked for the mail. */
  askedFrom: string
  /** A pass lets a program use protected applications. */
  pass: string
  passkey: string
  passkeyNumber: (number: number) => string
  newAddress: string
  lockedUntil: string
  /** When a pass ends. */
  ends: string
  service: string
  administrator: string
  user: string
  /** How often a user has skipped the set-up of a second factor. */
  skips: string
  application: string
  /** The path of an address, such as /files. */
  path: string
  /** What the application answered. */
  answer: string
  since: string
}

/** The last paragraph of mails. After a text that ends with a colon, the address of the sign-in page follows on its own line. */
type AdviceTexts = {
  notYou: Advice
  /** For mails about a wrong second factor: the right password was entered. */
  passwordKnown: Advice
}

/** Mails with a link for the user to open. `action` is the text of the button. */
export type LinkMailTexts = {
  /** Below a button: how long its link lasts. */
  lastsMinutes: (count: number) => string
  lastsHours: (count: number) => string
  'password-reset': Told & { action: string; advice: Advice }
  invitation: Told & { action: string; advice: Advice }
  'one-time-link': Told & {
    action: string
    /** In place of `lastsMinutes`: another browser must enter the number that the waiting tab shows. */
    lastsMinutesAsksNumber: (count: number) => string
    /** Above and below the code. */
    code: string
    codeNote: string
    advice: Advice
  }
  /** `provider` is the name of a sign-in provider, such as Google. */
  'sso-link': {
    title: (provider: string) => string
    preview: (product: string, provider: string) => string
    text: (product: string, provider: string) => string
    action: (provider: string) => string
    note: string
    advice: Advice
  }
  'factor-reset': Told & { still: string; action: string; advice: Advice }
  /** Sent to the new address. `account` is the old address. */
  'email-change': Omit<Told, 'text'> & { text: (product: string, account: string) => string; action: string; advice: Advice }
}

/** Mails that tell a user what happened to their account. */
export type NoticeTexts = {
  'factor-reset-held': Told & { more: string }
  'password-changed': Told & { withPasskeys: string }
  'factor-added': Told
  'pass-created': Told
  'pass-ends': Told & { advice: Advice }
  'passkey-added': Told
  /** The password manager created the passkey during a sign-in with the password. */
  'passkey-added-automatically': Told
  'passkey-removed': Told
  'passkey-copied': Told & { more: string }
  'factor-reset-done': Told
  'factor-removed': Told
  'recovery-codes-anew': Told
  /** Only a reset lets the user sign in by password again. */
  disabled: Told & { advice: Advice }
  locked: Told & { advice: Advice }
  'wrong-codes': Told
  /** `left`: how many codes are left. */
  'recovery-code-used': Omit<Told, 'text'> & { text: (product: string, left: number) => string }
  /** `provider` is the name of a sign-in provider, such as Google. */
  'provider-linked': ProviderChange
  'provider-unlinked': ProviderChange
  /** Sent to the old address. */
  'email-changed': Told & { advice: Advice }
  /** Why phones get no requests for a day. `denied`: the user blocked two; `unanswered`: three got no answer. */
  'push-paused': Omit<Told, 'text'> & { denied: OfProduct; unanswered: OfProduct }
}

type ProviderChange = {
  title: (provider: string) => string
  preview: (product: string, provider: string) => string
  text: (product: string, provider: string) => string
}

/** Mails to administrators. */
export type AdministratorNoticeTexts = {
  'service-pass-created': ToldAdministrators
  'service-pass-ends': ToldAdministrators
  /** The title, `cause` and the advice are the texts of the alarm in `doors`. */
  'door-alarm': { text: (product: string, cause: string) => string; adviceTitle: string }
  'door-alarm-ended': ToldAdministrators
  'factor-skipped': ToldAdministrators
  'push-paused-of': Omit<ToldAdministrators, 'text'> & { denied: OfProduct; unanswered: OfProduct }
  'factor-reset-of': ToldAdministrators
}

export type MailTexts = {
  frame: MailFrameTexts
  facts: FactTexts
  advice: AdviceTexts
  links: LinkMailTexts
  notices: NoticeTexts
  administrators: AdministratorNoticeTexts
}
