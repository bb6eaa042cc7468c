import type { Failure } from '@gatehouse/sign-in'
import type { AuthOutcome, Factor } from '@gatehouse/wire'
import { describe, expect, it } from 'vitest'
import { afterContinue } from './after-continue.ts'

const token = { authTokenSelector: 's', authTokenToken: 't' }
const factor: Factor = {
  factorUUID: '01234567-89ab-cdef-0123-456789abcdef',
  factorIdentity: 'u1',
  factorFriendlyName: 'Phone',
  factorStatus: 'Unverified',
  factorFactorType: 'TOTP',
  factorDateCreated: '2026-11-20T03:00:00Z',
}
const credentials = { username: '', password: '' }
const advice = { type: 'failed', message: 'Try again in a moment.' }
const noFactor = { tag: 'DatabaseError', contents: { tag: 'NoVerifiedFactors' } } as const

describe('what follows from going on with a sign-in', () => {
  it.each<[AuthOutcome, unknown]>([
    [
      { tag: 'AuthSuccessful', contents: token },
      { type: 'answered', result: { is: 'LoggedIn', token } },
    ],
    [
      { tag: 'AuthRequires2FA' },
      { type: 'answered', result: { is: 'GoesOn', page: { at: 'verify-factor', credentials, firstSetup: false } } },
    ],
    [
      { tag: 'AuthRequires2FA', contents: { factorTypes: ['Push'] } },
      { type: 'answered', result: { is: 'GoesOn', page: { at: 'verify-factor', credentials, firstSetup: false, factorTypes: ['Push'] } } },
    ],
    [
      { tag: 'AuthRequiresFactorCreation', contents: factor },
      { type: 'answered', result: { is: 'GoesOn', page: { at: 'create-factor', credentials, factor } } },
    ],
    [{ tag: 'AuthFailureForcedReset' }, { type: 'answered', result: { is: 'ForcedReset' } }],
    [{ tag: 'AuthFailureFailedLogin' }, { type: 'refused' }],
    [{ tag: 'AuthRequiresFactorReset', contents: factor.factorUUID }, advice],
    [{ tag: 'AuthFailureFactorError', contents: noFactor }, advice],
  ])('%o', (value, event) => {
    expect(afterContinue({ ok: true, value })).toEqual(event)
  })

  const failure = (more: Partial<Failure>): Failure => ({ is: 'refused', message: 'no', detail: '', ...more })

  it.each([
    ['nobody’s ticket', failure({ status: 401 }), { type: 'refused' }],
    ['a ticket that is over', failure({ status: 410 }), { type: 'refused' }],
    ['too many', failure({ status: 429, message: 'too many requests' }), { type: 'failed', message: 'too many requests' }],
    ['no network', failure({ is: 'unreachable' }), advice],
    ['a fault of the factors', failure({ status: 500, typedError: noFactor }), advice],
  ])('%s', (_, failure, event) => {
    expect(afterContinue({ ok: false, failure })).toEqual(event)
  })
})
