import type { SignInOutcome, SignInWay } from '@gatehouse/wire'
import type { UsedFactor } from '../db/schema.ts'
import type { AuditEvent } from './audit-events.ts'

/** The step of a sign-in that an audit row records: the way that the user tried, and its outcome. */
export type SignInStep = { way: SignInWay; outcome: SignInOutcome }

const providers: Record<string, SignInWay> = { google: 'Google', azure: 'Azure', pak: 'Pak' }

/** The way under which a passed second factor is counted. A provider's second factor has none: it counts as the provider's sign-in. */
const waysOfFactors: Record<UsedFactor, SignInWay | undefined> = {
  TOTP: 'TOTP',
  Push: 'Push',
  Passkey: 'PasskeyFactor',
  RecoveryCode: 'RecoveryCode',
  Provider: undefined,
}
const secondWays: Record<string, SignInWay | undefined> = waysOfFactors

/**
 * The step that a row of each event records, by the row's result. `undefined` if the row records no attempt to sign in. The server counts
 * the rows of these events for the administration page.
 */
const steps: Partial<Record<AuditEvent, (result: string) => SignInStep | undefined>> = {
  'sign-in': result => (result === 'ticket-refused' ? undefined : firstStep('Password', result)),
  'passkey-sign-in': result => firstStep('Passkey', result),
  'passkey-second-factor': result => secondStep('PasskeyFactor', result),
  'one-time-link': result => firstStep('OneTimeLink', result),
  sso: result => {
    const [, name = '', rest = ''] = /^(\w+): (.+)$/.exec(result) ?? []
    const way = providers[name]
    // Users who are signed in link and unlink providers.
    return way && !/^(un|not )?linked/.test(rest) ? firstStep(way, rest) : undefined
  },
  'second-factor': result => codeStep(result),
  'factor-verified': result => codeStep(result),
  // `push-answered` records the answers of the phones.
  'push-requested': result => (result === 'wrong-password' || result === 'locked' ? firstStep('Password', result) : undefined),
  'push-answered': result => {
    // `second-factor` records the sign-in that an approval completes.
    if (result === 'wrong-number') return { way: 'Push', outcome: 'WrongCode' }
    if (result === 'paused') return { way: 'Push', outcome: 'Locked' }
    return result === 'not-me' ? { way: 'Push', outcome: 'Refused' } : undefined
  },
  'factor-skipped': result => secondStep('Skip', result),
}

/** The events whose rows can record an attempt to sign in. */
export const signInEvents = Object.keys(steps)

/** Reads the step from an audit row. `undefined` if the row records no attempt to sign in. */
export const signInStep = (event: string, result: string): SignInStep | undefined => steps[event as AuditEvent]?.(result)

const firstStep = (way: SignInWay, result: string): SignInStep => {
  if (result.startsWith('successful')) return { way, outcome: 'SignedIn' }
  switch (result) {
    case 'second-factor-required':
    case 'factor-creation-required':
      return { way, outcome: 'Passed' }
    case 'wrong-password':
      return { way, outcome: 'WrongPassword' }
    case 'locked':
      return { way, outcome: 'Locked' }
    case 'forced-reset':
      return { way, outcome: 'ForcedReset' }
    default:
      return { way, outcome: 'Refused' }
  }
}

/** `no-code`: the request carried no code, and no approval of a phone was ready. Not a failed code. */
const codeStep = (result: string): SignInStep | undefined => (result === 'no-code' ? undefined : secondStep('TOTP', result))

const secondStep = (way: SignInWay, result: string): SignInStep => {
  if (result.startsWith('wrong-code: ')) return { way, outcome: 'WrongCode' }
  const [, used = ''] = /^successful: (\w+)$/.exec(result) ?? []
  if (used) return { way: secondWays[used] ?? way, outcome: 'SignedIn' }
  switch (result) {
    case 'successful':
      return { way, outcome: 'SignedIn' }
    // A step without a ticket checks the password again.
    case 'wrong-password':
    case 'locked':
      return firstStep('Password', result)
    case 'wrong-code':
    case 'used-code':
      return { way, outcome: 'WrongCode' }
    case 'wrong-recovery-code':
      return { way: 'RecoveryCode', outcome: 'WrongCode' }
    case 'paused':
      return { way, outcome: 'Locked' }
    case 'forced-reset':
      return { way, outcome: 'ForcedReset' }
    default:
      return { way, outcome: 'Refused' }
  }
}
