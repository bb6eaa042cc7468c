import * as v from 'valibot'
import { type Infer, maybe, type Shape, shape, utcTime } from '../format/decode.ts'
import { id, upTo, username } from '../format/text.ts'

const wireUser = v.object({
  userIdent: v.string(),
  userPassword: maybe(v.string()),
  userTZLabel: v.string(),
  userAzureId: maybe(v.string()),
  userGoogleId: maybe(v.string()),
  userPakId: maybe(v.string()),
})

const fromWire = (wire: v.InferOutput<typeof wireUser>) => ({
  ident: wire.userIdent,
  password: wire.userPassword,
  tzLabel: wire.userTZLabel,
  azureId: wire.userAzureId,
  googleId: wire.userGoogleId,
  pakId: wire.userPakId,
})

const toWire = (user: User): v.InferOutput<typeof wireUser> => ({
  userIdent: user.ident,
  userPassword: user.password,
  userTZLabel: user.tzLabel,
  userAzureId: user.azureId,
  userGoogleId: user.googleId,
  userPakId: user.pakId,
})

/** A user (§3) with our field names. `User` decodes to it, and `encode(User, user)` encodes it. */
export type User = {
  ident: string
  /** Our server never sends it. */
  password?: string | null | undefined
  /** An IANA time zone, `Europe/Amsterdam`. */
  tzLabel: string
  azureId?: string | null | undefined
  googleId?: string | null | undefined
  pakId?: string | null | undefined
}

/** A user (§3), the only entity whose field names on the wire (`userIdent`, `userTZLabel`, …) differ from ours. */
export const User: Shape<User> = shape('User', v.pipe(wireUser, v.transform(fromWire)), toWire)

/** An email address, the id of its user, and the key that verifies the address (§3). */
export const Email = shape('Email', v.object({ emailEmail: v.string(), emailUser: maybe(v.string()), emailVerkey: maybe(v.string()) }))
export type Email = Infer<typeof Email>

/** Consecutive wrong passwords, and the lock that they caused (§3). */
export const FailedLogin = shape(
  'FailedLogin',
  v.object({
    failedLoginAttempts: v.pipe(
      v.number(),
      v.check(n => Number.isSafeInteger(n) && n >= 0, 'expected a whole number, 0 or more'),
    ),
    failedLoginLockCreated: utcTime,
    failedLoginLockExpires: utcTime,
    failedLoginUserIdent: v.string(),
  }),
)
export type FailedLogin = Infer<typeof FailedLogin>

/** The token of a password reset mail, with the user's id (§3). */
export const ResetToken = shape(
  'ResetToken',
  v.object({ resetTokenToken: v.string(), resetTokenUser: v.string(), resetTokenExpires: utcTime }),
)
export type ResetToken = Infer<typeof ResetToken>

/** Body of /user/add (§3, user add); `timezone` is the label. */
export const UserAddRequest = shape('UserAddRequest', v.strictObject({ username, authenticateduser: id, timezone: upTo(64) }))
export type UserAddRequest = Infer<typeof UserAddRequest>

/** Body of /user/update (§3, user update). */
export const UserUpdateRequest = shape(
  'UserUpdateRequest',
  v.strictObject({ authenticateduser: id, userid: id, timezone: maybe(upTo(64)) }),
)
export type UserUpdateRequest = Infer<typeof UserUpdateRequest>

/** Body of /user/delete (§3, delete request). */
export const DeleteRequest = shape('DeleteRequest', v.strictObject({ userident: username, selector: id, token: id }))
export type DeleteRequest = Infer<typeof DeleteRequest>

/** Body of /user/by/username (§3, username request). */
export const UsernameRequest = shape('UsernameRequest', v.strictObject({ username, authenticateduser: id }))
export type UsernameRequest = Infer<typeof UsernameRequest>
