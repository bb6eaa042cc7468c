import { days, hours, minutes, seconds } from './durations.ts'
import { gate } from './gate-limits.ts'
import { mail, mailLink } from './mail-limits.ts'
import { password } from './password-limits.ts'

export { days, hours, minutes, seconds }

/** Every lifetime and limit of the server. Durations are milliseconds, computed by the four functions of durations.ts. */
export const limits = {
  /** The largest request body, in bytes. Calls need only a fraction of it. */
  bodyBytes: 16 * 1024,

  /** The largest request head, in bytes. Checks carry the head that the proxy accepted, and nginx accepts 32 KB. */
  headBytes: 40 * 1024,

  password,

  /** The import of users from other programs. */
  import: {
    /** The largest CSV or htpasswd file. */
    fileBytes: 64 * 1024 * 1024,
    /** The largest YAML file. Its parse tree takes many times as much memory. */
    yamlBytes: 16 * 1024 * 1024,
    /** The most users in a file. Each takes the time of one Argon2id hash. */
    usersMost: 100_000,
    /** How many users one transaction creates. */
    usersAtOnce: 100,
  },

  lockout: {
    /** After this many wrong passwords in a row, and after each further one, the user has to wait. */
    waitFrom: 10,
    firstWait: seconds(30),
    longestWait: hours(1),
    /** Wrong passwords in a row that disable the password until it is reset. */
    disabledFrom: 100,
  },

  /**
   * Wrong TOTP codes, recovery codes and phone approval numbers share one count per user (NIST SP
   * 800-63B-4 §3.2.2).
   */
  codes: {
    /** After each run of this many wrong codes, the server accepts no codes for `pause`. */
    pauseEvery: 5,
    pause: minutes(15),
    /** Wrong codes in a row that disable codes and phone approvals until the count is reset. */
    disabledFrom: 100,
    /** After this many wrong codes in a row, the user gets a notice, at most once a day, if the password was right. */
    noticeFrom: 3,
  },

  /** RFC 6238: a new code each `step`. Codes of `window` steps before and after are accepted (§5.2). */
  totp: {
    secretBytes: 20,
    step: seconds(30),
    window: 1,
    /** If two wrong codes in a row are both off by the same number of steps, up to this many, the phone's clock is wrong. */
    hint: { window: 20 },
  },

  factor: {
    /** How long the user has to verify a new factor. */
    unverified: minutes(10),
    /** After this many wrong first codes, the factor accepts no more codes. */
    wrongFirstCodes: 5,
    /** The most second factors of one user, apart from passkeys. */
    perUser: 5,
    /** The longest name of a factor, in code points. */
    nameLength: 64,
  },

  challenge: { lifetime: minutes(10) },

  /** Phone approvals (NIST SP 800-63B-4 §3.1.3). */
  push: {
    lifetime: minutes(2),
    /** How long after the end of a request its approval can still be redeemed. */
    grace: seconds(30),
    /** The most requests to a user's phones in the period `within`. The table `push_counts` stores this many instants. */
    most: 3,
    within: minutes(10),
    /** The most requests since the last sign-in with a second factor. */
    sinceSuccess: 10,
    /** How many denials or unanswered requests in a row pause phone approvals. */
    denied: 2,
    unanswered: 3,
    pause: hours(24),
    /** How long a phone may take to sign a nonce. */
    nonce: minutes(2),
    /** The lifetime of an enrollment link. */
    enrolment: minutes(10),
  },

  passkey: {
    /** The lifetime of a passkey challenge; `setUp` is for the first set-up. */
    challenge: minutes(5),
    setUp: minutes(10),
    /** The most passkeys of one user. The other second factors have their own limit. */
    perUser: 20,
    /** The length of the random user handle. */
    handleBytes: 32,
  },

  /** Push notifications of a challenge. */
  wake: {
    every: seconds(1),
    /** The most parallel deliveries: those that have run for less than `slowAfter`, and all. */
    slots: { quick: 20, all: 100 },
    /** The most parallel deliveries to one push service. */
    destinationSlots: { quick: 15, all: 50 },
    slowAfter: seconds(1),
    /** The lease of a notification; longer than a delivery can take. */
    lease: seconds(15),
    /** The wait after the first failure; it doubles with each. */
    wait: seconds(3),
  },

  /** Live updates, for waiting pages and open approvers. */
  sockets: {
    /** The most sockets of one network, and of all. */
    perAddress: 100,
    most: 5000,
    /** The largest incoming frame, in bytes, and the most frames of a socket. */
    bytes: 4096,
    frames: 20,
    /** A client that does not answer a ping is disconnected at the next one. */
    ping: seconds(30),
    /** How often to read the changes of other servers. */
    look: seconds(1),
  },

  /** How often, and for how long after the first time, a user can skip second-factor set-up. */
  skip: { most: 3, within: days(7) },

  /** Each code has 80 bits, as base32. */
  recoveryCodes: { count: 10, bytes: 10 },

  /** Proves the first factor after a one-time link or a provider, and on pages without scripts. */
  ticket: { lifetime: minutes(5) },

  /** How long after the first step of a sign-in the audit log assigns further steps to the same sign-in. */
  signInId: { lifetime: minutes(15) },

  /** The result of a form without a script, until the next page shows it. */
  pageNote: { lifetime: minutes(1) },

  /** From the redirect to a provider to the return. */
  ssoJourney: { lifetime: minutes(10) },

  /** How long the sign-in page mentions that a provider did not respond. */
  providerOutage: { shown: minutes(2) },

  provider: {
    /** The timeout and the largest size of a provider's response. */
    patience: seconds(5),
    bytes: 1024 * 1024,
    /** How far off a provider's clock may be. */
    leeway: seconds(60),
    /** How long a provider's metadata is cached. */
    remembered: hours(1),
    /** The shortest time between two fetches of the metadata after signatures by unknown keys. */
    refreshed: seconds(10),
  },

  mailLink,

  mail,

  ...gate,

  /** Limits per network (IPv4 address, IPv6 /64 and IPv6 /48), counted by each server. */
  rates: {
    /** The limit of an IPv6 /48 network, as a multiple of that of a /64 network. */
    siteTimes: 3,
    /** The most networks that each limit counts separately; others share the emptiest counts. An IPv6 network also counts for its /48. */
    buckets: { ipv4: 10_000, ipv6: 10_000, sites: 5000 },
    /** Attempts to sign in, with password, code or link. */
    signIn: { most: 30, within: minutes(1) },
    /** Different accounts that these attempts name. */
    accounts: { most: 100, within: hours(1) },
    /** Requests for mail. */
    mail: { most: 20, within: hours(1) },
    /** Calls that present a token: a link, a code or a session. */
    tokens: { most: 120, within: minutes(1) },
    /** Polls for a status, by pages and phones without live updates. */
    polls: { most: 600, within: minutes(1) },
    /** Return addresses that checks store, for one network and for all. */
    returns: { most: 120, within: minutes(1) },
    allReturns: { most: 3000, within: minutes(1) },
    /** Wrong passes. */
    passes: { most: 30, within: minutes(1) },
  },

  /** After this many redirects without success, the server explains the loop on a page. */
  loop: { most: 3, within: seconds(10) },

  /** How many untrusted peers that send X-Forwarded-For one server logs. */
  untrustedPeers: { most: 10 },

  /** The lifetime of the doctor's proof, and how far the clocks may differ. */
  doctorProof: minutes(5),

  /** How long the mark of a sign-in lasts. The mark reveals that a browser did not store the session cookie. */
  signedInMark: { lifetime: seconds(30) },

  /** How long the sign-in page stays open to a user who is signed in and has to sign in again. */
  signInAgain: { lifetime: minutes(10) },

  languageCookie: { lifetime: days(365) },

  masterKey: {
    /** How often a server reloads its keys. */
    reload: seconds(5),
    /** After this time every server encrypts with the new key. */
    settle: seconds(7),
    /** How many values a rotation encrypts at a time, and how long it then pauses for other statements. */
    batch: 25,
    pause: seconds(0.02),
    /**
     * A rotation gives up after this many walks through all values: if the last walk still finds values to encrypt, some server uses an old
     * key.
     */
    walks: 10,
  },

  /** How the server counts sign-in steps for the administration page. */
  board: {
    /** The length of a time slot. The days of every time zone consist of whole slots. */
    slot: minutes(15),
    /** How long to wait after the end of a slot: a row may be committed some time after its timestamp. */
    settle: minutes(5),
    every: minutes(1),
    /** The length of the period that one statement counts, before other statements run. */
    stretch: hours(6),
  },

  /** How many users, mails, audit rows of a user, sign-in steps and passes the administration page shows at once. */
  lists: { users: { most: 50 }, mails: { most: 100 }, activity: { most: 60 }, attempts: { most: 50 }, passes: { most: 50 } },

  purge: {
    every: minutes(10),
    /** How long closed challenges and failed attempts are kept. */
    challenges: days(7),
    failedLogins: days(30),
  },

  /** The server and the doctor warn of clocks that differ by more than `warn`. Beyond `refuse`, the doctor reports a problem. */
  clockSkew: {
    warn: seconds(5),
    refuse: seconds(30),
    /**
     * A larger change against the monotonic counter means that the clock was set. Rows further in
     * the future prove that it was set back.
     */
    step: seconds(30),
    /** How often a server checks for a step of the clock, and for rows from before a step that it missed. */
    look: seconds(5),
    rebase: minutes(1),
  },

  /** The hand-over code (selector, token) of a sign-in. */
  handOver: { lifetime: seconds(60) },

  session: {
    idle: hours(1),
    absolute: hours(24),
    /** How old `sessionSeen` may be: the server stores the last use of a session at most this often. */
    seenEvery: minutes(1),
    perUser: 20,
    /** How recent the last sign-in or reauthentication must be for changes that a stolen session must not make. */
    fresh: minutes(15),
  },

  /** Activity rows per page of the account page. */
  activity: { perPage: 20 },

  /** How long a known browser keeps its own lockout counter, and how many known browsers a user can have. */
  knownBrowser: { lifetime: days(365), perUser: 50 },

  connections: {
    /** How long a request may take to arrive completely, and how long a new connection may wait before its first request. */
    arrival: seconds(30),
    /** How long a response may wait for a client that reads slowly or not at all. */
    reading: minutes(1),
    /** How long a connection stays open after an unreadable request or our WebSocket close frame, so that the client can read it. */
    linger: seconds(0.5),
    /** How often connections are checked for these limits. */
    look: seconds(1),
  },

  start: {
    /** The delay between the server's start and its one forced garbage collection. By then, it has answered its first requests. */
    settled: seconds(3),
  },

  /** `/readyz` writes to the database at most this often. It returns 503 while the disk of a SQLite database is almost full. */
  readiness: { every: seconds(2), freeBytes: 1024 * 1024 },

  stop: {
    /** How long a stopping server still answers, unless GATEHOUSE_DRAIN overrides it. */
    drain: seconds(5),
    /** How long running requests may take after the drain time. */
    patience: seconds(3),
    /** The process ends within this time after the drain time, even if mail servers, push services or the database hang. */
    deadline: seconds(4.5),
    /**
     * A second signal ends the drain time at once, and the process within `hurried`. The server ignores signals within `repeated` of the
     * first, because `npm start` may forward a signal that the server also received itself.
     */
    hurried: seconds(1),
    repeated: seconds(1),
    /**
     * The most CPU time that a stopping server spends waiting for a moment without new connections.
     */
    quiet: seconds(0.2),
  },
} as const
