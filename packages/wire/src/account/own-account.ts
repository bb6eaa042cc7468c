import * as v from 'valibot'
import { count } from '../format/count.ts'
import { type Infer, maybe, shape, utcTime } from '../format/decode.ts'
import { origin } from '../format/origin.ts'
import { id, password, upTo, username } from '../format/text.ts'
import { passkeyAssertion } from '../passkey/passkey.ts'
import { secondFactorType, uuid } from '../sign-in/factor.ts'
import { providerNames } from '../sign-in/magic-link.ts'

const kinds = [
  'SignedIn',
  'SignedOut',
  'SignedOutByAdministrator',
  'SessionEnded',
  'OtherSessionsEnded',
  'BrowserForgotten',
  'OtherBrowsersForgotten',
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
  'PasskeyConfirmed',
  'PasskeyRefused',
  'RecoveryCodesMade',
  'RecoveryCodeUsed',
  'EmailChangeAsked',
  'EmailChanged',
  'ProviderLinked',
  'ProviderUnlinked',
  'TimeZoneChanged',
  'LanguageChanged',
  'PassCreated',
  'PassEnded',
  'AccountAdded',
  'AccountUnlocked',
  'Administered',
  'Other',
] as const
/** The kinds of events in a user's activity list. `Administered` is an administrator's action on another user. */
export type ActivityKind = (typeof kinds)[number]

const activity = v.object({
  rows: v.pipe(v.array(v.object({ kind: v.picklist(kinds), at: utcTime, from: maybe(origin) })), v.maxLength(1000)),
  more: maybe(v.string()),
})
/** Events of an account and its user, newest first. `more` is the cursor of the next page, if there is one. */
export const Activity = shape('Activity', activity)
export type Activity = Infer<typeof Activity>

/**
 * Details of a passkey. `synced`: a password manager copies it to other devices. `optional`: the server added it automatically, and a
 * sign-in with the password does not ask for it. `use`: whether the passkey alone can sign the user in, is only a second factor, or
 * does not work on this site. `use` is absent if the server does not say.
 */
const passkeyDetails = v.object({
  credentialId: v.string(),
  provider: maybe(v.string()),
  synced: v.boolean(),
  optional: v.boolean(),
  use: maybe(v.picklist(['SignIn', 'SecondFactor', 'None'])),
})

/** Response of /user/account: everything the account page shows. */
export const OwnAccount = shape(
  'OwnAccount',
  v.object({
    userIdent: v.string(),
    /** An IANA time zone, `Europe/Amsterdam`. */
    userTZLabel: v.string(),
    /** A language tag, `pt-BR`. Absent if the user has not chosen a language. */
    userLanguage: maybe(v.string()),
    administrator: v.boolean(),
    hasPassword: v.boolean(),
    /** Minimum length of a password, in code points. */
    minPasswordLength: count,
    /** Configured or linked providers. */
    providers: v.pipe(v.array(v.object({ provider: v.picklist(providerNames), linked: v.boolean() })), v.maxLength(10)),
    /** Most recently seen first. `own` is the session of this call. */
    sessions: v.pipe(
      v.array(v.object({ sessionId: v.string(), own: v.boolean(), sessionCreated: utcTime, sessionSeen: utcTime, from: origin })),
      v.maxLength(1000),
    ),
    /**
     * Browsers that the user has signed in with and whose wrong passwords the server counts separately, most recent first. `own` is the
     * browser of this call. Browsers that an older version of the server recorded have no first time and no origin.
     */
    browsers: v.pipe(
      v.array(
        v.object({
          browserId: v.string(),
          own: v.boolean(),
          browserFirstSeen: maybe(utcTime),
          browserSignedIn: utcTime,
          from: maybe(origin),
        }),
      ),
      v.maxLength(1000),
    ),
    /** Verified factors only. */
    factors: v.pipe(
      v.array(
        v.object({
          factorUUID: uuid,
          factorFriendlyName: v.string(),
          factorFactorType: maybe(secondFactorType),
          factorDateCreated: utcTime,
          factorDateLastUsed: maybe(utcTime),
          passkey: maybe(passkeyDetails),
        }),
      ),
      v.maxLength(1000),
    ),
    /** Whether this session may add and remove factors: it used a factor, or the user has no factor except automatically added passkeys. */
    mayChangeFactors: v.boolean(),
    /** Whether the last factor may be removed. */
    mayBeWithout: v.boolean(),
    mostFactors: count,
    /** Absent if passkeys are off. */
    mostPasskeys: maybe(count),
    /** Whether a rule admits passes, or the user has one. Absent from servers without passes. */
    passes: maybe(v.boolean()),
    recoveryCodesLeft: count,
    /** How often the user skipped the set-up of a second factor. */
    skipsUsed: count,
    activity,
  }),
)
export type OwnAccount = Infer<typeof OwnAccount>

/** Body of /user/activity: the `more` of the previous page. */
export const ActivityRequest = shape('ActivityRequest', v.strictObject({ more: id }))
export type ActivityRequest = Infer<typeof ActivityRequest>

/** Body of /user/time-zone. */
export const TimeZoneRequest = shape('TimeZoneRequest', v.strictObject({ userTZLabel: upTo(64) }))
export type TimeZoneRequest = Infer<typeof TimeZoneRequest>

/** Body of /user/language: a language tag, or null for the browser's language. */
export const LanguageRequest = shape('LanguageRequest', v.strictObject({ userLanguage: v.nullable(upTo(35)) }))
export type LanguageRequest = Infer<typeof LanguageRequest>

/** Body of /user/password/confirm: the password of the signed-in user. */
export const ConfirmPasswordRequest = shape('ConfirmPasswordRequest', v.strictObject({ password }))
export type ConfirmPasswordRequest = Infer<typeof ConfirmPasswordRequest>

/** Body of /user/session/end: the session's id in the list. */
export const SessionEndRequest = shape('SessionEndRequest', v.strictObject({ sessionId: id }))
export type SessionEndRequest = Infer<typeof SessionEndRequest>

/** Body of /user/browser/forget: the browser's id in the list. */
export const BrowserForgetRequest = shape('BrowserForgetRequest', v.strictObject({ browserId: id }))
export type BrowserForgetRequest = Infer<typeof BrowserForgetRequest>

/** Body of /user/factor/rename. */
export const FactorRenameRequest = shape('FactorRenameRequest', v.strictObject({ factorUUID: uuid, factorFriendlyName: upTo(128) }))
export type FactorRenameRequest = Infer<typeof FactorRenameRequest>

/** Body of /user/factor/remove. */
export const FactorRemoveRequest = shape('FactorRemoveRequest', v.strictObject({ factorUUID: uuid }))
export type FactorRemoveRequest = Infer<typeof FactorRemoveRequest>

/**
 * Body of /user/email/change: the new address and the password, or a passkey and an empty password. A link mailed to the new address
 * confirms the change.
 */
export const EmailChangeRequest = shape(
  'EmailChangeRequest',
  v.strictObject({ newemail: username, password, credential: maybe(passkeyAssertion) }),
)
export type EmailChangeRequest = Infer<typeof EmailChangeRequest>

/** Body of /user/sso/link and /user/sso/unlink: the provider to link or unlink, and the password, or a passkey and an empty password. */
export const ProviderRequest = shape(
  'ProviderRequest',
  v.strictObject({ provider: v.picklist(providerNames), password, credential: maybe(passkeyAssertion) }),
)
export type ProviderRequest = Infer<typeof ProviderRequest>

/** The address that the browser opens next. */
export const Location = shape('Location', v.object({ location: v.string() }))
export type Location = Infer<typeof Location>
