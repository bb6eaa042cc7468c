import type { FactorStrategy } from '../factor-strategy.ts'

/** Approval on a phone. */
export const pushStrategy = {
  takesCode: false,
  refuseCode: factorUUID =>
    factorUUID === undefined
      ? { tag: 'TOTPError', contents: { status: 'Denied', reason: { tag: 'WrongFactorType', contents: 'Push' } } }
      : { tag: 'DatabaseError', contents: { tag: 'FactorTypeMismatch', contents: [factorUUID, 'Push', 'TOTP'] } },
  // The server asks phones only when the page calls pushChallenge.
  prepareVerification: async () => {},
  offerAtSignIn: undefined,
} satisfies FactorStrategy
