import * as v from 'valibot'
import { type Infer, shape } from './decode.ts'
import { password, upTo, username } from './text.ts'

const newPasswordTwice = { newpassword: password, newpasswordverification: password }

/** A page compares the two before it sends; whoever sends them apart has made a mistake, and it is refused here. */
/* @__NO_SIDE_EFFECTS__ */
const typedTwice = <T extends { newpassword: string; newpasswordverification: string }>(schema: v.GenericSchema<unknown, T>) =>
  v.pipe(
    schema,
    v.check(body => body.newpassword === body.newpasswordverification, 'newpasswordverification differs from newpassword'),
  )

/** Body of sendPasswordResetEmail; on this call the field is written without a capital (§3, password reset request). */
export const PasswordResetRequest = shape('PasswordResetRequest', v.strictObject({ useremail: username }))
export type PasswordResetRequest = Infer<typeof PasswordResetRequest>

/** Body of resetPassword (§3, reset with token): the token from the mail and the new password, typed twice. */
export const ResetWithTokenRequest = shape(
  'ResetWithTokenRequest',
  typedTwice(v.strictObject({ username, resettoken: upTo(256), ...newPasswordTwice })),
)
export type ResetWithTokenRequest = Infer<typeof ResetWithTokenRequest>

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

/** Body of /user/password/create (§3, create password), for a user who has none yet. */
export const CreatePasswordRequest = shape(
  'CreatePasswordRequest',
  typedTwice(v.strictObject({ useridentity: username, ...newPasswordTwice })),
)
export type CreatePasswordRequest = Infer<typeof CreatePasswordRequest>
