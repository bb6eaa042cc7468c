import { days, hours, minutes, seconds } from './durations.ts'

/** Lifetimes and limits of links in mails. */
export const mailLink = {
  oneTime: minutes(10),
  passwordReset: minutes(30),
  /** For a user whom an administrator has added and who has never signed in. */
  invitation: hours(24),
  factorReset: minutes(10),
  emailChange: minutes(30),
  /** How many attempts a user has to type the code of a one-time link, and to type the number that the waiting tab shows. */
  codes: { most: 5 },
  numbers: { most: 3 },
  /** How long the server can tell an expired or used link from an unknown one. */
  remembered: days(7),
} as const

/** Limits on mail requests and deliveries. */
export const mail = {
  /**
   * The most mails of a kind to one user at the request of one network, and of all known browsers together. A known browser
   * beyond its quota shares that of its network. Requests beyond a network's quota send nothing, and the response does not reveal that.
   */
  few: { most: 3, within: minutes(15) },
  many: { most: 10, within: days(1) },
  /** The quota of an IPv6 /48 network, as a multiple of that of a /64 network. */
  siteTimes: 2,
  /** The quota of all networks together. Beyond it, the server sends an address at most one mail of a kind per `spacing`. */
  strangers: { few: { most: 30, within: minutes(15) }, many: { most: 60, within: days(1) }, spacing: minutes(30) },
  /** How often the mail sender reads the outbox. */
  every: seconds(1),
  /** The most parallel deliveries: those that have run for less than `slowAfter`, and all. */
  slots: { quick: 5, all: 25 },
  /** The maximum number of parallel deliveries to one domain: `quick` and `all` as above. */
  destinationSlots: { quick: 4, all: 10 },
  slowAfter: seconds(3),
  /** The lease of a mail; longer than a delivery can take. */
  lease: minutes(2),
  /** The timeout of each step with the mail server, and of the whole delivery. */
  patience: seconds(10),
  deadline: minutes(1),
  /** The wait after the first failure; it triples with each. */
  firstWait: seconds(5),
  longestWait: minutes(15),
  /** How long mail without an expiry is retried. */
  giveUp: days(3),
  /** How long administrators see a permanently refused mail. */
  refusedShown: days(7),
  /** The shortest time between two notices of a kind to one user, if an attacker could cause them. */
  noticeEvery: days(1),
  /** The most mails in the development mailbox. */
  mailbox: 200,
} as const
