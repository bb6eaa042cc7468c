import { type SignInOutcome, type SignInWay, signInOutcomes, signInWays } from '@gatehouse/wire'

/** The meaning of a color and a pattern, the same in every chart: a result, a sign-in method, or no second factor. */
export type Look = SignInOutcome | SignInWay | 'WithoutFactor'
export const looks: readonly Look[] = [...signInOutcomes, ...signInWays, 'WithoutFactor']

/** The attempts that a list shows: those that a bar or a tile counts. `Failed` is every failure except a lockout. */
export type Shown = Look | 'Failed'
export const everyShown: readonly Shown[] = [...looks, 'Failed']

export const failures = ['WrongPassword', 'WrongCode', 'ForcedReset', 'Refused'] as const

const stepOf: Record<SignInWay, 'first' | 'second'> = {
  Password: 'first',
  OneTimeLink: 'first',
  Google: 'first',
  Azure: 'first',
  Pak: 'first',
  TOTP: 'second',
  Push: 'second',
  RecoveryCode: 'second',
  Skip: 'second',
  Passkey: 'first',
  PasskeyFactor: 'second',
}
export const firstWays = signInWays.filter(way => stepOf[way] === 'first')
export const secondWays = signInWays.filter(way => stepOf[way] === 'second')

export const isWay = (look: Shown): look is SignInWay => signInWays.some(way => way === look)

/** The steps of sign-ins that a bar or a tile counts. */
export const stepsOf = (look: Shown): { ways: readonly SignInWay[]; outcomes: readonly SignInOutcome[] } => {
  if (look === 'Failed') return { ways: signInWays, outcomes: failures }
  // A passkey alone counts as two factors.
  if (look === 'WithoutFactor') return { ways: firstWays.filter(way => way !== 'Passkey'), outcomes: ['SignedIn'] }
  if (!isWay(look)) return { ways: signInWays, outcomes: [look] }
  // A first step counts whether or not a second one followed.
  return { ways: [look], outcomes: stepOf[look] === 'first' ? ['SignedIn', 'Passed'] : ['SignedIn'] }
}
