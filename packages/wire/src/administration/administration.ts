import * as v from 'valibot'
import { count } from '../format/count.ts'
import { type Infer, maybe, noList, shape, utcTime } from '../format/decode.ts'
import { origin } from '../format/origin.ts'
import { id, upTo, username } from '../format/text.ts'
import { secondFactorType } from '../sign-in/factor.ts'
import { providerNames } from '../sign-in/magic-link.ts'

const groupNames = (most: number) => v.pipe(v.array(upTo(63)), v.maxLength(most, `expected at most ${most} groups`))

/**
 * What the open-door alarm can find at a protected origin, worst first. `CertificateEnds`: the proxy refused the request as it should,
 * but its certificate expires soon. `Closed`: nothing is wrong.
 */
export const doorStates = [
  'Open',
  'CheckSkipped',
  'RedirectLoop',
  'RedirectElsewhere',
  'CertificateInvalid',
  'NameNotFound',
  'Unreachable',
  'CertificateEnds',
  'Closed',
] as const
/** One of {@link doorStates}. */
export type DoorState = (typeof doorStates)[number]

const doorFound = v.object({
  origin: upTo(300),
  state: v.picklist(doorStates),
  /** The path of the request that revealed the state. */
  path: upTo(4096),
  /** The status of the answer. Null if no answer arrived. */
  status: v.nullable(count),
  /** When the state began. */
  since: utcTime,
})

/** The counts beside the names of the sections, the last database outage, and the findings of the open-door alarm. */
export const AdministrationOverview = shape(
  'AdministrationOverview',
  v.object({
    users: count,
    withoutFactor: count,
    skipped: count,
    locked: count,
    forcedReset: count,
    withPasskey: maybe(count),
    mailsWaiting: count,
    /** Waiting emails whose first attempt failed. */
    mailsTriedInVain: count,
    /** Emails whose recipient the mail server permanently refused in the last 7 days. */
    mailsRefused: maybe(count),
    /** The end of this server's last database outage. Set if that was within the last day and checks passed during the outage. */
    outageEnded: maybe(utcTime),
    outageChecks: maybe(count),
    /** Findings of the open-door alarm that are still current, worst first. */
    doors: maybe(v.array(doorFound)),
  }),
)
export type AdministrationOverview = Infer<typeof AdministrationOverview>

/** Which users the administration page lists. */
export const userFilters = ['All', 'WithoutFactor', 'Skipped', 'Locked', 'ForcedReset', 'Administrators', 'WithPasskey'] as const
/** One of {@link userFilters}. */
export type UserFilter = (typeof userFilters)[number]

/** The columns that the list of users can be sorted by. */
export const userSorts = ['Address', 'LastSignIn', 'Added'] as const
/** One of {@link userSorts}. */
export type UserSort = (typeof userSorts)[number]

/**
 * Query of the list of users: part of an address, a filter, the order, and the cursor of the previous page. By default sorted by address,
 * ascending; a search then lists addresses that begin with the text first.
 */
export const UserListRequest = shape(
  'UserListRequest',
  noList(
    v.strictObject({
      search: v.optional(upTo(320)),
      filter: v.optional(v.picklist(userFilters)),
      sort: v.optional(v.picklist(userSorts)),
      descending: v.optional(v.boolean()),
      after: v.optional(upTo(400)),
    }),
  ),
)
export type UserListRequest = Infer<typeof UserListRequest>

/**
 * `until` is the lock's end. Without it, the lock holds until a reset or until an administrator removes it. `attempts`: how
 * many consecutive wrong passwords or codes caused it.
 */
const lock = v.object({ of: v.picklist(['Password', 'SecondFactor']), until: maybe(utcTime), attempts: count })

const listedUser = v.object({
  userId: v.string(),
  userIdent: v.string(),
  userCreated: utcTime,
  userForcedReset: v.boolean(),
  administrator: v.boolean(),
  lastSignIn: maybe(utcTime),
  ways: v.array(v.picklist(['Password', ...providerNames])),
  /** Verified factors only. */
  factors: count,
  /** How many of them are passkeys. */
  passkeys: maybe(count),
  /** How many of the passkeys sign the user in without a password. Absent if the server does not say. */
  passkeysAlone: maybe(count),
  /** How often the user skipped the set-up of a second factor, and how often they may. */
  skipCount: count,
  skipMost: count,
  sessions: count,
  locks: v.array(lock),
})
/** A user in the list. */
export const ListedUser = shape('ListedUser', listedUser)
export type ListedUser = Infer<typeof ListedUser>

/** How many users of each filter the search finds. */
const userCounts = v.object({
  All: count,
  WithoutFactor: count,
  Skipped: count,
  Locked: count,
  ForcedReset: count,
  Administrators: count,
  WithPasskey: count,
})

/** A page of the list. `after` is the cursor of the next page, if there is one. */
export const UserList = shape('UserList', v.object({ users: v.array(listedUser), after: maybe(v.string()), counts: userCounts }))
export type UserList = Infer<typeof UserList>

/** A user to add, with an IANA time zone. The server mails a link to choose a password. */
export const UserAdditionRequest = shape('UserAdditionRequest', v.strictObject({ userIdent: username, userTZLabel: upTo(64) }))
export type UserAdditionRequest = Infer<typeof UserAdditionRequest>

/** The user that an administrator acts on. */
export const UserActRequest = shape('UserActRequest', v.strictObject({ userId: id }))
export type UserActRequest = Infer<typeof UserActRequest>

/** A user's groups, which replace the user's previous groups. The rules for protected applications name groups. */
export const UserGroupsRequest = shape('UserGroupsRequest', v.strictObject({ userId: id, groups: groupNames(50) }))
export type UserGroupsRequest = Infer<typeof UserGroupsRequest>

/** Removes a second factor of another user; for administrators. */
export const FactorRemovalRequest = shape('FactorRemovalRequest', v.strictObject({ userId: id, factorUUID: id }))
export type FactorRemovalRequest = Infer<typeof FactorRemovalRequest>

/** Ends a session of another user, by its id in the list; for administrators. */
export const SessionRemovalRequest = shape('SessionRemovalRequest', v.strictObject({ userId: id, sessionId: id }))
export type SessionRemovalRequest = Infer<typeof SessionRemovalRequest>

/** A user to delete. The administrator must type the user's address. */
export const UserRemovalRequest = shape('UserRemovalRequest', v.strictObject({ userId: id, userIdent: username }))
export type UserRemovalRequest = Infer<typeof UserRemovalRequest>

/** Everything that administrators see of a user. It contains no selector, secret or hash. */
export const UserDetail = shape(
  'UserDetail',
  v.object({
    user: listedUser,
    userTZLabel: v.string(),
    /** Groups that administrators gave the user, and those from the rules file and a provider. */
    groups: groupNames(50),
    groupsElsewhere: groupNames(200),
    recoveryCodes: count,
    /** How many passes the user's programs have. */
    passes: maybe(count),
    /** From how many addresses the newest wrong passwords came, if the password is locked. */
    wrongPasswordAddresses: count,
    /** When phones get requests again, if too many in a row were denied or not answered. */
    approvalsPausedUntil: maybe(utcTime),
    /** Whether users need a second factor, and how often this user may still skip setting one up. */
    secondFactorPolicy: v.picklist(['Off', 'Skippable', 'Required']),
    skipsLeft: count,
    factors: v.array(
      v.object({
        factorUUID: v.string(),
        factorFriendlyName: v.string(),
        factorFactorType: secondFactorType,
        factorDateVerified: maybe(utcTime),
        factorDateLastUsed: maybe(utcTime),
      }),
    ),
    sessions: v.array(
      v.object({
        sessionId: v.string(),
        /** Whether it is the session of this call. */
        own: v.boolean(),
        sessionCreated: utcTime,
        sessionSeen: utcTime,
        from: origin,
      }),
    ),
    /** The newest rows of the audit log, newest first, without views by administrators. Steps of one sign-in have the same `signIn`. */
    activity: v.array(
      v.object({
        auditAt: utcTime,
        auditEvent: v.string(),
        auditResult: v.string(),
        signIn: maybe(v.string()),
        from: maybe(origin),
        by: v.picklist(['Self', 'Administrator', 'CommandLine', 'Nobody']),
      }),
    ),
  }),
)
export type UserDetail = Infer<typeof UserDetail>

/**
 * Refused emails, then waiting ones, each oldest first, with recipient and kind but without content. `waiting` counts all of them, `mails`
 * lists some.
 */
export const WaitingMails = shape(
  'WaitingMails',
  v.object({
    waiting: count,
    mails: v.array(
      v.object({
        mailId: v.string(),
        /** Masked if the address belongs to no user; absent if the email cannot be decrypted. */
        mailTo: maybe(v.string()),
        mailKind: v.string(),
        mailCreated: utcTime,
        mailAttempts: count,
        mailNext: utcTime,
        mailExpires: utcTime,
        /** The SMTP status with which the mail server permanently refused the recipient. The email is not sent again. */
        mailRefused: maybe(count),
      }),
    ),
  }),
)
export type WaitingMails = Infer<typeof WaitingMails>

/** Time spans of the board: 24 hours, 7 days, 30 days, 90 days. */
export const boardRanges = ['Day', 'Week', 'Month', 'Quarter'] as const
/** One of {@link boardRanges}. */
export type BoardRange = (typeof boardRanges)[number]

/** Query of the board of sign-ins: the last 24 hours, or the last 7, 30 or 90 days. */
export const BoardRequest = shape('BoardRequest', noList(v.strictObject({ range: v.optional(v.picklist(boardRanges)) })))
export type BoardRequest = Infer<typeof BoardRequest>

/**
 * How a user signs in; `Skip` defers the second factor. `Passkey` is a passkey alone, `PasskeyFactor` a passkey after another first factor.
 */
export const signInWays = [
  'Password',
  'OneTimeLink',
  'Google',
  'Azure',
  'Pak',
  'TOTP',
  'Push',
  'RecoveryCode',
  'Skip',
  'Passkey',
  'PasskeyFactor',
] as const
/** One of {@link signInWays}. */
export type SignInWay = (typeof signInWays)[number]

/**
 * The result of a step of a sign-in. `SignedIn`: it was the last step. `Passed`: another step followed. `Locked`: blocked by the lockout.
 */
export const signInOutcomes = ['SignedIn', 'Passed', 'WrongPassword', 'WrongCode', 'Locked', 'ForcedReset', 'Refused'] as const
/** One of {@link signInOutcomes}. */
export type SignInOutcome = (typeof signInOutcomes)[number]

/** Steps of sign-ins over time. `slots` are the starts of hours or days; each count belongs to the slot at the same index. */
export const SignInBoard = shape(
  'SignInBoard',
  v.object({
    /** The IANA time zone of the days. */
    zone: v.string(),
    step: v.picklist(['Hour', 'Day']),
    slots: v.array(utcTime),
    series: v.array(v.object({ way: v.picklist(signInWays), outcome: v.picklist(signInOutcomes), counts: v.array(count) })),
  }),
)
export type SignInBoard = Infer<typeof SignInBoard>

const atLeastOne = 'expected at least one'

/** Query of sign-in steps with one of the given methods and one of the given results, since `from` and before `until`. */
export const AttemptListRequest = shape(
  'AttemptListRequest',
  v.strictObject({
    from: utcTime,
    until: utcTime,
    ways: v.pipe(v.array(v.picklist(signInWays)), v.minLength(1, atLeastOne), v.maxLength(signInWays.length)),
    outcomes: v.pipe(v.array(v.picklist(signInOutcomes)), v.minLength(1, atLeastOne), v.maxLength(signInOutcomes.length)),
    after: v.optional(upTo(400)),
  }),
)
export type AttemptListRequest = Infer<typeof AttemptListRequest>

/**
 * The sign-in steps behind one bar of the sign-in chart, newest first. `user` is absent for addresses that no user has, and for
 * deleted users.
 */
export const AttemptList = shape(
  'AttemptList',
  v.object({
    attempts: v.array(
      v.object({
        auditAt: utcTime,
        way: v.picklist(signInWays),
        outcome: v.picklist(signInOutcomes),
        user: maybe(v.object({ userId: v.string(), userIdent: v.string() })),
        from: maybe(origin),
      }),
    ),
    after: maybe(v.string()),
  }),
)
export type AttemptList = Infer<typeof AttemptList>
