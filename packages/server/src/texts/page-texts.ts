/** A page that only says what happened and what to do. */
type Said = { title: string; text: string }

/** `action` is the text of the page's button or link. */
type WithAction = Said & { action: string }

export type PageTexts = {
  /** The most frequent link on these pages. */
  backToSignIn: string
  errors: ErrorTexts
  signIn: SignInTexts
  passkeyDue: PasskeyDueTexts
  providers: ProviderTexts
  access: AccessTexts
  administration: {
    /** Administration needs a second factor, or a passkey, and the administrator signed in without one. */
    withoutFactor: Said
    withoutPasskey: Said
  }
  nothingHere: Said
  misconfiguration: MisconfigurationTexts
  /** The app on a phone that approves sign-ins, as the home screen shows it. */
  approver: { name: (product: string) => string; description: string }
}

export type ErrorTexts = {
  /** Too many requests from one network. */
  tooMany: { title: string; text: (minutes: number) => string }
  busy: Said
  otherSite: Said
  formUnread: Said
  pageUnread: Said
  /** `id` names the request in the server's log. */
  fault: { title: string; text: (id: string) => string }
}

/** Pages at the end of a sign-in. */
type SignInTexts = {
  /** A step took too long. */
  expired: WithAction
  tooManyCodes: WithAction
  /** The factor cannot be reset before a sign-in with the password and the factor. */
  factorResetHeld: WithAction
  /** An administrator requires a new password. The text is quoted from the specification. */
  forcedReset: WithAction
  /** The link that completes a sign-in was opened twice, too late, or in another browser. */
  linkUsed: Said
  /** Links of `linkUsed`: with and without a session. */
  toDashboard: string
  toSignIn: string
}

/** The operator requires a passkey, now or from a certain day on. */
type PasskeyDueTexts = {
  title: string
  /** `day` is a date, such as December 1, 2026. */
  soon: (day: string) => string
  now: string
  add: string
  later: string
}

/** Single sign-on. `provider` is the name of a sign-in provider, such as Google. */
export type ProviderTexts = {
  unknown: Said
  /** The provider exists, but the operator has not set it up. */
  absent: { title: (provider: string) => string; atSignIn: string; onReturn: string }
  unavailable: ProviderSaid
  /** The sign-in took too long, or the provider sent another browser back. */
  over: { title: string; text: (provider: string) => string }
  cancelled: { title: string; text: (provider: string) => string }
  failed: ProviderSaid
  'unknown-identity': ProviderSaid
  /** A user with the email address exists, but is not linked. */
  'name-taken': ProviderSaid
  /** When a user links a provider from the account page. */
  taken: ProviderSaid
  /** The text is quoted from the specification. */
  'forced-reset': WithAction
  toAccount: string
  /** Below a provider's button on the sign-in page. */
  notes: { aMomentAgo: (provider: string) => string; aMinuteAgo: (provider: string) => string }
}

type ProviderSaid = { title: (provider: string) => string; text: (provider: string) => string }

/** Pages that deny a signed-in user a protected application. `user` is the user's email address, and `host` the application's. */
export type AccessTexts = {
  refused: { title: string; text: (user: string, host: string) => string }
  withoutPasskey: { title: string; text: (user: string, host: string) => string }
  withoutFactor: { title: string; text: (user: string, host: string) => string }
  /** The sign-in is too old. One text for each unit of the rule's time: see `countDuration`. */
  tooOld: { title: string; text: Record<'hours' | 'minutes' | 'seconds', (user: string, host: string, count: number) => string> }
  /** A form was sent after the sign-in became too old. */
  tooOldForForm: { title: string; text: Record<'hours' | 'minutes' | 'seconds', (host: string, count: number) => string> }
  signInAgain: string
  toAccount: string
  /** The link to the page with the form. */
  back: string
}

/**
 * The page for administrators that explains why a sign-in cannot work. `address` is what the browser requested, and `publicUrl` where
 * Gatehouse is. Each `…Unseen` is the text for a server that does not know the address. Names of settings and headers stay English.
 */
export type MisconfigurationTexts = {
  title: string
  /** Below the cause, for users who cannot change the configuration. */
  note: string
  action: string
  facts: {
    /** The label of the misconfiguration's code. The code itself, such as `cookie-domain`, is not translated. */
    code: string
    address: string
    cookieFor: string
    /** The value of `cookieFor`. */
    domain: (domain: string) => string
    host: (host: string) => string
  }
  causes: {
    'secure-cookie-on-http': {
      cause: (address: string, publicUrl: string) => string
      causeUnseen: (publicUrl: string) => string
      advice: string
    }
    /** `domain` is that of the cookie, `host` the application's, and `ours` Gatehouse's. */
    'cookie-domain': {
      cause: (domain: string, host: string) => string
      causeUnseen: (domain: string) => string
      advice: (ours: string, host: string) => string
      adviceUnseen: (ours: string) => string
    }
    'cookie-not-stored': { cause: string; advice: string }
    'cookie-not-passed-on': Unseen
    'cookie-twice': Omit<Unseen, 'advice'> & { advice: (domain: string) => string }
    'session-unknown': Unseen
    'forwarded-headers': Unseen
    'prefix-stripped': Unseen
    'sign-in-guarded': { cause: (publicUrl: string) => string; advice: (publicUrl: string) => string }
    'not-protected': Unseen
  }
}

type Unseen = { cause: (address: string) => string; causeUnseen: string; advice: string }
