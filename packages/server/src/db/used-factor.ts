import type { SecondFactorType } from '@gatehouse/wire'

/** The second factor of a sign-in. */
export type UsedFactor = SecondFactorType | 'RecoveryCode' | 'Provider'
