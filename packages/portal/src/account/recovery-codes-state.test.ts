import { testTransitions } from '@gatehouse/ui/testing/transitions.ts'
import { describe } from 'vitest'
import { type CodesEvent, type CodesState, notShown, recoveryCodes } from './recovery-codes-state.ts'

const states = {
  NotShown: notShown,
  Asking: { is: 'Asking' },
  NotShownWithError: { is: 'NotShownWithError', message: 'old' },
  Shown: { is: 'Shown', codes: ['old'] },
} satisfies Record<string, CodesState>
const events = {
  asked: { type: 'asked' },
  told: { type: 'told', codes: ['new'] },
  failed: { type: 'failed', message: 'new' },
  restored: { type: 'restored' },
} satisfies Record<string, CodesEvent>

describe('the states of the recovery codes page', () => {
  testTransitions<CodesState, CodesEvent>(recoveryCodes, states, events, {
    'NotShown asked': { is: 'Asking' },
    'NotShownWithError asked': { is: 'Asking' },
    'NotShownWithError restored': notShown,
    'Asking told': { is: 'Shown', codes: ['new'] },
    'Asking failed': { is: 'NotShownWithError', message: 'new' },
    'Asking restored': notShown,
    'Shown restored': notShown,
  })
})
