import type { Failure } from '@gatehouse/sign-in'
import type { AuthOutcome, Factor } from '@gatehouse/wire'
import { describe, expect, it } from 'vitest'
import { afterNewFactor, afterRedeem, afterVoid } from './after-mail-link.ts'

const token = { authTokenSelector: 's', authTokenToken: 't' }
const factor: Factor = {
  factorUUID: '01234567-89ab-cdef-0123-456789abcdef',
  factorIdentity: 'u1',
  factorFriendlyName: 'Phone',
  factorStatus: 'Unverified',
  factorFactorType: 'TOTP',
  factorDateCreated: '2026-11-20T03:00:00Z',
}
const message = 'That didn’t work. Try again or get a new link.'
const refused = { type: 'refused', message }
const puzzling = { type: 'failed', problem: { at: 'page', message } }
const credentials = { username: '', password: '' }
const factorError: AuthOutcome = {
  tag: 'AuthFailureFactorError',
  contents: { tag: 'DatabaseError', contents: { tag: 'NoVerifiedFactors' } },
}

describe('the event after using a one-time link', () => {
  it.each<[AuthOutcome, unknown]>([
    [
      { tag: 'AuthSuccessful', contents: token },
      { type: 'done', result: { is: 'LoggedIn', token } },
    ],
    [{ tag: 'AuthRequires2FA' }, { type: 'done', result: { is: 'GoesOn', page: { at: 'verify-factor', credentials, firstSetup: false } } }],
    [
      { tag: 'AuthRequiresFactorCreation', contents: factor },
      { type: 'done', result: { is: 'GoesOn', page: { at: 'create-factor', credentials, factor } } },
    ],
    [{ tag: 'AuthFailureForcedReset' }, { type: 'done', result: { is: 'ForcedReset' } }],
    [{ tag: 'AuthFailureFailedLogin' }, refused],
    [{ tag: 'AuthRequiresFactorReset', contents: factor.factorUUID }, puzzling],
    [factorError, puzzling],
  ])('follows from the outcome %o', (value, event) => {
    expect(afterRedeem({ ok: true, value })).toEqual(event)
  })
})

describe('the event after using a factor reset link', () => {
  it.each<[AuthOutcome, unknown]>([
    [
      { tag: 'AuthRequiresFactorCreation', contents: factor },
      { type: 'done', result: factor },
    ],
    [{ tag: 'AuthFailureFailedLogin' }, refused],
    [{ tag: 'AuthFailureForcedReset' }, refused],
    [{ tag: 'AuthSuccessful', contents: token }, puzzling],
    [{ tag: 'AuthRequires2FA' }, puzzling],
    [{ tag: 'AuthRequiresFactorReset', contents: factor.factorUUID }, puzzling],
    [factorError, puzzling],
  ])('follows from the outcome %o', (value, event) => {
    expect(afterNewFactor({ ok: true, value })).toEqual(event)
  })
})

describe('the event after a call', () => {
  const failure = (more: Partial<Failure>): Failure => ({ is: 'refused', message: 'no', detail: '', ...more })
  const unexplained = (status: number) => `The server couldn’t do this (error ${status}). Reload this page and try again.`
  const failed = (message: string, at = 'page') => ({ type: 'failed', problem: { at, message } })

  it.each([
    ['a link that no longer works', failure({ status: 410 }), refused],
    [
      'a refused password',
      failure({ status: 400, message: 'newpassword: is too common', code: 'PasswordCommon' }),
      failed('The password is too common. Use four or more unrelated words, or let a password manager create one.', 'password'),
    ],
    ['another refused field', failure({ status: 400, message: 'resettoken: is no token' }), failed(unexplained(400))],
    [
      'a refused password without a known code',
      failure({ status: 400, message: 'newpassword: is unknown.' }),
      failed('The server refused this password. Choose another one.', 'password'),
    ],
    ['a status 429 without a code', failure({ status: 429, message: 'too many requests' }), failed(unexplained(429))],
    [
      'the code TooManyRequests',
      failure({ status: 429, message: 'no', code: 'TooManyRequests' }),
      failed('Too many requests from this address. Try again later.'),
    ],
    ['no network', failure({ is: 'unreachable', message: 'Something went wrong' }), failed('Try again in a moment.')],
    [
      'a malformed reply',
      failure({ is: 'malformed', status: 200, message: 'decodeNothing: expected an object' }),
      failed('Try again in a moment.'),
    ],
  ])('follows from the failure: %s', (_, failure, event) => {
    for (const after of [afterVoid, afterRedeem, afterNewFactor]) expect(after({ ok: false, failure })).toEqual(event)
  })

  it('is ‘done’ if the call succeeds without content', () => {
    expect(afterVoid({ ok: true, value: undefined })).toEqual({ type: 'done', result: undefined })
  })
})
