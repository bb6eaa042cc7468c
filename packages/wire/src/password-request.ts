import * as v from 'valibot'
import { type Infer, shape } from './decode.ts'
import { upTo, username } from './text.ts'
import { newPasswordTwice, typedTwice } from './typed-twice.ts'

/** Body of sendPasswordResetEmail; on this call the field is written without a capital (§3, password reset request). */
export const PasswordResetRequest = shape('PasswordResetRequest', v.strictObject({ useremail: username }))
export type PasswordResetRequest = Infer<typeof PasswordResetRequest>

/** Body of resetPassword (§3, reset with token): the token from the mail and the new password, typed twice. */
export const ResetWithTokenRequest = shape(
  'ResetWithTokenRequest',
  typedTwice(v.strictObject({ username, resettoken: upTo(256), ...newPasswordTwice })),
)
export type ResetWithTokenRequest = Infer<typeof ResetWithTokenRequest>
