import type { SecondFactorType, VerifyError } from '@gatehouse/wire'
import type { FactorStrategy } from './factor-strategy.ts'
import { passkeyStrategy } from './passkey/passkey-strategy.ts'
import { pushStrategy } from './push/push-strategy.ts'
import { totpStrategy } from './totp/totp-strategy.ts'

/** Every type of second factor. The compiler requires an entry for each type in @gatehouse/wire. */
const strategies: Record<SecondFactorType, FactorStrategy> = { Passkey: passkeyStrategy, Push: pushStrategy, TOTP: totpStrategy }

export const strategyOf = (type: SecondFactorType): FactorStrategy => strategies[type]

/** Starts the factor that the first set-up page offers. The specification offers only an authenticator app there (§4). */
export const { offerAtSignIn } = totpStrategy

export const takesCode = (type: SecondFactorType): boolean => strategies[type].takesCode

/** The error for a code if the user has factors of these types. Undefined if one of the types takes codes. */
export const codeRefusal = (types: readonly SecondFactorType[], factorUUID?: string): VerifyError | undefined => {
  let refusal: VerifyError | undefined
  for (const type of types) {
    const strategy = strategyOf(type)
    if (strategy.takesCode) return undefined
    refusal ??= strategy.refuseCode(factorUUID)
  }
  return refusal
}
