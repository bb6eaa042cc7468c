import * as v from 'valibot'
import { bare, carrying, type Infer, maybe, noContents, noList, otherTag, shape, unknownTag, utcTime } from '../format/decode.ts'
import { id, password, upTo, username } from '../format/text.ts'
import { afterSignIn, creationOptions, knowsPasskeys, requestOptions } from '../passkey/passkey-options.ts'
import { factor, secondFactorType, uuid, verificationCode } from './factor.ts'
import { verifyError } from './verify-error.ts'

const pair = { authTokenSelector: id, authTokenToken: id }
const authTokenEntries = {
  ...pair,
  authTokenUserAgent: maybe(upTo(1024)),
  authTokenExpires: maybe(utcTime),
  authTokenUser: maybe(id),
}
const authToken = v.object(authTokenEntries)

/**
 * The hand-over code of a successful sign-in. Selector and token are required. Gatehouse always sends the other three
 * fields; other servers can omit them.
 */
export const AuthToken = shape('AuthToken', authToken)
export type AuthToken = Infer<typeof AuthToken>

/** Body of plowlogin: the known fields of an AuthToken. */
export const PlowLoginRequest = shape('PlowLoginRequest', v.strictObject(authTokenEntries))
export type PlowLoginRequest = Infer<typeof PlowLoginRequest>

/** Body of loginWithToken. */
export const AuthenticationRequest = shape('AuthenticationRequest', v.strictObject(pair))
export type AuthenticationRequest = Infer<typeof AuthenticationRequest>

/** Body of getAuthTokenWithError. The username is an email address, trimmed and in lower case; `useragent` is sent empty (§5). */
export const LoginRequest = shape('LoginRequest', v.strictObject({ username, password, useragent: upTo(1024), ...knowsPasskeys }))
export type LoginRequest = Infer<typeof LoginRequest>

/**
 * Body of verifyOTP, setupOTP and resetOTP (§3, §7). `otpVerification` is the code as an integer from 0 to 999999, so
 * 012345 is sent as 12345. `otpFactorUUID` is sent only to setupOTP.
 */
export const OTPRequest = shape(
  'OTPRequest',
  v.strictObject({
    otpUsername: username,
    otpPassword: password,
    otpVerification: maybe(verificationCode),
    otpFactorUUID: maybe(uuid),
    ...knowsPasskeys,
  }),
)
export type OTPRequest = Infer<typeof OTPRequest>

/** Why a sign-in failed, and the message to show (§3, login failure). */
export const LoginFailure = shape('LoginFailure', v.object({ reason: v.string(), message: v.string() }))
export type LoginFailure = Infer<typeof LoginFailure>

/** A factor's UUID. If a whole factor is sent instead, its `factorUUID` is used. */
const factorIdentifier = v.pipe(
  v.unknown(),
  v.transform(input => (typeof input === 'object' && input !== null && 'factorUUID' in input ? input.factorUUID : input)),
  uuid,
)

/**
 * The types of the user's second factors. Sent only after the right first factor, and only if a type other than TOTP is among them.
 * `passkey` holds the options to ask for a passkey with, for pages that handle passkeys.
 */
const factorTypes = v.object({ factorTypes: v.array(secondFactorType), passkey: maybe(requestOptions) })

/** Whether the server does not know the passkey or refused it. Only the response of /passkey/sign-in contains this. */
const passkeyFailure = v.picklist(['Unknown', 'Refused'])

const skipRefusal = v.picklist(['Administrator', 'Required', 'UsedUp'])
/** Why second-factor set-up cannot be skipped. If absent, users can skip it, as in §2. */
export type SkipRefusal = v.InferOutput<typeof skipRefusal>

/**
 * Why the server sent no email although the password is right: the password was itself set by email, so it proves only access to the
 * mailbox. Front ends that do not know the field show the usual page; an email tells the user.
 */
const resetRefusal = v.picklist(['PasswordByMail'])

/** Continues a sign-in with the ticket in the browser's cookie. */
export const ContinueRequest = shape('ContinueRequest', noList(v.strictObject(knowsPasskeys)))
export type ContinueRequest = Infer<typeof ContinueRequest>

/** Response of the sign-in calls (§7): one closed union for getAuthTokenWithError, verifyOTP, setupOTP and resetOTP. */
export const AuthOutcome = shape(
  'AuthOutcome',
  v.variant(
    'tag',
    [
      carrying('AuthFailureFactorError', verifyError),
      v.object({ tag: v.literal('AuthFailureFailedLogin'), contents: noContents, passkey: maybe(passkeyFailure) }),
      bare('AuthFailureForcedReset'),
      bare('AuthRequires2FA'),
      carrying('AuthRequires2FA', factorTypes),
      v.object({
        tag: v.literal('AuthRequiresFactorCreation'),
        contents: factor,
        skipRefused: maybe(skipRefusal),
        passkey: maybe(creationOptions),
      }),
      v.object({
        tag: v.literal('AuthRequiresFactorReset'),
        contents: factorIdentifier,
        username: maybe(username),
        refused: maybe(resetRefusal),
      }),
      v.object({ tag: v.literal('AuthSuccessful'), contents: authToken, passkeys: maybe(afterSignIn) }),
    ],
    otherTag(unknownTag),
  ),
)
export type AuthOutcome = Infer<typeof AuthOutcome>
