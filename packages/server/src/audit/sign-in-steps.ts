import type { SignInOutcome, SignInWay } from '@gatehouse/wire'
import type { UsedFactor } from '../db/schema.ts'

/** The step of a sign-in that an audit row records: the way that the user tried, and its outcome. */
export type SignInStep = { way: SignInWay; outcome: SignInOutcome }

const providers: Record<string, SignInWay> = { google: 'Google', azure: 'Azure', pak: 'Pak' }

/** The way by which a passed second factor is counted. A provider's second factor has none: it is counted as the provider's sign-in. */
const waysOfFactors: Record<UsedFactor, SignInWay | undefined> = {
  TOTP: 'TOTP',
  Push: 'Push',
  Passkey: 'PasskeyFactor',
  RecoveryCode: 'RecoveryCode',
  Provider: undefined,
}
const secondWays: Record<string, SignInWay | undefined> = waysOfFactors

/** Reads the step from an audit row. `undefined` if the row records no attempt to sign in. */
export const signInStep = (event: string, result: string): SignInStep | undefined => {
  switch (event) {
    case 'sign-in':
      return result === 'ticket-refused' ? undefined : firstStep('Password', result)
    case 'passkey-sign-in':
      return firstStep('Passkey', result)
    case 'passkey-second-factor':
      return secondStep('PasskeyFactor', result)
    case 'one-time-link':
      return firstStep('OneTimeLink', result)
    case 'sso': {
      const [, name = '', rest = ''] = /^(\w+): (.+)$/.exec(result) ?? []
      const way = providers[name]
      // Users who are signed in link and unlink providers.
      return way && !/^(un|not )?linked/.test(rest) ? firstStep(way, rest) : undefined
    }
    case 'second-factor':
    case 'factor-verified':
      // `no-code`: the request carried no code, and no approval of a phone was ready. Not a failed code.
      return result === 'no-code' ? undefined : secondStep('TOTP', result)
    case 'push-requested':
      // `push-answered` records the answers of the phones.
      return result === 'wrong-password' || result === 'locked' ? firstStep('Password', result) : undefined
    case 'push-answered':
      // `second-factor` records the sign-in that an approval completes.
      if (result === 'wrong-number') return { way: 'Push', outcome: 'WrongCode' }
      if (result === 'paused') return { way: 'Push', outcome: 'Locked' }
      return result === 'not-me' ? { way: 'Push', outcome: 'Refused' } : undefined
    case 'factor-skipped':
      return secondStep('Skip', result)
    default:
      return undefined
  }
}

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

const secondStep = (way: SignInWay, result: string): SignInStep => {
  if (result.startsWith('wrong-code: ')) return { way, outcome: 'WrongCode' }
  const [, used = ''] = /^successful: (\w+)$/.exec(result) ?? []
  if (used) return { way: secondWays[used] ?? way, outcome: 'SignedIn' }
  switch (result) {
    case 'successful':
      return { way, outcome: 'SignedIn' }
    // Every step checks the password again.
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
