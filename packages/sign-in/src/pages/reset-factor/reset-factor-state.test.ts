import { testTransitions } from '@gatehouse/ui/testing/transitions.ts'
import { describe } from 'vitest'
import { notSent, type Reset, type ResetEvent, reset } from './reset-factor-state.ts'

describe('states of the factor reset page (§4)', () => {
  testTransitions<Reset, ResetEvent>(
    reset,
    { NotSent: notSent, Sending: { is: 'Sending' } },
    { submitted: { type: 'submitted' }, stayed: { type: 'stayed' }, restored: { type: 'restored' } },
    {
      'NotSent submitted': { is: 'Sending' },
      'Sending stayed': notSent,
      'Sending restored': notSent,
    },
  )
})
