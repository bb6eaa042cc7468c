import * as v from 'valibot'
import { type VerifyError, verifyError } from '../sign-in/verify-error.ts'
import { decode, maybe, shape } from './decode.ts'

const passwordProblems = [
  'PasswordTooLong',
  'PasswordUntypable',
  'PasswordIsHash',
  'PasswordCommon',
  'PasswordBreached',
  'PasswordOwnWords',
  'PasswordRepeated',
  'PasswordKeyboard',
  'PasswordSequence',
  'PasswordDate',
  'PasswordGuessable',
  'PasswordUnchanged',
] as const
/**
 * Why a new password was refused. The reasons, in the order of the codes: The password has more than 1024 bytes, or characters that
 * can't be typed. It is the hash of a password. It is on the list of common passwords, or of breached ones. It is made of the user's
 * address or the product's name. It repeats itself. It follows the keyboard, or a sequence. It is mostly a date. It is easy to guess
 * in another way. It is the password before a forced reset.
 */
export type PasswordProblem = (typeof passwordProblems)[number]

const nameProblems = ['NameMissing', 'NameTooLong', 'NameLength', 'NameUntypable'] as const
/** Why the name of a second factor or a pass was refused. `NameLength` applies to passes only. */
export type NameProblem = (typeof nameProblems)[number]

const passProblems = [
  'PassAddressOrigin',
  'PassAddressPath',
  'PassAddressForm',
  'PassAddressElsewhere',
  'PassMethod',
  'PassNetwork',
] as const
/**
 * Why a pass was refused. The reasons in the order of the codes: An address lacks an origin, lacks a path, is a pattern, or no rule admits
 * passes there. An entry is not a method, or not a network. `value` is the entry.
 */
export type PassProblem = (typeof passProblems)[number]

const accountProblems = [
  'AnotherUser',
  'PasswordExists',
  'FactorsFull',
  'FactorLast',
  'FactorMissing',
  'PasskeyRefused',
  'RecoveryCodesClosed',
] as const
/**
 * Why a user's change of their own account was refused. The reasons in the order of the codes: Another user has signed in meanwhile. The
 * account already has a password. It has the maximum number of second factors. The last second factor must stay. There is no
 * second factor yet. The passkey was refused or took too long. Recovery codes can be created only right after a sign-in.
 */
export type AccountProblem = (typeof accountProblems)[number]

const errorCodes = [
  'ReauthenticationRequired',
  'SecondFactorRequired',
  'AddressUnchanged',
  'AddressMalformed',
  'TimeZoneUnknown',
  'GroupUnfit',
  'OtherSite',
  'Fault',
  'TooManyRequests',
  'Busy',
  ...passwordProblems,
  ...nameProblems,
  ...passProblems,
  ...accountProblems,
] as const
/**
 * Why a call was refused, where a client must react. `ReauthenticationRequired`: the session is too old for the call; confirm the password
 * or sign in again. `SecondFactorRequired`: sign in again with the second factor. `AddressUnchanged`: the new address is the current one.
 * `AddressMalformed`, `TimeZoneUnknown`, `GroupUnfit`: what was typed is not an email address, a time zone, or a name for a group.
 * `OtherSite`: a page of another origin made the call. `Fault`: the server failed; `value` is the request's id in its log.
 * `TooManyRequests` and `Busy`: call again after the time in `Retry-After`. The others say what is wrong with a password, a name, a pass or
 * a change of the account.
 */
export type ErrorCode = (typeof errorCodes)[number]

/**
 * The body of a failed call (§8): a message, with a code where a client must react, or a verification error. Never both. `value` is what
 * the code is about, for texts in other languages.
 */
export type ErrorBody = { error: string; code?: ErrorCode; value?: string } | { 'typed-error': VerifyError }

const bothFound = 'Both error types found, this should never happen'
const noneFound = 'No error types found'

const isErrorCode = (code: unknown): code is ErrorCode => errorCodes.some(known => known === code)

const errorBody = v.pipe(
  v.object(
    { error: maybe(v.unknown()), 'typed-error': maybe(v.unknown()), code: maybe(v.unknown()), value: maybe(v.unknown()) },
    noneFound,
  ),
  v.check(body => body.error == null || body['typed-error'] == null, bothFound),
  v.check(body => body.error != null || body['typed-error'] != null, noneFound),
  v.object({ error: maybe(v.string()), 'typed-error': maybe(verifyError), code: maybe(v.string()), value: maybe(v.string()) }),
  v.transform(({ error, 'typed-error': typed, code, value }): ErrorBody => {
    if (typed) return { 'typed-error': typed }
    // A newer server may send other codes; ignore them and keep the message.
    if (!isErrorCode(code)) return { error: error ?? '' }
    return { error: error ?? '', code, ...(value != null && { value }) }
  }),
)

/**
 * An error body (§8). A null field counts as absent. A body with both `error` and `typed-error`, or with neither, fails to decode with §8's
 * message for that case.
 */
export const ErrorBody = shape('ErrorBody', errorBody)

/** The error of a failed call: the error in the body, or §8's message if the body is malformed. Never fails. */
export const errorFromBody = (input: unknown): ErrorBody => {
  const decoded = decode(ErrorBody, input)
  return decoded.ok ? decoded.value : { error: decoded.error.replace(/^decodeErrorBody: /, '') }
}
