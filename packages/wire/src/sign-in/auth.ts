import * as v from 'valibot'
import { bare, carrying, type Infer, maybe, otherTag, shape, unknownTag, utcTime } from '../format/decode.ts'
import { id, password, upTo, username } from '../format/text.ts'
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
 * The hand-over code of a sign-in that succeeded. Selector and token are always there; our server sends the other three
 * as well, other servers may not.
 */
export const AuthToken = shape('AuthToken', authToken)
export type AuthToken = Infer<typeof AuthToken>

/** Body of plowlogin: whatever of an AuthToken's five fields is known. */
export const PlowLoginRequest = shape('PlowLoginRequest', v.strictObject(authTokenEntries))
export type PlowLoginRequest = Infer<typeof PlowLoginRequest>

/** Body of loginWithToken. */
export const AuthenticationRequest = shape('AuthenticationRequest', v.strictObject(pair))
export type AuthenticationRequest = Infer<typeof AuthenticationRequest>

/** Body of getAuthTokenWithError. The username is an email address, trimmed and in lower case; `useragent` is sent empty (§5). */
export const LoginRequest = shape('LoginRequest', v.strictObject({ username, password, useragent: upTo(1024) }))
export type LoginRequest = Infer<typeof LoginRequest>

/**
 * Body of verifyOTP, setupOTP and resetOTP (§3, §7). `otpVerification` is the code as an integer from 0 to 999999, so
 * 012345 is sent as 12345. `otpFactorUUID` goes along only on a first set-up.
 */
export const OTPRequest = shape(
  'OTPRequest',
  v.strictObject({
    otpUsername: username,
    otpPassword: password,
    otpVerification: maybe(verificationCode),
    otpFactorUUID: maybe(uuid),
  }),
)
export type OTPRequest = Infer<typeof OTPRequest>

/** Why a sign-in failed, and the sentence for the screen (§3, login failure). */
export const LoginFailure = shape('LoginFailure', v.object({ reason: v.string(), message: v.string() }))
export type LoginFailure = Infer<typeof LoginFailure>

/** A factor's UUID; where a whole factor stands instead, its `factorUUID` is taken. */
const factorIdentifier = v.pipe(
  v.unknown(),
  v.transform(input => (typeof input === 'object' && input !== null && 'factorUUID' in input ? input.factorUUID : input)),
  uuid,
)

/** The types of the user's second factors. Sent only if the first factor was right and a type other than a code is among them. */
const factorTypes = v.object({ factorTypes: v.array(secondFactorType) })

const skipRefusal = v.picklist(['Administrator', 'Required', 'UsedUp'])
/** Why setting up a second factor cannot be skipped. Absent: it can, as §2 has it. */
export type SkipRefusal = v.InferOutput<typeof skipRefusal>

/**
 * Why no email was sent although the password is right: it came by email itself, so it proves nothing but the mailbox. Front ends that do not
 * know the field go on as always; an email tells the user.
 */
const resetRefusal = v.picklist(['PasswordByMail'])

/**
 * What the sign-in calls answer (§7): one closed union for getAuthTokenWithError, verifyOTP, setupOTP and resetOTP.
 */
export const AuthOutcome = shape(
  'AuthOutcome',
  v.variant(
    'tag',
    [
      carrying('AuthFailureFactorError', verifyError),
      bare('AuthFailureFailedLogin'),
      bare('AuthFailureForcedReset'),
      bare('AuthRequires2FA'),
      carrying('AuthRequires2FA', factorTypes),
      v.object({ tag: v.literal('AuthRequiresFactorCreation'), contents: factor, skipRefused: maybe(skipRefusal) }),
      v.object({
        tag: v.literal('AuthRequiresFactorReset'),
        contents: factorIdentifier,
        username: maybe(username),
        refused: maybe(resetRefusal),
      }),
      carrying('AuthSuccessful', authToken),
    ],
    otherTag(unknownTag),
  ),
)
export type AuthOutcome = Infer<typeof AuthOutcome>
