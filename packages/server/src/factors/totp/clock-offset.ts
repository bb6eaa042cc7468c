import type { Db } from '../../db/schema.ts'
import type { Keyring } from '../../keys/keyring.ts'
import { limits } from '../../limits.ts'
import { setNearMiss, type TotpFactor } from './totp.store.ts'
import { nearMiss, sealedFor } from './totp.ts'

/**
 * Computes the clock error of an authenticator app from two wrong codes in a row that miss by the same number of steps. Accepts no code,
 * and gives no result for one wrong code. Call it only after the right password, and only for a code that was counted. The second code must
 * be a later one, because the same code typed twice proves nothing new.
 * @param apps the user's apps as read before this code
 * @returns seconds, negative if the clock is behind
 */
export const clockOffset = async (
  db: Db,
  keyring: Keyring,
  apps: readonly TotpFactor[],
  code: number,
  now: number,
): Promise<number | undefined> => {
  let seconds: number | undefined
  for (const { factorUUID, factorIdentity, factorTOTPBindingSecret: sealed, ...last } of apps) {
    const secret = sealed === null ? undefined : keyring.tryOpen('totp', sealed, sealedFor(factorIdentity, factorUUID))
    const miss = secret === undefined ? undefined : nearMiss(code, secret, now)
    const { factorTOTPBindingWrongOffset: offset, factorTOTPBindingWrongStep: step } = last
    if (miss && miss.offset === offset && step !== null && miss.step > step) seconds = (miss.offset * limits.totp.step) / 1000
    // Most wrong codes match no offset, so they write nothing.
    if (miss || offset !== null) await setNearMiss(db, factorUUID, miss)
  }
  return seconds
}
