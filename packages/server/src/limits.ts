/** Every lifetime and limit of the server, in one place. Durations are milliseconds, made by these four. */
export const seconds = (n: number) => n * 1000
export const minutes = (n: number) => n * seconds(60)
export const hours = (n: number) => n * minutes(60)
export const days = (n: number) => n * hours(24)

export const limits = {
  /** A request body, in bytes. No call needs more than a fraction of it. */
  bodyBytes: 16 * 1024,

  password: {
    /** Fewest code points while the password can be the only factor (NIST SP 800-63B-4 §3.1.1.2). */
    minCodePoints: 15,
    /** Argon2id as OWASP's Password Storage Cheat Sheet asks at least: memory in KiB, passes, lanes. */
    argon2id: { memoryCost: 19_456, timeCost: 2, parallelism: 1 },
    /** Longest wait for a turn to hash; after it the caller is told to come back. */
    queueWait: seconds(2),
    /** Most callers waiting for a turn, for each that hashes. */
    queuePerSlot: 32,
    /** What a caller who found the queue full is told to wait. */
    retryAfter: seconds(2),
  },

  lockout: {
    /** From this many wrong passwords in a row on, each is followed by a wait. */
    waitFrom: 10,
    firstWait: seconds(30),
    longestWait: hours(1),
    /** This many in a row without a success disable the password until it is reset. */
    disabledFrom: 100,
  },

  /** The one-time code (selector, token) with which a sign-in is handed to the dashboard. */
  handOver: { lifetime: seconds(60) },

  session: {
    idle: hours(1),
    absolute: hours(24),
    /** How stale `sessionSeen` may get; a check writes no oftener than this. */
    seenEvery: minutes(1),
    perUser: 20,
    /** How recent a sign-in must be for an administrator's acts. */
    fresh: minutes(15),
  },

  /** How long a browser that signed in before keeps its own lockout count, and how many of them a user can have. */
  knownBrowser: { lifetime: days(365), perUser: 50 },

  /** How long a request may take to arrive whole. */
  arrival: seconds(30),

  stop: {
    /** Between being asked to stop and taking no more connections: what is on its way still gets an answer. */
    notice: seconds(0.3),
    /** For requests under way after that. */
    patience: seconds(10),
  },
} as const
