import type { VerifyError } from '@gatehouse/wire'
import type { SignedIn } from './sign-in.ts'

export const refused = (contents: VerifyError): SignedIn => ({ outcome: { tag: 'AuthFailureFactorError', contents } })

export const noFactors = refused({ tag: 'DatabaseError', contents: { tag: 'NoVerifiedFactors' } })

export const missingFactor = (factorUUID: string) =>
  refused({ tag: 'DatabaseError', contents: { tag: 'MissingFactorByFactorUUID', contents: factorUUID } })

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
