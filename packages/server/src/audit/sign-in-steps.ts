import type { SignInOutcome, SignInWay } from '@gatehouse/wire'

/** What a row of the audit tells of a step of a sign-in: the way that was tried, and what came of it. */
export type SignInStep = { way: SignInWay; outcome: SignInOutcome }

const providers: Record<string, SignInWay> = { google: 'Google', azure: 'Azure', pak: 'Pak' }

/** How each row is read that the deciders of a sign-in write; `undefined` for one that is no try to sign in. */
export const signInStep = (event: string, result: string): SignInStep | undefined => {
  switch (event) {
    case 'sign-in':
      return result === 'ticket-refused' ? undefined : firstStep('Password', result)
    case 'one-time-link':
      return firstStep('OneTimeLink', result)
    case 'sso': {
      const [, name = '', rest = ''] = /^(\w+): (.+)$/.exec(result) ?? []
      const way = providers[name]
      // Of an account that somebody is signed in to, and links or unlinks.
      return way && !/^(un|not )?linked/.test(rest) ? firstStep(way, rest) : undefined
    }
    case 'second-factor':
    case 'factor-verified':
      // Asked again and again while an answer is awaited elsewhere.
      return result === 'no-code' ? undefined : secondStep('TOTP', result)
    case 'push-requested':
      // What the devices answer has rows of its own.
      return result === 'wrong-password' || result === 'locked' ? firstStep('Password', result) : undefined
    case 'push-answered':
      // An approval lets in only who waited for it, of which there is a row.
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
  const [, used = ''] = /^successful: (\w+)$/.exec(result) ?? []
  if (used) return { way: isSecond(used) ? used : way, outcome: 'SignedIn' }
  switch (result) {
    case 'successful':
      return { way, outcome: 'SignedIn' }
    // The password is asked for with every step.
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

const isSecond = (used: string): used is SignInWay => used === 'TOTP' || used === 'Push' || used === 'RecoveryCode'
