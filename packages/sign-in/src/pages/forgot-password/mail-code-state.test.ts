import { testTransitions } from '@gatehouse/ui/testing/transitions.ts'
import { describe } from 'vitest'
import { type MailCode, type MailCodeEvent, mailCode, notEntered } from './mail-code-state.ts'

const token = { authTokenSelector: 's', authTokenToken: 't' }
const states = {
  NotEntered: notEntered,
  Missing: { is: 'Missing' },
  Entering: { is: 'Entering' },
  Refused: { is: 'Refused', message: 'old' },
  SignedIn: { is: 'SignedIn', token },
} satisfies Record<string, MailCode>
const events = {
  submitted: { type: 'submitted', code: 'ABCDEFGH' },
  'submitted no code': { type: 'submitted', code: '' },
  edited: { type: 'edited' },
  succeeded: { type: 'succeeded', token },
  refused: { type: 'refused', message: 'new' },
  stayed: { type: 'stayed' },
  restored: { type: 'restored' },
} satisfies Record<string, MailCodeEvent>

describe('states of the form for the code of a one-time-link email', () => {
  testTransitions<MailCode, MailCodeEvent>(mailCode, states, events, {
    'NotEntered submitted': { is: 'Entering' },
    'NotEntered submitted no code': { is: 'Missing' },
    'Missing submitted': { is: 'Entering' },
    'Missing submitted no code': { is: 'Missing' },
    'Missing edited': notEntered,
    'Refused submitted': { is: 'Entering' },
    'Refused submitted no code': { is: 'Missing' },
    'Refused edited': notEntered,
    'Entering succeeded': { is: 'SignedIn', token },
    'Entering refused': { is: 'Refused', message: 'new' },
    'Entering stayed': notEntered,
    'Entering restored': notEntered,
    'SignedIn restored': notEntered,
  })
})
