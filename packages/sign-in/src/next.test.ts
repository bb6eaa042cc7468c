import type { AuthOutcome, Factor } from '@gatehouse/wire'
import type { Step } from '@gatehouse/wire/page-props'
import { describe, expect, it } from 'vitest'
import { afterLogin, factorErrorAsOutcome } from './next.ts'
import { afterFactor, afterReset } from './next-after-factor.ts'

const credentials = { username: 'ada@example.com', password: 'secret' }
const factorUUID = '01234567-89ab-cdef-0123-456789abcdef'
const factor: Factor = {
  factorUUID,
  factorIdentity: 'u1',
  factorFriendlyName: 'Phone',
  factorStatus: 'Unverified',
  factorFactorType: 'TOTP',
  factorDateCreated: '2026-11-20T03:00:00Z',
}
const token = { authTokenSelector: 's', authTokenToken: 't' }

const steps: { [Tag in AuthOutcome['tag']]: [Extract<AuthOutcome, { tag: Tag }>, Step] } = {
  AuthSuccessful: [{ tag: 'AuthSuccessful', contents: token }, { leave: token }],
  AuthRequires2FA: [{ tag: 'AuthRequires2FA' }, { go: { at: 'verify-factor', credentials, firstSetup: false } }],
  AuthRequiresFactorCreation: [
    { tag: 'AuthRequiresFactorCreation', contents: factor },
    { go: { at: 'create-factor', credentials, factor } },
  ],
  AuthRequiresFactorReset: [{ tag: 'AuthRequiresFactorReset', contents: factorUUID }, { stay: {} }],
  AuthFailureFailedLogin: [{ tag: 'AuthFailureFailedLogin' }, { show: 'failed-login' }],
  AuthFailureForcedReset: [{ tag: 'AuthFailureForcedReset' }, { show: 'forced-reset' }],
  AuthFailureFactorError: [
    { tag: 'AuthFailureFactorError', contents: { tag: 'ApiError', contents: 'no route' } },
    { stay: { factorError: { tag: 'ApiError', contents: 'no route' } } },
  ],
}

describe('afterLogin (§4)', () => {
  it.each(Object.entries(steps))('returns the step that follows %s', (_, [outcome, step]) => {
    expect(afterLogin(outcome, credentials)).toEqual(step)
  })
})

it('passes on the server’s list of the user’s passkeys after a successful sign-in', () => {
  const passkeys = { signals: { rpId: 'example.com', userId: 'dQ', name: 'ada', displayName: 'ada', allAcceptedCredentialIds: ['YQ'] } }
  const outcome = { tag: 'AuthSuccessful', contents: token, passkeys } as const
  expect([afterLogin(outcome, credentials), afterFactor(outcome)]).toEqual([
    { leave: token, passkeys },
    { leave: token, passkeys },
  ])
})

it('asks for the passkey first if the user has one', () => {
  const passkey = { challenge: 'YQ', timeout: 300_000, rpId: 'example.com', userVerification: 'required' } as const
  const outcome: AuthOutcome = { tag: 'AuthRequires2FA', contents: { factorTypes: ['TOTP', 'Passkey'], passkey } }
  expect(afterLogin(outcome, credentials)).toEqual({
    go: { at: 'use-passkey', credentials, factorTypes: ['TOTP', 'Passkey'], passkey },
  })
})

const apiError = { tag: 'ApiError', contents: 'no route' } as const

describe('factorErrorAsOutcome', () => {
  const failure = { is: 'refused', message: 'Unknown error: no route', detail: 'POST /x answered 502', status: 502 } as const

  it('turns a failure with a verification error into that outcome', () => {
    expect(factorErrorAsOutcome({ ok: false, failure: { ...failure, typedError: apiError } })).toEqual({
      ok: true,
      value: { tag: 'AuthFailureFactorError', contents: apiError },
    })
  })

  it('returns other failures and outcomes unchanged', () => {
    for (const reply of [{ ok: false, failure } as const, { ok: true, value: { tag: 'AuthRequires2FA' } } as const]) {
      expect(factorErrorAsOutcome(reply)).toBe(reply)
    }
  })
})

const failedLogin: Step = { show: 'failed-login' }
const outcomes = Object.entries(steps).map(([tag, [outcome]]) => [tag, outcome] as const)

describe('afterFactor (§4, §8)', () => {
  const after: Record<AuthOutcome['tag'], Step> = {
    AuthSuccessful: { leave: token },
    AuthFailureFactorError: { explain: apiError },
    AuthRequires2FA: failedLogin,
    AuthRequiresFactorCreation: failedLogin,
    AuthRequiresFactorReset: failedLogin,
    AuthFailureFailedLogin: failedLogin,
    AuthFailureForcedReset: failedLogin,
  }
  it.each(outcomes)('returns the step that follows %s', (tag, outcome) =>
    expect(afterFactor(outcome)).toEqual(after[tag as AuthOutcome['tag']]),
  )
})

describe('afterReset (§4)', () => {
  const after: Record<AuthOutcome['tag'], Step> = {
    AuthRequiresFactorReset: { go: { at: 'verify-factor', credentials, firstSetup: false, factorUUID } },
    AuthFailureFactorError: { explain: apiError },
    AuthFailureFailedLogin: failedLogin,
    AuthFailureForcedReset: { show: 'forced-reset' },
    AuthSuccessful: { unexpected: 'AuthSuccessful' },
    AuthRequires2FA: { unexpected: 'AuthRequires2FA' },
    AuthRequiresFactorCreation: { unexpected: 'AuthRequiresFactorCreation' },
  }
  it.each(outcomes)('returns the step that follows %s', (tag, outcome) =>
    expect(afterReset(outcome, credentials)).toEqual(after[tag as AuthOutcome['tag']]),
  )
})
