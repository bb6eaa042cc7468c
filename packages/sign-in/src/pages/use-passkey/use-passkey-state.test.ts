import { describe, expect, it } from 'vitest'
import { notVerified, type UsePasskey, type UsePasskeyEvent, usePasskeyState } from './use-passkey-state.ts'

const token = { authTokenSelector: 's', authTokenToken: 't' }
const states = {
  NotVerified: notVerified,
  Verifying: { is: 'Verifying' },
  NotVerifiedWithError: { is: 'NotVerifiedWithError', message: 'old' },
  VerifiedWithSuccess: { is: 'VerifiedWithSuccess', token },
} satisfies Record<UsePasskey['is'], UsePasskey>
const events = {
  submitted: { type: 'submitted' },
  succeeded: { type: 'succeeded', token },
  failed: { type: 'failed', message: 'new' },
  stayed: { type: 'stayed' },
  restored: { type: 'restored' },
} satisfies Record<UsePasskeyEvent['type'], UsePasskeyEvent>

/** Every pair that changes the state. */
const moves: Partial<Record<`${UsePasskey['is']} ${UsePasskeyEvent['type']}`, UsePasskey>> = {
  'NotVerified submitted': states.Verifying,
  'NotVerifiedWithError submitted': states.Verifying,
  'Verifying succeeded': states.VerifiedWithSuccess,
  'Verifying failed': { is: 'NotVerifiedWithError', message: 'new' },
  'Verifying stayed': notVerified,
  'Verifying restored': notVerified,
  'NotVerifiedWithError restored': notVerified,
  'VerifiedWithSuccess restored': notVerified,
}

describe('states of the page that asks for a passkey', () => {
  for (const state of Object.values(states)) {
    for (const event of Object.values(events)) {
      const move = moves[`${state.is} ${event.type}`]
      it(`${state.is}, ${event.type} → ${move ? move.is : 'unchanged'}`, () => {
        const after = usePasskeyState(state, event)
        if (move) expect(after).toEqual(move)
        else expect(after).toBe(state)
      })
    }
  }
})
