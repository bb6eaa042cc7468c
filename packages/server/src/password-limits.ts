import { minutes, seconds } from './durations.ts'

/** Limits on passwords: their length and strength, how they are hashed, and the queue of callers that wait for a hash. */
export const password = {
  /** Fewest code points while the password can be the only factor (NIST SP 800-63B-4 §3.1.1.2). */
  minCodePoints: 15,
  /** Fewest code points if every user needs a second factor. */
  minCodePointsWithFactor: 8,
  /**
   * The estimate of an attacker's guesses: the thresholds, and how much of a password it covers.
   */
  estimate: {
    guesses: 1e10,
    /** The threshold for a password with fewer than `minCodePoints`. */
    guessesShort: 1e6,
    /** The most characters of a password that the estimate covers. Its time grows faster than the length. */
    lengthMost: 64,
    /** The most substitutions of digits and symbols for letters. */
    substitutionsMost: 8,
    /** The most passwords that wait for an estimate. */
    queueMost: 32,
  },
  /** The minimum of OWASP's Password Storage Cheat Sheet: memory in KiB, passes, lanes. */
  argon2id: { memoryCost: 19_456, timeCost: 2, parallelism: 1 },
  /**
   * Hashes of other programs: what the import accepts. While the database has a hash of a kind,
   * each sign-in computes one hash of that kind.
   */
  old: {
    /** The most memory of an Argon2 hash in KiB, and the most memory times passes. */
    argon2MemoryMost: 262_144,
    argon2WorkMost: 1_048_576,
    lanesMost: 16,
    bcryptCostMost: 14,
    /** The most rounds of SHA-256-crypt and SHA-512-crypt. */
    shaCryptRoundsMost: 200_000,
    pbkdf2RoundsMost: 1_000_000,
    /** The most memory of a scrypt hash, in bytes. */
    scryptMemoryMost: 134_217_728,
    /** The most kinds in a database: algorithms with their parameters. */
    kindsMost: 16,
    /** The longest time that one hash of each kind may take in total, as estimated for one 3 GHz core. */
    millisMost: seconds(2),
  },
  /** The longest wait for a turn to hash; then the caller gets `Busy`. */
  queueWait: seconds(2),
  /**
   * How many callers have a turn in addition to the hashes that run or wait at the threads. These
   * callers query the database meanwhile.
   */
  turnsBesideCores: 4,
  /** The most waiting callers per hash thread, separately for known browsers and for strangers. */
  queuePerSlot: 32,
  /** While known browsers and strangers wait, one in this many turns goes to a known browser. */
  knownEvery: 2,
  /**
   * How long turns count against a flow in the queue: a network or, for known browsers, an account. And how many flows are remembered
   * for each half of that time.
   */
  queueMemory: { within: minutes(1), flows: 10_000 },
  /** The Retry-After of a full queue. */
  retryAfter: seconds(2),
  /** How long an idle hash thread stays. */
  threadIdle: seconds(30),
  /** The niceness of hash threads (nice(2)), so that session checks do not wait for hashes. */
  threadNiceness: 19,
} as const
