import * as v from 'valibot'
import { type VerifyError, verifyError } from '../sign-in/verify-error.ts'
import { decode, maybe, shape } from './decode.ts'

/** What a failed call's body says (§8): a sentence, or why a second factor could not be verified. Never both. */
export type ErrorBody = { error: string } | { 'typed-error': VerifyError }

const bothFound = 'Both error types found, this should never happen'
const noneFound = 'No error types found'

const errorBody = v.pipe(
  v.object({ error: maybe(v.unknown()), 'typed-error': maybe(v.unknown()) }, noneFound),
  v.check(body => body.error == null || body['typed-error'] == null, bothFound),
  v.check(body => body.error != null || body['typed-error'] != null, noneFound),
  v.object({ error: maybe(v.string()), 'typed-error': maybe(verifyError) }),
  v.transform(({ error, 'typed-error': typed }): ErrorBody => (typed ? { 'typed-error': typed } : { error: error ?? '' })),
)

/** An error body (§8). A null field counts as absent; both fields or neither is a failure with the sentence of §8. */
export const ErrorBody = shape('ErrorBody', errorBody)

/** What to tell of any failed call: the body's own error, else §8's sentence about the body. Never fails. */
export const errorFromBody = (input: unknown): ErrorBody => {
  const decoded = decode(ErrorBody, input)
  return decoded.ok ? decoded.value : { error: decoded.error.replace(/^decodeErrorBody: /, '') }
}
