import * as v from 'valibot'
import { type Infer, type Shape, shape } from '../format/decode.ts'
import { upTo, username } from '../format/text.ts'
import { newPasswordTwice, typedTwice } from '../format/typed-twice.ts'

/** A password reset request (§3). The body of sendPasswordResetEmail spells the field differently, see below. */
export const PasswordResetRequest = shape('PasswordResetRequest', v.strictObject({ userEmail: username }))
export type PasswordResetRequest = Infer<typeof PasswordResetRequest>

/** Body of sendPasswordResetEmail: a password reset request whose field is `useremail` in this call only (§3, §7). */
export const PasswordResetEmailRequest: Shape<PasswordResetRequest> = shape(
  'PasswordResetEmailRequest',
  v.pipe(
    v.strictObject({ useremail: username }),
    v.transform(({ useremail }) => ({ userEmail: useremail })),
  ),
  ({ userEmail }) => ({ useremail: userEmail }),
)

/** Body of resetPassword (§3, reset with token): the token from the mail and the new password, typed twice. */
export const ResetWithTokenRequest = shape(
  'ResetWithTokenRequest',
  typedTwice(v.strictObject({ username, resettoken: upTo(256), ...newPasswordTwice })),
)
export type ResetWithTokenRequest = Infer<typeof ResetWithTokenRequest>

/** Response of resetPassword: the names of the user's passkeys, which the new password does not change, for the user to review. */
export const PasswordResetResult = shape('PasswordResetResult', v.object({ passkeys: v.pipe(v.array(v.string()), v.maxLength(100)) }))
export type PasswordResetResult = Infer<typeof PasswordResetResult>
