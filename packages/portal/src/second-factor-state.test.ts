import { describe } from 'vitest'
import { testTransitions } from '../../sign-in/src/testing/transitions.ts'
import { asking, type SecondFactorEvent, type SecondFactorState, secondFactor } from './second-factor-state.ts'

const states = {
  Asking: asking,
  NotAsked: { is: 'NotAsked', message: 'old' },
  TooLate: { is: 'TooLate' },
  Answered: { is: 'Answered', result: { is: 'ForcedReset' } },
} satisfies Record<string, SecondFactorState>
const token = { authTokenSelector: 's', authTokenToken: 't' }
const events = {
  answered: { type: 'answered', result: { is: 'LoggedIn', token } },
  refused: { type: 'refused' },
  failed: { type: 'failed', message: 'new' },
  askedAgain: { type: 'askedAgain' },
  restored: { type: 'restored' },
} satisfies Record<string, SecondFactorEvent>

describe('the states of a provider’s sign-in that goes on', () => {
  testTransitions<SecondFactorState, SecondFactorEvent>(secondFactor, states, events, {
    'Asking answered': { is: 'Answered', result: { is: 'LoggedIn', token } },
    'Asking refused': { is: 'TooLate' },
    'Asking failed': { is: 'NotAsked', message: 'new' },
    'Asking restored': asking,
    'NotAsked askedAgain': asking,
    'NotAsked restored': asking,
    'TooLate restored': asking,
    'Answered restored': asking,
  })
})
