import { describe, expect, it } from 'vitest'
import { decode } from './decode.ts'
import { ErrorBody, errorFromBody } from './error-body.ts'

const typed = { tag: 'ApiError', contents: 'no answer' }

describe('an error body', () => {
  it.each([
    [{ error: 'no' }, { error: 'no' }],
    [{ error: '' }, { error: '' }],
    [{ error: 'no', 'typed-error': null, requestId: 'r1' }, { error: 'no' }],
    [
      { error: 'no', code: 'ReauthenticationRequired' },
      { error: 'no', code: 'ReauthenticationRequired' },
    ],
    [
      { error: 'no (request r1)', code: 'Fault', value: 'r1' },
      { error: 'no (request r1)', code: 'Fault', value: 'r1' },
    ],
    [
      { error: 'no', code: 'Fault', value: null },
      { error: 'no', code: 'Fault' },
    ],
    [{ error: 'no', value: 'r1' }, { error: 'no' }],
    [{ error: 'no', code: null }, { error: 'no' }],
    // A newer server may send a code that this decoder does not know.
    [{ error: 'no', code: 'CodeOfTomorrow' }, { error: 'no' }],
    [{ error: 'no', code: 'toString' }, { error: 'no' }],
    [{ 'typed-error': typed }, { 'typed-error': typed }],
    [{ 'typed-error': typed, code: 'SecondFactorRequired' }, { 'typed-error': typed }],
    [{ 'typed-error': typed, error: null }, { 'typed-error': typed }],
  ])('decodes %j as %j', (body, says) => {
    expect(decode(ErrorBody, body)).toStrictEqual({ ok: true, value: says })
    expect(errorFromBody(body)).toStrictEqual(says)
  })

  it.each([
    [{ error: 'no', 'typed-error': typed }, 'Both error types found, this should never happen'],
    [{ error: 'no', 'typed-error': {} }, 'Both error types found, this should never happen'],
    [{}, 'No error types found'],
    [{ error: null }, 'No error types found'],
    [{ Error: 'no', typedError: typed }, 'No error types found'],
    [null, 'No error types found'],
    ['', 'No error types found'],
    [[], 'No error types found'],
    [{ code: 'ReauthenticationRequired' }, 'No error types found'],
    [{ error: { message: 'no' } }, '/error: expected string'],
    [{ error: 'no', code: 403 }, '/code: expected string'],
    [{ error: 'no', code: 'Fault', value: 1 }, '/value: expected string'],
    [{ error: 'no', code: ['ReauthenticationRequired'] }, '/code: expected string'],
    [{ 'typed-error': { tag: 'Other' } }, '/typed-error/tag: unknown verification error'],
  ])('refuses %j with its message', (body, sentence) => {
    expect(decode(ErrorBody, body)).toEqual({ ok: false, error: `decodeErrorBody: ${sentence}` })
    expect(errorFromBody(body)).toEqual({ error: sentence })
  })
})
