import type { AuthOutcome, Factor } from '@gatehouse/wire'
import { describe, expect, it } from 'vitest'
import { afterLogin, type Step } from './next.ts'

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
    { stay: { log: 'AuthFailureFactorError: Unknown error: no route' } },
  ],
}

describe('what follows a sign-in with password (§4)', () => {
  it.each(Object.entries(steps))('%s', (_, [outcome, step]) => {
    expect(afterLogin(outcome, credentials)).toEqual(step)
  })
})
