import type { VerifyError } from '@gatehouse/wire'
import type { SignedIn } from './sign-in.ts'

const refused = (contents: VerifyError): SignedIn => ({ outcome: { tag: 'AuthFailureFactorError', contents } })

export const noFactors = refused({ tag: 'DatabaseError', contents: { tag: 'NoVerifiedFactors' } })

export const missingFactor = (factorUUID: string) =>
  refused({ tag: 'DatabaseError', contents: { tag: 'MissingFactorByFactorUUID', contents: factorUUID } })

/** A code for a phone. */
export const mismatch = (factorUUID: string) =>
  refused({ tag: 'DatabaseError', contents: { tag: 'FactorTypeMismatch', contents: [factorUUID, 'Push', 'TOTP'] } })

/** A code where the user has phones only. */
export const wrongType = refused({
  tag: 'TOTPError',
  contents: { status: 'Denied', reason: { tag: 'WrongFactorType', contents: 'Push' } },
})

export const wrongCode = (status: 'Denied' | 'Pending', reason: 'InvalidCode' | 'MissingSecret') =>
  refused({ tag: 'TOTPError', contents: { status, reason: { tag: reason } } })

export const noApproval = refused({ tag: 'DatabaseError', contents: { tag: 'NoApprovedChallenges' } })

export const wrongFirstCode = refused({
  tag: 'VerifyTOTPFactorError',
  contents: { status: 'Unverified', reason: { tag: 'InvalidCode' } },
})

/** The mailed link that shows the secret has not been opened. */
export const missingBinding = (factorUUID: string) =>
  refused({ tag: 'DatabaseError', contents: { tag: 'MissingFactorBindingByFactorUUID', contents: factorUUID } })

/** Reveals nothing more; the audit log has the rest. */
export const unreadable = refused({
  tag: 'StoreError',
  contents: { tag: 'StoreIOError', contents: 'the secret of this factor cannot be read' },
})
