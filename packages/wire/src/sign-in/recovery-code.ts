import * as v from 'valibot'
import { type Infer, shape } from '../format/decode.ts'
import { password, upTo, username } from '../format/text.ts'
import { knowsPasskeys } from '../passkey/passkey-options.ts'

/** Body of recoveryCode: like verifyOTP, with a recovery code in place of the one-time code. Case, spaces and dashes do not matter. */
export const RecoveryCodeRequest = shape(
  'RecoveryCodeRequest',
  v.strictObject({ otpUsername: username, otpPassword: password, otpRecoveryCode: upTo(64), ...knowsPasskeys }),
)
export type RecoveryCodeRequest = Infer<typeof RecoveryCodeRequest>

/** Response of /user/recovery-codes: ten codes. Each works once, and they are shown only once. */
export const RecoveryCodes = shape('RecoveryCodes', v.object({ recoveryCodes: v.pipe(v.array(v.string()), v.maxLength(100)) }))
export type RecoveryCodes = Infer<typeof RecoveryCodes>
