import * as v from 'valibot'
import { type Infer, maybe, shape, utcTime } from '../format/decode.ts'
import { origin } from '../format/origin.ts'
import { id, password, upTo, username } from '../format/text.ts'
import { secondFactorType, uuid } from '../sign-in/factor.ts'
import { providerNames } from '../sign-in/magic-link.ts'

const count = v.pipe(
  v.number(),
  v.check(n => Number.isSafeInteger(n) && n >= 0, 'expected a whole number, 0 or more'),
)

const kinds = [
  'SignedIn',
  'SignedOut',
  'SignedOutByAdministrator',
  'SessionEnded',
  'OtherSessionsEnded',
  'SessionForged',
  'PasswordWrong',
  'SignInLocked',
  'CodeWrong',
  'CodesPaused',
  'SignInDenied',
  'PasswordConfirmed',
  'PasswordChanged',
  'PasswordReset',
  'ResetAsked',
  'ResetForced',
  'FactorStarted',
  'FactorAdded',
  'FactorSkipped',
  'FactorRenamed',
  'FactorRemoved',
  'FactorResetAsked',
  'RecoveryCodesMade',
  'RecoveryCodeUsed',
  'EmailChangeAsked',
  'EmailChanged',
  'ProviderLinked',
  'ProviderUnlinked',
  'TimeZoneChanged',
  'AccountAdded',
  'AccountUnlocked',
  'Administered',
  'Other',
] as const
/** What was done to an account, as its owner is told; `Administered` is what an administrator did to another one. */
export type ActivityKind = (typeof kinds)[number]

const activity = v.object({
  rows: v.pipe(v.array(v.object({ kind: v.picklist(kinds), at: utcTime, from: maybe(origin) })), v.maxLength(1000)),
  more: maybe(v.string()),
})
/** What was done to an account and by its owner, newest first. `more` leads on to what was before that, where there is any. */
export const Activity = shape('Activity', activity)
export type Activity = Infer<typeof Activity>

/** Answer of /user/account: what people are told of their own account. */
export const OwnAccount = shape(
  'OwnAccount',
  v.object({
    userIdent: v.string(),
    /** An IANA time zone, `Europe/Amsterdam`. */
    userTZLabel: v.string(),
    administrator: v.boolean(),
    hasPassword: v.boolean(),
    /** Fewest code points of a password. */
    minPasswordLength: count,
    /** Those that are set up or linked. */
    providers: v.pipe(v.array(v.object({ provider: v.picklist(providerNames), linked: v.boolean() })), v.maxLength(10)),
    /** Seen last first; `own` is the one that asks. */
    sessions: v.pipe(
      v.array(v.object({ sessionId: v.string(), own: v.boolean(), sessionCreated: utcTime, sessionSeen: utcTime, from: origin })),
      v.maxLength(1000),
    ),
    /** The verified ones. */
    factors: v.pipe(
      v.array(
        v.object({
          factorUUID: uuid,
          factorFriendlyName: v.string(),
          factorFactorType: maybe(secondFactorType),
          factorDateCreated: utcTime,
          factorDateLastUsed: maybe(utcTime),
        }),
      ),
      v.maxLength(1000),
    ),
    /** Whether this session may add and remove factors: it has used one, or there is none. */
    mayChangeFactors: v.boolean(),
    /** Whether the last factor may be removed. */
    mayBeWithout: v.boolean(),
    mostFactors: count,
    recoveryCodesLeft: count,
    /** How often a second factor was put off. */
    skipsUsed: count,
    activity,
  }),
)
export type OwnAccount = Infer<typeof OwnAccount>

/** Body of /user/activity: the `more` of the page before. */
export const ActivityRequest = shape('ActivityRequest', v.strictObject({ more: id }))
export type ActivityRequest = Infer<typeof ActivityRequest>

/** Body of /user/time-zone. */
export const TimeZoneRequest = shape('TimeZoneRequest', v.strictObject({ userTZLabel: upTo(64) }))
export type TimeZoneRequest = Infer<typeof TimeZoneRequest>

/** Body of /user/password/confirm: the password of the one who is signed in. */
export const ConfirmPasswordRequest = shape('ConfirmPasswordRequest', v.strictObject({ password }))
export type ConfirmPasswordRequest = Infer<typeof ConfirmPasswordRequest>

/** Body of /user/session/end: what the session goes by in the list. */
export const SessionEndRequest = shape('SessionEndRequest', v.strictObject({ sessionId: id }))
export type SessionEndRequest = Infer<typeof SessionEndRequest>

/** Body of /user/factor/rename. */
export const FactorRenameRequest = shape('FactorRenameRequest', v.strictObject({ factorUUID: uuid, factorFriendlyName: upTo(128) }))
export type FactorRenameRequest = Infer<typeof FactorRenameRequest>

/** Body of /user/factor/remove. */
export const FactorRemoveRequest = shape('FactorRemoveRequest', v.strictObject({ factorUUID: uuid }))
export type FactorRemoveRequest = Infer<typeof FactorRemoveRequest>

/** Body of /user/email/change: the address one wants to have, and the password. The change is confirmed by a link mailed there. */
export const EmailChangeRequest = shape('EmailChangeRequest', v.strictObject({ newemail: username, password }))
export type EmailChangeRequest = Infer<typeof EmailChangeRequest>

/** Body of /user/sso/link and /user/sso/unlink: a way of signing in to add or to take away, and the password. */
export const ProviderRequest = shape('ProviderRequest', v.strictObject({ provider: v.picklist(providerNames), password }))
export type ProviderRequest = Infer<typeof ProviderRequest>

/** Where the browser has to go next. */
export const Location = shape('Location', v.object({ location: v.string() }))
export type Location = Infer<typeof Location>
