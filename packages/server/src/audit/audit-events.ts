import type { SSOProvider, SsoProviderName } from '@gatehouse/wire'
import type { UsedFactor } from '../db/schema.ts'
import type { MailMessage } from '../mail/messages.ts'

export type AuditEvent =
  | 'sign-in'
  /** A second step of a sign-in whose first step was a one-time link or a provider. The first step has its own row. */
  | 'sign-in-continued'
  | 'second-factor'
  /** With a passkey alone. */
  | 'passkey-sign-in'
  /** With a passkey after a password, a one-time link or a provider. */
  | 'passkey-second-factor'
  /** Reauthentication. */
  | 'passkey-confirmed'
  | 'factor-verified'
  /** A browser requested an approval on the phones of its user. */
  | 'push-requested'
  | 'push-answered'
  | 'push-enrolled'
  /** A request without a valid signature of the phone. */
  | 'push-refused'
  /** By a signed-in user, on the account page. */
  | 'factor-added'
  | 'factor-skipped'
  | 'factor-reset-requested'
  | 'factor-reset-opened'
  | 'factor-started'
  | 'factor-renamed'
  | 'factor-removed'
  | 'recovery-codes-made'
  | 'mail-requested'
  | 'one-time-link'
  | 'sso'
  | 'password-reset'
  | 'password-changed'
  | 'password-confirmed'
  | 'time-zone-changed'
  | 'language-changed'
  | 'email-change-requested'
  | 'email-changed'
  | 'mail-dropped'
  | 'mail-refused'
  | 'master-key-rotated'
  /** A backup was put into an empty database. The result names the newest entry of its history and the number of rows. */
  | 'backup-restored'
  /** The key that signs identities for protected applications. */
  | 'assertion-key-rotated'
  | 'session-started'
  | 'hand-over-refused'
  | 'session-forged'
  | 'sign-out'
  | 'session-ended'
  /** On the account page: the browser loses its own count of wrong passwords. */
  | 'browser-forgotten'
  | 'sign-out-by-administrator'
  /** For a program of the user, or for a service. */
  | 'pass-created'
  | 'pass-ended'
  | 'user-added'
  | 'user-updated'
  | 'user-looked-up'
  | 'user-groups-changed'
  | 'user-unlocked'
  | 'user-forced-reset'
  | 'user-deleted'
  /** A user who may not administer requested the data of the administration page. */
  | 'administration'

// Never rename a code, even an odd one such as `anew` or `oneself`: the database refuses to change rows of `audit`, and during a
// rolling upgrade, servers of the previous version write the old name. Pages show the words of `en-administration-audit.ts`.
type Code =
  | 'hand-over-refused'
  | 'unknown-factor'
  | 'all others'
  | 'all-passes'
  | 'anew'
  | 'automatic'
  | 'approved'
  | 'by its owner'
  | 'cancelled'
  | 'changed-meanwhile'
  | 'clock-ahead'
  | 'clock-behind'
  | 'counter-went-back'
  | 'ended'
  | 'exchange'
  | 'factor-creation-required'
  | 'failed'
  | 'forbidden'
  | 'forced-reset'
  | 'held'
  | 'last-stays'
  | 'last-way'
  | 'link-not-opened'
  | 'linked'
  | 'locked'
  | 'lower'
  | 'missing-secret'
  | 'name-taken'
  | 'no-code'
  | 'no-factor'
  | 'not-me'
  | 'oneself'
  | 'one-session'
  | 'over'
  | 'paused'
  | 'refused'
  | 'replayed'
  | 'second-factor-required'
  | 'secret-unreadable'
  | 'signature'
  | 'successful'
  | 'taken'
  | 'ticket-refused'
  | 'token-page'
  | 'too-many'
  | 'too-many-codes'
  | 'unavailable'
  | 'unknown-identity'
  | 'unknown-pass'
  | 'unknown-passkey'
  | 'unknown-user'
  | 'unlinked'
  | 'used-code'
  | 'wrong-code'
  | 'wrong-factor-type'
  | 'wrong-number'
  | 'wrong-password'
  | 'wrong-recovery-code'

export type StepResult = Code | `successful: ${UsedFactor}` | `wrong-code: ${'clock-ahead' | 'clock-behind'}: ${number} min`
export type ProviderResult = StepResult | `not linked: ${Code}`

type MailRequest = 'PasswordReset' | 'OneTimeLink' | 'SSOLink'

/** The administration page splits a result at its colons and translates each part that is a code. */
export type AuditResult =
  | ProviderResult
  | `by ${SsoProviderName}`
  | `${SsoProviderName | SSOProvider}: ${ProviderResult}`
  | `enrolment: ${Code}`
  | MailRequest
  | `backup of ${string}: ${number} rows`
  | `${'expired' | number}: ${MailMessage['kind'] | MailRequest}`
