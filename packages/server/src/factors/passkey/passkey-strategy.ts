import type { FactorStrategy } from '../factor-strategy.ts'

/** Passkeys (WebAuthn). */
export const passkeyStrategy = {
  takesCode: false,
  // The specification's clients know two types of factor, so a mismatch error cannot name a passkey (§8).
  refuseCode: () => ({ tag: 'DatabaseError', contents: { tag: 'NoVerifiedFactors' } }),
  // The response to the first factor contains the challenge.
  prepareVerification: async () => {},
  offerAtSignIn: undefined,
} satisfies FactorStrategy
