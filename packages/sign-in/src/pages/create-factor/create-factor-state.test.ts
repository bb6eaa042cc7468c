import { testTransitions } from '@gatehouse/ui/testing/transitions.ts'
import { describe, expect, it } from 'vitest'
import { isBusy, notSkipped, type Skip, type SkipEvent, skip } from './create-factor-state.ts'

const token = { authTokenSelector: 's', authTokenToken: 't' }
const states = {
  NotLoggedIn: notSkipped,
  Skipping: { is: 'Skipping' },
  NotLoggedInWithError: { is: 'NotLoggedInWithError', message: 'old' },
  LoggedIn: { is: 'LoggedIn', token },
} satisfies Record<Skip['is'], Skip>
const events = {
  skipped: { type: 'skipped' },
  succeeded: { type: 'succeeded', token },
  failed: { type: 'failed', message: 'new' },
  stayed: { type: 'stayed' },
  restored: { type: 'restored' },
} satisfies Record<SkipEvent['type'], SkipEvent>

describe('states of a skip (§4)', () => {
  testTransitions<Skip, SkipEvent>(skip, states, events, {
    'NotLoggedIn skipped': { is: 'Skipping' },
    'NotLoggedInWithError skipped': { is: 'Skipping' },
    'Skipping succeeded': { is: 'LoggedIn', token },
    'Skipping failed': { is: 'NotLoggedInWithError', message: 'new' },
    'Skipping stayed': notSkipped,
    'Skipping restored': notSkipped,
    'LoggedIn restored': notSkipped,
  })

  it('is busy while the call runs and after it succeeds', () => {
    expect(Object.values(states).filter(isBusy)).toEqual([states.Skipping, states.LoggedIn])
  })
})
