import { type Factor, type SecondFactorType, unnamedAuthenticator } from '@gatehouse/wire'
import type { Permit } from '../../credentials/credential-rules.ts'
import type { Keyring } from '../../keys/keyring.ts'
import * as factors from '../factors.store.ts'
import { insertSecret, type ShownAs } from './totp.store.ts'

/** A factor reset replaces all factors of a user, except passkeys, with one of this type (§4). */
export const replacementType = 'TOTP' satisfies SecondFactorType

/**
 * Adds an unverified authenticator app with the default name.
 * @param kept the id of a replacement that stays, because its secret was shown
 */
export const startTotp = (permit: Permit<'offer-first-factor' | 'start-replacement'>, now: number, kept?: string) =>
  factors.startFactor(permit, { type: 'TOTP', name: unnamedAuthenticator, shown: kept, now })

/**
 * Gives an unverified factor its secret, and restarts the time in which the user must verify it.
 * @returns `undefined` when the factor is gone or already verified
 */
export const bindTotp = async (
  permit: Permit<'offer-first-factor' | 'open-replacement' | 'add-factor'>,
  keyring: Keyring,
  factorUUID: string,
  shown: ShownAs & { now: number },
): Promise<Factor | undefined> => {
  const factor = await factors.extendUnverified(permit, factorUUID, shown.now)
  return factor && insertSecret(permit, keyring, factor, shown)
}
