import * as v from 'valibot'
import { type Infer, shape } from '../format/decode.ts'
import { password, username } from '../format/text.ts'
import { newPasswordTwice, typedTwice } from '../format/typed-twice.ts'

/** Body of /user/password/reset (§3, reset with old password). */
export const ResetWithOldPasswordRequest = shape(
  'ResetWithOldPasswordRequest',
  v.strictObject({ useridentity: username, oldpassword: password, newpassword: password }),
)
export type ResetWithOldPasswordRequest = Infer<typeof ResetWithOldPasswordRequest>

/** Body of /user/password/update (§3, update password). */
export const UpdatePasswordRequest = shape(
  'UpdatePasswordRequest',
  typedTwice(v.strictObject({ useridentity: username, oldpassword: password, ...newPasswordTwice })),
)
export type UpdatePasswordRequest = Infer<typeof UpdatePasswordRequest>

/** Body of /user/password/create (§3, create password), for a user without a password. */
export const CreatePasswordRequest = shape(
  'CreatePasswordRequest',
  typedTwice(v.strictObject({ useridentity: username, ...newPasswordTwice })),
)
export type CreatePasswordRequest = Infer<typeof CreatePasswordRequest>
