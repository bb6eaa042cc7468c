import type { ErrorCode } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import type { Problem } from '../actions/action-state.ts'
import { factorProblem } from './factor-actions.ts'

test.each<[string, number, Problem | undefined, ErrorCode?]>([
  ['verifyTOTPFactorRequestCode: is wrong', 403, { at: 'otp', message: 'That code isn’t right. Enter the one your app shows now.' }],
  ['name: is already in use', 409, { at: 'factorFriendlyName', message: 'You already use this name.' }],
  [
    'factorFriendlyName: must not contain control characters',
    400,
    { at: 'factorFriendlyName', message: 'The name must not contain control characters.' },
    'NameUntypable',
  ],
  ['factorCreationRequestFriendlyName: is missing', 400, { at: 'factorFriendlyName', message: 'The name is missing.' }, 'NameMissing'],
  // A newer server can have other reasons.
  ['factorFriendlyName: is odd', 400, { at: 'factorFriendlyName', message: 'The server refused this name. Choose another one.' }],
  [
    'verifyTOTPFactorRequestFactorUUID: is unknown or has waited too long',
    410,
    { at: 'page', message: 'This took too long, or too many codes were wrong. Close this window and start again.' },
  ],
  ['factorUUID: there is no such factor', 404, { at: 'page', message: 'It has already been removed.' }],
  [
    'passkey: is the only way to sign in that is left',
    409,
    { at: 'page', message: 'This is your only way to sign in. Set a password or add another passkey first.' },
  ],
  // The dialog chooses this message itself: it depends on whether the user has a password.
  ['use your second factor', 403, undefined, 'SecondFactorRequired'],
  // The dialog shows the message of any failed call.
  ['Too many requests from this address.', 429, undefined],
])('returns the problem to show for the refusal ‘%s’', (message, status, problem, code) => {
  expect(factorProblem({ is: 'refused', message, detail: '', status, ...(code && { code }) })).toEqual(problem)
})
