import { days, hours, minutes, seconds } from './durations.ts'

/** Limits for protected applications: rules, passes, signed identities, the open-door alarm, outages. */
export const gate = {
  /** The address that a visitor requested before the sign-in: how long it is stored, and its largest size. */
  returnAddress: { lifetime: minutes(30), bytes: 2048 },

  /**
   * The largest rules file, the most rules, and how often a server checks the file for changes. The longest path of a request to an origin
   * whose rules differ by path. The longest path pattern, and how many variants its optional parts and words may have.
   */
  rules: { bytes: 1024 * 1024, most: 1000, look: seconds(1), pathBytes: 4096, patternMost: 512, variantsMost: 64 },

  /** Passes for programs. */
  pass: {
    longest: days(365),
    /** How long before the end of a pass its owner gets mail. */
    warn: days(14),
    perUser: 20,
    services: 200,
    /** The most targets, methods and networks of a pass. */
    scopeMost: 20,
    nameLength: 64,
    /** The longest address of a scope. */
    addressLength: 512,
    /** How outdated the stored time of the last use may be. */
    usedEvery: minutes(1),
    /** How many compiled scopes a server keeps in memory. */
    scopes: 1000,
  },

  /** The signed identity of a user for a protected application. */
  assertion: {
    lifetime: minutes(1),
    /** For how long a server sends the same assertion. At least half of its lifetime is left then. */
    reuse: seconds(30),
    /** How many assertions a server keeps in memory, about 1 KB each. */
    kept: 10_000,
    /** For how long a server and a verifier may use the keys they have read. */
    keysFor: minutes(1),
    keySetFor: minutes(5),
    /** How long a new key is published before servers sign with it. More than the two periods above. */
    keyAhead: minutes(10),
    /** How long a key is published after its successor has begun to sign. */
    keyKept: hours(1),
  },

  /** The open-door alarm (`GATEHOUSE_OPEN_DOOR_ALARM`). */
  openDoor: {
    /** How often one of the servers requests the protected origins, and how soon again while a finding is unconfirmed or no answer came. */
    every: minutes(5),
    again: minutes(1),
    /** How often each server checks whether a round is due. */
    look: seconds(10),
    /** How long a server waits after its start, so that the proxy is up as well. */
    settle: minutes(1),
    /** How many rounds in a row must show a finding before it counts. */
    confirmedFrom: 2,
    /** The time for the head of an answer, and its largest size. The server does not read bodies. */
    patience: seconds(5),
    headBytes: 32_768,
    /** The most paths of an origin, addresses of a round, and requests at the same time. */
    pathsMost: 10,
    addressesMost: 300,
    parallelMost: 20,
    /** How long a check accepts the token in a request of the alarm. */
    proof: minutes(1),
    /**
     * A certificate expires soon if less than `certificate` is left, or less than a fifth of its
     * lifetime if that is shorter.
     */
    certificate: days(14),
    certificateShareMost: 5,
    /** How long an origin has to be unreachable before administrators get mail. */
    unreachable: minutes(15),
    /**
     * The shortest time between two mails that report new alarms about the same origin. If the
     * second alarm lasts, its mail is sent after this time. A worse finding during an alarm is
     * mailed at once.
     */
    mailAgain: hours(1),
  },

  /** Checks while the database is unreachable (`GATEHOUSE_OUTAGE_GRACE`). */
  outage: {
    /** The longest `GATEHOUSE_OUTAGE_GRACE`. */
    longest: minutes(15),
    /** A session that a check found this recently may pass. */
    usedWithin: minutes(15),
    /** How many such sessions a server keeps, about 1 KB each: the most recently used ones. */
    kept: 2000,
    /** How often a server reads these sessions from the database, to learn which ones other servers have ended. */
    look: seconds(0.5),
    /** A database that takes longer to answer this read counts as unreachable. */
    patience: seconds(1),
    /** If the last read is older than this when the outage is noticed, no session passes. */
    unheard: seconds(2),
    /** How long the administration page shows an outage after its end. */
    shown: days(1),
    /**
     * How long reads ignore a session after a statement that ends it: until the commit, a read
     * still finds the session.
     */
    settle: seconds(3),
  },
} as const
