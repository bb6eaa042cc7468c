import type { BoardRange, DoorState, PassHolders, SecondFactorType, SignInOutcome, SignInWay, UserFilter } from '@gatehouse/wire'

/** A line with a count: how many wrong passwords, and from how many IP addresses if the server knows. */
type AfterPasswords<Values extends unknown[]> = {
  known: (...values: [...Values, attempts: number, addresses: number]) => string
  unknown: (...values: [...Values, attempts: number]) => string
}

/** An administrator's action on a user, in a dialog. `who` is the user's email address. */
type UserActionMessages = {
  /** The button that opens the dialog, and the one that runs the action. */
  button: string
  title: (who: string) => string
  /** What happens, one effect per line. */
  text: string[]
  /** The message afterwards. */
  done: (who: string) => string
}

/** The texts of the administration page, whose readers are administrators. */
export type AdministrationMessages = {
  title: string
  /** Titles and links of the sections. */
  sections: Record<'board' | 'users' | 'second-factors' | 'passes' | 'mails', string>
  /** Accessible name of the links to the sections. */
  navigation: string
  /** The link to the administrator's own account page. */
  account: string
  /** A button: ends the administrator's session. */
  signOut: string
  signingOut: string
  /** Heading of an error: signing out failed. */
  signOutFailed: string
  loading: string
  /** Heading of the message after an action. */
  done: string
  failed: string
  retry: string
  signInAgain: string
  notAllowed: string
  /** `ended` is a date and time. While the database was down, signed-in users still reached protected applications. */
  outageBanner: (checks: number, ended: string) => string
  /** A warning about a protected application: the title, one of `states`, and one of the two lines about the request, in one paragraph. */
  doorBanner: {
    /** `origin` is the application's address, `since` a date and time. */
    title: (origin: string, since: string) => string
    /** The test request that Gatehouse made: its path and the HTTP status of the response. */
    request: (path: string, status: string) => string
    unanswered: (path: string) => string
    /** After the first five applications. */
    more: (count: number) => string
    /** What is wrong, after the title and its colon, and what to do. 'The check' is the proxy's request to Gatehouse for each request. */
    states: Record<DoorState, string>
  }
  mailBanner: (count: number) => string
  refusedBanner: (count: number) => string
  /** In place of a time: the event, such as a sign-in, has never happened. */
  never: string
  /** In tables: no second factor (`factor`), or no sign-in method (`ways`). */
  none: { factor: string; ways: string }
  /** In tables: the server does not know. */
  unknown: string

  /** Charts of the sign-ins. */
  board: {
    title: string
    /** `zone` is a time zone, such as Europe/Amsterdam. */
    text: (zone: string) => string
    ranges: Record<BoardRange, string>
    /** Accessible name of the buttons that choose the period. */
    rangesLabel: string
    /** The three numbers above the charts. `locked`: attempts that a lockout blocked. */
    tiles: { signedIn: string; failed: string; locked: string }
    /** Titles of the charts, with a line about what each counts. */
    outcomes: { title: string; text: string }
    ways: { title: string; text: string }
    factors: { title: string; text: string }
    showTable: string
    hideTable: string
    /** Accessible name of the table. `title` is the chart's. */
    tableOf: (title: string) => string
    /** At the pointer: the bar's name and its number. */
    barOf: (name: string, count: string) => string
    openHint: string
    empty: string
    emptyChart: string
    chartFailed: string
    /** Heading of the column with the hours or days. */
    time: { Hour: string; Day: string }
    total: string
    /** Results of a step of a sign-in. */
    outcomeNames: Record<SignInOutcome, string>
    /** Sign-in methods and second factors. `Skip`: the user skipped setting one up. `Passkey`: without a password. */
    wayNames: Record<SignInWay, string>
    /** In the chart of second factors: none, or the second factor of a provider such as Google. */
    withoutFactor: string
  }

  /** The list of sign-in attempts that a bar of a chart opens. */
  attempts: {
    back: string
    /** Both are a date and time. */
    text: (from: string, until: string, zone: string) => string
    /** Accessible name of the table. */
    list: string
    empty: string
    /** `from`: the browser and the IP address. */
    columns: { at: string; user: string; method: string; result: string; from: string }
    /** In place of a user: no account has the email address that was typed. */
    unknownUser: string
  }

  users: {
    title: string
    factorsTitle: string
    factorsText: string
    /** The search field's label. The administrator types an email address or a part of it. */
    search: string
    clear: string
    /** Screen readers only: how many the search found. */
    found: (count: number) => string
    add: string
    /** Accessible name of the filters. */
    filtersLabel: string
    filters: Record<UserFilter, string>
    /** `address`: the email address. `created`: when the user was added. */
    columns: { address: string; lastSignIn: string; factor: string; ways: string; sessions: string; created: string }
    /** Accessible name of the table. */
    list: string
    empty: string
    emptySearch: (search: string) => string
    next: string
    first: string
    /** In the column of second factors: how many the user has set up. */
    factorCount: (count: number) => string
    /** In the column of second factors: the user skipped setting one up `count` times, and may do so `most` times. */
    skipped: (count: number, most: number) => string
  }

  /** Beside a user's address. */
  tags: { administrator: string; forcedReset: string }
  /** Beside a user's address. `until` is a date and time. `open`: the lock has no end. */
  locks: Record<'Password' | 'SecondFactor', { until: (until: string) => string; open: string }>

  /**
   * Above a user's details: whether the user can sign in. `until` is a time, or a date and time. The lines are not whole sentences; the
   * notes are.
   */
  verdict: {
    label: string
    canSignIn: string
    mustChoosePassword: string
    /** Quotes a link of the sign-in page, which must read as it does there. */
    mustChoosePasswordNote: string
    passwordDisabled: AfterPasswords<[]>
    /** Follows `passwordDisabled`, and says for how long. */
    passwordDisabledNote: string
    passwordLocked: AfterPasswords<[until: string]>
    /** `ways` is a list such as 'Google, Microsoft or a passkey'. */
    othersWork: (ways: string) => string
    /** Only in the list of `othersWork`. */
    passkey: string
    secondFactorDisabled: (attempts: number) => string
    secondFactorLocked: (until: string, attempts: number) => string
    invited: string
    invitedNote: string
    approvalsPaused: (until: string) => string
    approvalsPausedNote: string
    mustSetUpSecondFactor: string
    maySkipSecondFactor: (left: number) => string
  }

  /** The page of one user. */
  user: {
    /** The link back to the list. */
    back: string
    title: string
    gone: string
    zone: string
    recoveryCodes: string
    passes: string
    groups: string
    groupsElsewhere: string
    groupsNone: string
    factors: string
    factorsNone: string
    factorTypes: Record<SecondFactorType, string>
    /** Columns. `verified`: when it was set up. `removeOf` is the accessible name of the button `remove`; `name` is the second factor's. */
    factor: { name: string; type: string; verified: string; used: string; remove: string; removeOf: (name: string) => string }
    sessions: string
    sessionsNone: string
    /** Columns. `since`: when the user signed in. `end`: a button, ends the session. */
    session: { browser: string; since: string; seen: string; end: string }
    /** Beside the current session of the signed-in administrator. */
    own: string
    /** Accessible name of the button `end`. `device` is like 'Firefox on Linux', `address` an IP address. */
    endOf: (device: string, address: string) => string
    activity: string
    activityNone: string
    /** Who did it, if not the user. */
    by: { Administrator: string; CommandLine: string }
    acts: string
  }

  /** Lines of a user's recent activity. */
  audit: {
    /** What happened. */
    events: Record<string, string>
    /** Whole lines, by event and result, or by result alone. */
    steps: Record<string, string>
    /** A whole line: the code was wrong because the phone's clock is wrong. */
    clock: Record<'clock-ahead' | 'clock-behind', (minutes: number) => string>
    /**
     * Results, written as at the start of a line. After an event or a provider and a colon, the page makes the first letter lowercase,
     * except in languages that capitalize nouns: `Address change requested: too many requests`.
     */
    results: Record<string, string>
    /** An event and its result, or a result and its detail. */
    joined: (before: string, after: string) => string
    /** A sign-in with a provider, such as Google. `acceptedWithFactor`: the provider also checked a second factor. */
    provider: { accepted: (provider: string) => string; acceptedWithFactor: (provider: string) => string }
    /** A sign-in of several steps. */
    signIn: {
      completed: string
      /** `last` is its last step. */
      stopped: (last: string) => string
      /** A step that was taken `times` times: two or more. */
      repeated: (step: string, times: number) => string
      /** A list of steps, in the order they were taken: `Password accepted, then wrong code (2 times), then authenticator app accepted`. */
      next: (before: string, step: string) => string
    }
  }

  acts: {
    running: string
    unlock: UserActionMessages
    forceReset: UserActionMessages
    /** `name` is a name that can't be used. Do not translate the reserved names. */
    setGroups: UserActionMessages & { field: string; wrong: (name: string) => string }
    endSessions: UserActionMessages
    endSession: UserActionMessages
    sendLink: UserActionMessages
    /** `oneself` replaces the button on the administrator's own page. */
    removeFactor: UserActionMessages & { oneself: string }
    /** `mismatch`: the typed address is not that of the user. */
    delete: UserActionMessages & { field: (who: string) => string; mismatch: string; oneself: string }
    /** `taken`: another user has the typed address. */
    add: Omit<UserActionMessages, 'title'> & { title: string; field: string; missing: string; taken: string; zone: string }
  }

  /** In the dialog that asks for the administrator's password. */
  withoutPassword: { question: string; signOut: string }

  /** Emails that were not delivered yet. */
  mails: {
    title: string
    text: string
    /** In the column of the next attempt, for an email that the server does not send again. `status` is the mail server's, such as 550. */
    refused: (status: string) => string
    /** In the column `expires`, for an email that the server does not send again. */
    atOnce: string
    empty: string
    /** Only some of the emails are shown. */
    more: (shown: number, all: number) => string
    /** Accessible name of the table. */
    list: string
    /** `kind`: what the email is for. `expires`: when the server gives up. */
    columns: { to: string; kind: string; created: string; attempts: string; next: string; expires: string }
    kinds: Record<string, string>
    otherKind: string
  }

  passes: AdministeredPassMessages
}

/** A pass is a secret for a program, which uses it in place of a sign-in. Users and services own passes. */
type AdministeredPassMessages = {
  title: string
  /** `owner` is an email address, or `service`. */
  titleOf: (owner: string) => string
  titleOfGone: string
  text: string
  /** A 'rule' is one of the rules for protected applications. */
  noRule: string
  full: (most: number) => string
  back: string
  openUser: string
  search: string
  clear: string
  /** Screen readers only. */
  found: (count: number) => string
  filtersLabel: string
  filters: Record<PassHolders, string>
  /** `scope`: the addresses that the pass opens. `expires`: when it ends. `end`: a button that ends the pass now. */
  columns: { name: string; owner: string; scope: string; used: string; expires: string; end: string }
  /** Accessible name of the table. */
  list: string
  /** An owner that is not a user. */
  service: (name: string) => string
  empty: string
  emptySearch: (search: string) => string
  next: string
  first: string
  /** Accessible name of the button `columns.end`. */
  endOf: (name: string, owner: string) => string

  acts: {
    addPass: {
      button: string
      title: string
      text: string[]
      service: { label: string; caption: string }
      serviceWrong: string
      running: string
    }
    shown: { title: string }
    endPass: { button: string; title: (name: string) => string; text: string[]; done: (name: string) => string }
    endPasses: { button: string; title: (owner: string) => string; text: string[]; done: (owner: string) => string }
    running: string
  }
}
