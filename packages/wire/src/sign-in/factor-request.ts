import * as v from 'valibot'
import { type Infer, shape } from '../format/decode.ts'
import { id, upTo } from '../format/text.ts'
import { factorType, uuid, verificationCode } from './factor.ts'

/** Asks for a new factor of a user (§3). */
export const FactorCreationRequest = shape(
  'FactorCreationRequest',
  v.strictObject({
    factorCreationRequestIdentity: id,
    factorCreationRequestFriendlyName: upTo(128),
    factorCreationRequestFactorType: factorType,
  }),
)
export type FactorCreationRequest = Infer<typeof FactorCreationRequest>

/** Asks whether a code is right for a user's verified factor (§3). */
export const TOTPRequest = shape('TOTPRequest', v.strictObject({ totpRequestIdentity: id, totpRequestCode: verificationCode }))
export type TOTPRequest = Infer<typeof TOTPRequest>

/** Asks to verify a new TOTP factor by its first code (§3). */
export const VerifyTOTPFactorRequest = shape(
  'VerifyTOTPFactorRequest',
  v.strictObject({ verifyTOTPFactorRequestFactorUUID: uuid, verifyTOTPFactorRequestCode: verificationCode }),
)
export type VerifyTOTPFactorRequest = Infer<typeof VerifyTOTPFactorRequest>
