import * as v from 'valibot'
import { type Infer, shape } from '../format/decode.ts'
import { password, upTo, username } from '../format/text.ts'

/** Body of recoveryCode: as for verifyOTP, with one of the ten codes in place of the six digits. Its case, spaces and dashes do not matter. */
export const RecoveryCodeRequest = shape(
  'RecoveryCodeRequest',
  v.strictObject({ otpUsername: username, otpPassword: password, otpRecoveryCode: upTo(64) }),
)
export type RecoveryCodeRequest = Infer<typeof RecoveryCodeRequest>

/** Answer of /user/recovery-codes: ten codes, each good once, told this once. */
export const RecoveryCodes = shape('RecoveryCodes', v.object({ recoveryCodes: v.pipe(v.array(v.string()), v.maxLength(100)) }))
export type RecoveryCodes = Infer<typeof RecoveryCodes>
