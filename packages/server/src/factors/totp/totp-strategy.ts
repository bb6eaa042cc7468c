import type { FactorStrategy } from '../factor-strategy.ts'
import { bindTotp, startTotp } from './totp-binding.ts'
import { openTotpChallenge } from './totp-challenge.ts'

/** Codes of authenticator apps. */
export const totpStrategy = {
  takesCode: true,
  prepareVerification: openTotpChallenge,
  offerAtSignIn: async (permit, keyring, shown) => {
    const { factorUUID } = await startTotp(permit, shown.now)
    const factor = await bindTotp(permit, keyring, factorUUID, shown)
    if (!factor) throw new Error('a factor that was just started is gone')
    return factor
  },
} satisfies FactorStrategy
