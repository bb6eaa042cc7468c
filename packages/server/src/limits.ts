/** Every lifetime and limit of the server, in one place. Durations are milliseconds, made by these four. */
export const seconds = (n: number) => n * 1000
export const minutes = (n: number) => n * seconds(60)
export const hours = (n: number) => n * minutes(60)
export const days = (n: number) => n * hours(24)

export const limits = {
  /** A request body, in bytes. No call needs more than a fraction of it. */
  bodyBytes: 16 * 1024,

  /** The head of a request, in bytes: a check gets all that a proxy took, and nginx takes 32 KB. */
  headBytes: 40 * 1024,

  password: {
    /** Fewest code points while the password can be the only factor (NIST SP 800-63B-4 §3.1.1.2). */
    minCodePoints: 15,
    /** The same where nobody gets in without a second factor. */
    minCodePointsWithFactor: 8,
    /** The estimate of the guesses that an attacker needs: the threshold, and how much of a password it looks at. */
    estimate: {
      guesses: 1e10,
      /** The threshold for a password with fewer than `minCodePoints`. */
      guessesShort: 1e6,
      /** Characters from the start. The time grows faster than the length. */
      lengthMost: 64,
      /** Readings of digits and signs as letters. */
      substitutionsMost: 8,
      /** Passwords that wait to be judged. */
      queueMost: 32,
    },
    /** Argon2id as OWASP's Password Storage Cheat Sheet asks at least: memory in KiB, passes, lanes. */
    argon2id: { memoryCost: 19_456, timeCost: 2, parallelism: 1 },
    /** Longest wait for a turn to hash; after it the caller is told to come back. */
    queueWait: seconds(2),
    /** How many more have a turn than hash: they ask the database meanwhile. */
    turnsBesideCores: 4,
    /** Most callers waiting for a turn, for each that hashes: of known browsers, and as many of strangers. */
    queuePerSlot: 32,
    /** While both wait, each so many-th turn goes to a known browser. */
    knownEvery: 2,
    /** How long the turns of a network count against it in the queue, and how many networks are remembered in each half of that time. */
    queueMemory: { within: minutes(1), flows: 10_000 },
    /** What a caller who found the queue full is told to wait. */
    retryAfter: seconds(2),
    /** How long a thread that hashes stays when there is nothing to hash. */
    threadIdle: seconds(30),
    /** By how much such a thread comes after others (nice(2)): a session check waits for no hash. */
    threadNiceness: 19,
  },

  lockout: {
    /** From this many wrong passwords in a row on, each is followed by a wait. */
    waitFrom: 10,
    firstWait: seconds(30),
    longestWait: hours(1),
    /** This many in a row without a success disable the password until it is reset. */
    disabledFrom: 100,
  },

  /** Codes of second factors: six digits and recovery codes go on one count for each user (NIST SP 800-63B-4 §3.2.2). */
  codes: {
    /** Every so many wrong codes in a row are followed by a pause. */
    pauseEvery: 5,
    pause: minutes(15),
    /** This many in a row without a success disable the second factor until it is reset. */
    disabledFrom: 100,
    /** From this many on, after a right password, the owner is told. */
    noticeFrom: 3,
  },

  /** RFC 6238: a new code each `step`, and codes of so many steps before and after are taken (§5.2). */
  totp: { secretBytes: 20, step: seconds(30), window: 1 },

  factor: {
    /** How long a factor that is shown waits for its first code. */
    unverified: minutes(10),
    /** So many wrong first codes end it. */
    wrongFirstCodes: 5,
    /** Most that one user can have. */
    perUser: 5,
    /** Longest name that its owner may give one, in code points. */
    nameLength: 64,
  },

  challenge: { lifetime: minutes(10) },

  /** Devices that approve (NIST SP 800-63B-4 §3.1.3). */
  push: {
    lifetime: minutes(2),
    /** For so long after its end an approval may still be used by the browser that waited for it. */
    grace: seconds(30),
    /** Most times that the devices of a user are asked within a while; the table of counts keeps as many instants. */
    most: 3,
    within: minutes(10),
    /** Most times since the last sign-in that a second factor passed. */
    sinceSuccess: 10,
    /** After so many answers in a row that it was somebody else, or so many times without an answer, no device is asked for a while. */
    denied: 2,
    unanswered: 3,
    pause: hours(24),
    /** How long a device may take to sign what it was told to. */
    nonce: minutes(2),
    /** The link by which a device is enrolled. */
    enrolment: minutes(10),
  },

  /** Waking devices, in the life of a challenge. */
  wake: {
    every: seconds(1),
    /** Most devices that are woken at once: those that have taken less than `slowAfter`, and all. */
    slots: { quick: 20, all: 100 },
    /** The same for the devices of one push service. */
    destinationSlots: { quick: 15, all: 50 },
    slowAfter: seconds(1),
    /** How long a server that takes a device has it alone; longer than a message can take. */
    lease: seconds(15),
    /** After the first failure; then twice as long each time. */
    wait: seconds(3),
  },

  /** Live updates, for pages that wait and devices that are open. */
  sockets: {
    /** Of one address, and of all. */
    perAddress: 100,
    most: 5000,
    /** A frame that comes in, in bytes, and how many of them in a socket's life. */
    bytes: 4096,
    frames: 20,
    /** Whoever does not answer two of these is gone. */
    ping: seconds(30),
    /** How often it is looked whether another server changed something. */
    look: seconds(1),
  },

  /** How often, and for how long from the first time, somebody may put off a second factor. */
  skip: { most: 3, within: days(7) },

  /** Each has 80 bits, as base32. */
  recoveryCodes: { count: 10, bytes: 10 },

  /** Stands in for the password after a one-time link or a provider, and where no script keeps what was typed. */
  ticket: { lifetime: minutes(5) },

  /** What came of a form that was sent without a script, until the next page has said it. */
  pageNote: { lifetime: minutes(1) },

  /** From leaving for a provider to being back. */
  ssoJourney: { lifetime: minutes(10) },

  provider: {
    /** For all that is fetched from a provider: how long it may take, and its size. */
    patience: seconds(5),
    bytes: 1024 * 1024,
    /** How far its clock may be off. */
    leeway: seconds(60),
    /** How long what it says of itself is believed. */
    remembered: hours(1),
    /** How often at most it is asked again before that, because it signed with a key that we do not know. */
    refreshed: seconds(10),
  },

  mailLink: {
    oneTime: minutes(10),
    passwordReset: minutes(30),
    /** For somebody an administrator has added. */
    invitation: hours(24),
    factorReset: minutes(10),
    emailChange: minutes(30),
    /** How long a dead link can still be told from one that never was. */
    remembered: days(7),
  },

  mail: {
    /**
     * Most mails of a kind that one user is sent at the request of one network, and of all browsers together that the user has signed in
     * with. Requests past it send nothing, and the answer does not show it.
     */
    few: { most: 3, within: minutes(15) },
    many: { most: 10, within: days(1) },
    /** An IPv6 /48 network may use so many times the share of a /64 network. */
    siteTimes: 2,
    /** The same for all networks together. Past it, strangers are sent one mail of a kind each `spacing`. */
    strangers: { few: { most: 30, within: minutes(15) }, many: { most: 60, within: days(1) }, spacing: minutes(30) },
    /** How often the outbox is looked at. */
    every: seconds(1),
    /** Most mails that are sent at once: those that have taken less than `slowAfter`, and all. */
    slots: { quick: 5, all: 25 },
    /** The same for the addresses of one domain. */
    destinationSlots: { quick: 4, all: 10 },
    slowAfter: seconds(3),
    /** How long a server that takes a mail has it alone; longer than sending can take. */
    lease: minutes(2),
    /** Longest wait for the mail server at any one step, and for all of them. */
    patience: seconds(10),
    deadline: minutes(1),
    /** After the first failure, then three times as long each time. */
    firstWait: seconds(5),
    longestWait: minutes(15),
    /** What has no expiry of its own is given up after this. */
    giveUp: days(3),
    /** How long administrators see a mail that the mail server refused for good. */
    refusedShown: days(7),
    /** A notice that could be provoked by others is sent at most this often. */
    noticeEvery: days(1),
    /** Most mails the development mailbox keeps. */
    mailbox: 200,
  },

  /** For each address that calls (IPv6: each /64 network, and each /48), by one server. */
  rates: {
    /** An IPv6 /48 network may use so many times what a /64 network may. */
    siteTimes: 3,
    /** Most networks that each limit counts one by one; the others share the emptiest counts. An IPv6 network also counts for its /48. */
    buckets: { ipv4: 10_000, ipv6: 10_000, sites: 5000 },
    /** Tries to sign in, with password, code or link. */
    signIn: { most: 30, within: minutes(1) },
    /** Different accounts among them. */
    accounts: { most: 100, within: hours(1) },
    /** Requests for mail. */
    mail: { most: 20, within: hours(1) },
    /** Tokens shown, wherever they come from: what opens a session as well as the session that asks for something. */
    tokens: { most: 120, within: minutes(1) },
    /** Questions how far something has come, which pages and devices ask again and again where there are no live updates. */
    polls: { most: 600, within: minutes(1) },
    /** Return addresses that are kept for those who are not signed in, from one address and from all of them. */
    returns: { most: 120, within: minutes(1) },
    allReturns: { most: 3000, within: minutes(1) },
  },

  /** Where somebody wanted to go who was sent to sign in first: for how long and how many bytes of it are kept. */
  returnAddress: { lifetime: minutes(30), bytes: 2048 },

  /** So many returns in vain to the same place are a loop, and are explained instead of tried once more. */
  loop: { most: 3, within: seconds(10) },

  /** How many peers one server's log names that send X-Forwarded-For and are not trusted. */
  untrustedPeers: { most: 10 },

  /** How long the doctor's proof holds, with which it asks for the address that the server sees; clocks may differ by as much. */
  doctorProof: minutes(5),

  /** How long a browser shows that it was given a session's cookie, which it may not have kept. */
  signedInMark: { lifetime: seconds(30) },

  masterKey: {
    /** How often a server looks whether there is a new one. */
    reload: seconds(5),
    /** After this every server seals with the new one. */
    settle: seconds(7),
    /** A rotation seals so many things anew, then leaves the database to others for a moment. */
    batch: 25,
    pause: seconds(0.02),
    /** Walks after which a rotation gives up: somebody goes on sealing with an old key. */
    walks: 10,
  },

  /** How steps of sign-ins are counted for the administration page. */
  board: {
    /** They are counted by times of this length: every time zone's days are made of whole ones. */
    slot: minutes(15),
    /** Not before a time has been over for so long: a row may be committed some time after the instant that it bears. */
    settle: minutes(5),
    every: minutes(1),
    /** So much is counted in one go, then others get their turn. */
    stretch: hours(6),
  },

  /** How many users, mails and rows of a user's audit the administration page shows at once. */
  lists: { users: { most: 50 }, mails: { most: 100 }, activity: { most: 30 } },

  purge: {
    every: minutes(10),
    /** Decided challenges, and wrong passwords nobody came back to. */
    challenges: days(7),
    failedLogins: days(30),
  },

  /** A clock that is further off than this spoils codes and expiries. */
  clockSkew: {
    warn: seconds(5),
    refuse: seconds(30),
    /** A clock that moves by more against the monotonic counter was set. Rows that begin further in the future prove a step back. */
    step: seconds(30),
    /** How often a server looks for a step, and how often for rows from before one that it did not see. */
    look: seconds(5),
    rebase: minutes(1),
  },

  /** The one-time code (selector, token) with which a sign-in is handed to the dashboard. */
  handOver: { lifetime: seconds(60) },

  session: {
    idle: hours(1),
    absolute: hours(24),
    /** How stale `sessionSeen` may get; a check writes no oftener than this. */
    seenEvery: minutes(1),
    perUser: 20,
    /** How recently a sign-in, or its password once more, must have been proven for acts that a stolen session must not do. */
    fresh: minutes(15),
  },

  /** Rows of the account page's activity that are read at once. */
  activity: { perPage: 20 },

  /** How long a browser that signed in before keeps its own lockout count, and how many of them a user can have. */
  knownBrowser: { lifetime: days(365), perUser: 50 },

  connections: {
    /** How long a request may take to arrive whole, and a new connection to send one. */
    arrival: seconds(30),
    /** How long a client may take to read what it was sent. */
    reading: minutes(1),
    /** How long a connection stays after a request was refused that cannot be read, so that the client can read why. */
    linger: seconds(0.5),
    /** How often connections are checked for these limits. */
    look: seconds(1),
  },

  start: {
    /** When what the start has left behind in memory is cleared up: whoever waited for it is answered by then. */
    settled: seconds(3),
  },

  /** `/readyz` writes to the database at most this often, and says 503 while less than this is free on the disk of a SQLite database. */
  readiness: { every: seconds(2), freeBytes: 1024 * 1024 },

  stop: {
    /** How long a server that was told to stop goes on answering, unless GATEHOUSE_DRAIN says otherwise. */
    drain: seconds(5),
    /** How long requests under way may take after that. */
    patience: seconds(3),
    /** After the drain time the process ends within this, whatever mail servers, push services and the database do. */
    deadline: seconds(4.5),
    /** A second signal ends the drain time and the process within this; `npm start` may repeat the first one for a while. */
    hurried: seconds(1),
    repeated: seconds(1),
    /** CPU time that it spends on waiting for a moment in which no connection is being accepted. */
    quiet: seconds(0.2),
  },
} as const
