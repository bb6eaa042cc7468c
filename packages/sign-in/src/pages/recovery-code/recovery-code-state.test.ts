import { testTransitions } from '@gatehouse/ui/testing/transitions.ts'
import { describe, expect, it } from 'vitest'
import { isBusy, notRecovered, type Recovery, type RecoveryEvent, recovery } from './recovery-code-state.ts'

const token = { authTokenSelector: 's', authTokenToken: 't' }
const states = {
  NotVerified: notRecovered,
  CodeMissing: { is: 'CodeMissing' },
  Verifying: { is: 'Verifying' },
  NotVerifiedWithError: { is: 'NotVerifiedWithError', message: 'old' },
  VerifiedWithSuccess: { is: 'VerifiedWithSuccess', token },
} satisfies Record<string, Recovery>
const events = {
  submitted: { type: 'submitted', code: 'abcd' },
  'submitted nothing': { type: 'submitted', code: '' },
  edited: { type: 'edited' },
  succeeded: { type: 'succeeded', token },
  failed: { type: 'failed', message: 'new' },
  stayed: { type: 'stayed' },
  restored: { type: 'restored' },
} satisfies Record<string, RecoveryEvent>

describe('states of the recovery-code page', () => {
  testTransitions<Recovery, RecoveryEvent>(recovery, states, events, {
    'NotVerified submitted': { is: 'Verifying' },
    'NotVerified submitted nothing': { is: 'CodeMissing' },
    'CodeMissing submitted': { is: 'Verifying' },
    'CodeMissing submitted nothing': { is: 'CodeMissing' },
    'CodeMissing edited': notRecovered,
    'NotVerifiedWithError submitted': { is: 'Verifying' },
    'NotVerifiedWithError submitted nothing': { is: 'CodeMissing' },
    'Verifying succeeded': { is: 'VerifiedWithSuccess', token },
    'Verifying failed': { is: 'NotVerifiedWithError', message: 'new' },
    'Verifying stayed': notRecovered,
    'Verifying restored': notRecovered,
    'VerifiedWithSuccess restored': notRecovered,
  })

  it('is busy while the call runs and after it succeeds', () => {
    const all: Recovery[] = Object.values(states)
    expect(all.filter(isBusy)).toEqual([states.Verifying, states.VerifiedWithSuccess])
  })
})
