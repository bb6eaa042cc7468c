import type { ActivityKind } from '@gatehouse/wire'
import type { AuditEvent } from '../audit/audit-events.ts'

type Said = { event: string; result: string }

/** Returns what an audit row means to the owner of the account. Unknown events and results are 'Other'. */
export const activityKind = ({ event, result }: Said): ActivityKind => kinds[event as AuditEvent]?.(result) ?? 'Other'

const only =
  (kind: ActivityKind, good = 'successful') =>
  (result: string) =>
    result.startsWith(good) ? kind : undefined

/** Failed attempts with a password or code. Every step can record these results. */
const failures = (result: string): ActivityKind | undefined => {
  // The result of a wrong code can also say that the phone's clock is wrong.
  switch (result.replace(/^wrong-code: .*/, 'wrong-code')) {
    case 'wrong-password':
      return 'PasswordWrong'
    case 'locked':
      return 'SignInLocked'
    case 'wrong-code':
    case 'used-code':
    case 'wrong-recovery-code':
    case 'missing-secret':
      return 'CodeWrong'
    case 'paused':
      return 'CodesPaused'
    case 'forced-reset':
      return 'ResetAsked'
  }
  return undefined
}
/** The kind of a successful step, or of the failed attempt if the password or code was wrong. */
const done = (kind: ActivityKind, good?: string) => (result: string) => failures(result) ?? only(kind, good)(result)

/** A passkey of this user that failed the server's check. */
const passkeyRefusal = (result: string): ActivityKind | undefined =>
  ['signature', 'replayed', 'counter-went-back'].includes(result) ? 'PasskeyRefused' : undefined

const pushAnswers: Record<string, ActivityKind> = { 'wrong-number': 'CodeWrong', paused: 'CodesPaused', 'not-me': 'SignInDenied' }

const kinds: Partial<Record<AuditEvent, (result: string) => ActivityKind | undefined>> = {
  'sign-in': failures,
  'second-factor': result => failures(result) ?? only('RecoveryCodeUsed', 'successful: RecoveryCode')(result),
  'passkey-sign-in': result => passkeyRefusal(result) ?? failures(result),
  'passkey-second-factor': result => passkeyRefusal(result) ?? failures(result),
  'passkey-confirmed': result => passkeyRefusal(result) ?? only('PasskeyConfirmed')(result),
  'push-requested': failures,
  'push-answered': result => pushAnswers[result.replace('enrolment: ', '')],
  'one-time-link': failures,
  'session-started': only('SignedIn'),
  'session-forged': () => 'SessionForged',
  'session-ended': result => (result === 'all others' ? 'OtherSessionsEnded' : 'SessionEnded'),
  'browser-forgotten': result => (result === 'all others' ? 'OtherBrowsersForgotten' : 'BrowserForgotten'),
  'sign-out': only('SignedOut'),
  'sign-out-by-administrator': result => (result === 'one-session' ? 'SessionEnded' : only('SignedOutByAdministrator')(result)),
  'factor-started': () => 'FactorStarted',
  'factor-verified': done('FactorAdded'),
  'factor-added': done('FactorAdded'),
  'factor-skipped': done('FactorSkipped'),
  'factor-renamed': only('FactorRenamed'),
  'factor-removed': result => (result === 'by its owner' || result === 'successful' ? 'FactorRemoved' : undefined),
  'factor-reset-requested': done('FactorResetAsked'),
  'pass-created': only('PassCreated'),
  'pass-ended': only('PassEnded'),
  'recovery-codes-made': () => 'RecoveryCodesMade',
  'password-changed': done('PasswordChanged'),
  'password-reset': done('PasswordReset'),
  'password-confirmed': done('PasswordConfirmed'),
  // After the right password, show the same text for every result: a difference would reveal whether another user has the address (TH-12).
  'email-change-requested': result => failures(result) ?? 'EmailChangeAsked',
  'email-changed': only('EmailChanged'),
  'time-zone-changed': only('TimeZoneChanged'),
  'language-changed': only('LanguageChanged'),
  'user-added': () => 'AccountAdded',
  'user-unlocked': only('AccountUnlocked'),
  'user-forced-reset': only('ResetForced'),
  sso: result =>
    failures(result.replace(/^\w+: /, '')) ??
    (result.endsWith(': linked') ? 'ProviderLinked' : result.endsWith(': unlinked') ? 'ProviderUnlinked' : undefined),
}
