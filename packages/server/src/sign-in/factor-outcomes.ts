import type { VerifyError } from '@gatehouse/wire'
import type { SignedIn } from './sign-in.ts'

export const refused = (contents: VerifyError): SignedIn => ({ outcome: { tag: 'AuthFailureFactorError', contents } })

export const noFactors = refused({ tag: 'DatabaseError', contents: { tag: 'NoVerifiedFactors' } })

export const missingFactor = (factorUUID: string) =>
  refused({ tag: 'DatabaseError', contents: { tag: 'MissingFactorByFactorUUID', contents: factorUUID } })

/** @param clockOffset seconds, if the codes show that the clock of the authenticator app is wrong */
export const wrongCode = (status: 'Denied' | 'Pending', reason: 'InvalidCode' | 'MissingSecret', clockOffset?: number) =>
  refused({ tag: 'TOTPError', contents: { status, reason: { tag: reason }, ...(clockOffset !== undefined && { clockOffset }) } })

export const noApproval = refused({ tag: 'DatabaseError', contents: { tag: 'NoApprovedChallenges' } })

/** @param clockOffset as for `wrongCode` */
export const wrongFirstCode = (clockOffset?: number) =>
  refused({
    tag: 'VerifyTOTPFactorError',
    contents: { status: 'Unverified', reason: { tag: 'InvalidCode' }, ...(clockOffset !== undefined && { clockOffset }) },
  })

/** The user has not opened the mailed link that shows the secret. */
export const missingBinding = (factorUUID: string) =>
  refused({ tag: 'DatabaseError', contents: { tag: 'MissingFactorBindingByFactorUUID', contents: factorUUID } })

/** The response gives no details. The audit log names the cause. */
export const unreadable = refused({
  tag: 'StoreError',
  contents: { tag: 'StoreIOError', contents: 'the secret of this factor cannot be read' },
})
