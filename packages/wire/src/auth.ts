import * as v from 'valibot'
import { utf8ByteLength } from './checks.ts'
import { bare, carrying, type Infer, maybe, shape, unknownTag, utcTime } from './decode.ts'
import { factor, uuid } from './factor.ts'
import { verifyError } from './verify-error.ts'

const upTo = (length: number) => v.pipe(v.string(), v.maxLength(length, `must have at most ${length} characters`))

/** Longest password taken, in bytes of UTF-8. A longer one is refused, never cut short. */
export const maxPasswordBytes = 1024
const password = v.pipe(
  v.string(),
  v.check(text => utf8ByteLength(text) <= maxPasswordBytes, `must have at most ${maxPasswordBytes} bytes`),
)

const pair = { authTokenSelector: upTo(128), authTokenToken: upTo(128) }
const authTokenEntries = {
  ...pair,
  authTokenUserAgent: maybe(upTo(1024)),
  authTokenExpires: maybe(utcTime),
  authTokenUser: maybe(upTo(128)),
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

/** Body of loginWithToken. */
export const AuthenticationRequest = shape('AuthenticationRequest', v.strictObject(pair))

/** Body of getAuthTokenWithError. The username is an e-mail address, trimmed and in lower case; `useragent` is sent empty (§5). */
export const LoginRequest = shape('LoginRequest', v.strictObject({ username: upTo(320), password, useragent: upTo(1024) }))
export type LoginRequest = Infer<typeof LoginRequest>

/** A factor's UUID; where a whole factor stands instead, its `factorUUID` is taken. */
const factorIdentifier = v.pipe(
  v.unknown(),
  v.transform(input => (typeof input === 'object' && input !== null && 'factorUUID' in input ? input.factorUUID : input)),
  uuid,
)

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
      carrying('AuthRequiresFactorCreation', factor),
      carrying('AuthRequiresFactorReset', factorIdentifier),
      carrying('AuthSuccessful', authToken),
    ],
    unknownTag,
  ),
)
export type AuthOutcome = Infer<typeof AuthOutcome>
