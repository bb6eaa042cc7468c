import { testTransitions } from '@gatehouse/ui/testing/transitions.ts'
import { describe, expect, it } from 'vitest'
import { isBusy, isSent, notVerified, type Verification, type VerificationEvent, verification } from './verify-factor-state.ts'

const token = { authTokenSelector: 's', authTokenToken: 't' }
const states = {
  NotVerified: notVerified,
  Verifying: { is: 'Verifying', code: 12345 },
  'Verifying nothing': { is: 'Verifying', code: undefined },
  NotVerifiedWithError: { is: 'NotVerifiedWithError', message: 'old' },
  'NotVerifiedWithError, wrong code': { is: 'NotVerifiedWithError', message: 'old', wrongCode: true },
  VerifiedWithSuccess: { is: 'VerifiedWithSuccess', token },
} satisfies Record<string, Verification>
const events = {
  submitted: { type: 'submitted', code: 0 },
  'submitted no code': { type: 'submitted', code: undefined },
  edited: { type: 'edited' },
  succeeded: { type: 'succeeded', token },
  failed: { type: 'failed', message: 'new' },
  'failed, wrong code': { type: 'failed', message: 'new', wrongCode: true },
  stayed: { type: 'stayed' },
  restored: { type: 'restored' },
} satisfies Record<string, VerificationEvent>

describe('states of the factor verification page (§4)', () => {
  testTransitions<Verification, VerificationEvent>(verification, states, events, {
    'NotVerified submitted': { is: 'Verifying', code: 0 },
    'NotVerified submitted no code': { is: 'Verifying', code: undefined },
    'NotVerifiedWithError submitted': { is: 'Verifying', code: 0 },
    'NotVerifiedWithError submitted no code': { is: 'Verifying', code: undefined },
    'NotVerifiedWithError, wrong code submitted': { is: 'Verifying', code: 0 },
    'NotVerifiedWithError, wrong code submitted no code': { is: 'Verifying', code: undefined },
    'NotVerifiedWithError, wrong code edited': { is: 'NotVerifiedWithError', message: 'old' },
    'Verifying nothing submitted': { is: 'Verifying', code: 0 },
    'Verifying nothing submitted no code': { is: 'Verifying', code: undefined },
    'Verifying nothing edited': notVerified,
    'Verifying succeeded': { is: 'VerifiedWithSuccess', token },
    'Verifying failed': { is: 'NotVerifiedWithError', message: 'new' },
    'Verifying failed, wrong code': { is: 'NotVerifiedWithError', message: 'new', wrongCode: true },
    'Verifying stayed': notVerified,
    'Verifying restored': notVerified,
    'Verifying nothing restored': notVerified,
    'VerifiedWithSuccess restored': notVerified,
  })

  it('is busy in Verifying and after a success, and waits for a reply only if it sent a code, including 000000', () => {
    const all: Verification[] = Object.values(states)
    expect(all.filter(isBusy)).toEqual([states.Verifying, states['Verifying nothing'], states.VerifiedWithSuccess])
    expect(all.filter(isSent)).toEqual([states.Verifying])
    expect(isSent({ is: 'Verifying', code: 0 })).toBe(true)
  })
})
