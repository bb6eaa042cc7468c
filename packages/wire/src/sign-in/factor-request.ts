import * as v from 'valibot'
import { type Infer, shape } from '../format/decode.ts'
import { id, upTo } from '../format/text.ts'
import { factorType, uuid, verificationCode } from './factor.ts'

/** Requests a new factor for a user (§3). */
export const FactorCreationRequest = shape(
  'FactorCreationRequest',
  v.strictObject({
    factorCreationRequestIdentity: id,
    factorCreationRequestFriendlyName: upTo(128),
    factorCreationRequestFactorType: factorType,
  }),
)
export type FactorCreationRequest = Infer<typeof FactorCreationRequest>

/** Checks a code of a user's verified factor (§3). */
export const TOTPRequest = shape('TOTPRequest', v.strictObject({ totpRequestIdentity: id, totpRequestCode: verificationCode }))
export type TOTPRequest = Infer<typeof TOTPRequest>

/** Verifies a new TOTP factor by its first code (§3). */
export const VerifyTOTPFactorRequest = shape(
  'VerifyTOTPFactorRequest',
  v.strictObject({ verifyTOTPFactorRequestFactorUUID: uuid, verifyTOTPFactorRequestCode: verificationCode }),
)
export type VerifyTOTPFactorRequest = Infer<typeof VerifyTOTPFactorRequest>
