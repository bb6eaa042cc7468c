import type { FactorStrategy } from '../factor-strategy.ts'

/** Passkeys (WebAuthn). */
export const passkeyStrategy = {
  takesCode: false,
  // Clients of the specification know two types of factor, so its mismatch errors cannot name a passkey (§8).
  refuseCode: () => ({ tag: 'DatabaseError', contents: { tag: 'NoVerifiedFactors' } }),
  // The answer of the first factor carries the challenge.
  prepareVerification: async () => {},
  offerAtSignIn: undefined,
} satisfies FactorStrategy
