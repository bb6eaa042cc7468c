import { testTransitions } from '@gatehouse/ui/testing/transitions.ts'
import { describe, expect, it } from 'vitest'
import { type Forgot, type ForgotEvent, forgot, isSending, notSend } from './forgot-password-state.ts'

const states = {
  NotSend: notSend,
  SendingResetEmail: { is: 'SendingResetEmail' },
  SendingMagicLink: { is: 'SendingMagicLink' },
  Sent: { is: 'Sent', message: 'old', address: 'old@example.com' },
} satisfies Record<Forgot['is'], Forgot>
const events = {
  resetEmailSubmitted: { type: 'resetEmailSubmitted' },
  magicLinkSubmitted: { type: 'magicLinkSubmitted' },
  sent: { type: 'sent', message: 'new', address: 'new@example.com' },
  failed: { type: 'failed' },
  restored: { type: 'restored' },
} satisfies Record<ForgotEvent['type'], ForgotEvent>

describe('states of the forgot-password page (§4)', () => {
  testTransitions<Forgot, ForgotEvent>(forgot, states, events, {
    'NotSend resetEmailSubmitted': { is: 'SendingResetEmail' },
    'NotSend magicLinkSubmitted': { is: 'SendingMagicLink' },
    'Sent resetEmailSubmitted': { is: 'SendingResetEmail' },
    'Sent magicLinkSubmitted': { is: 'SendingMagicLink' },
    'SendingResetEmail sent': { is: 'Sent', message: 'new', address: 'new@example.com' },
    'SendingMagicLink sent': { is: 'Sent', message: 'new', address: 'new@example.com' },
    'SendingResetEmail failed': notSend,
    'SendingMagicLink failed': notSend,
    'SendingResetEmail restored': notSend,
    'SendingMagicLink restored': notSend,
  })

  it('is sending while it requests a reset email or a one-time link', () => {
    expect(Object.values(states).filter(isSending)).toEqual([states.SendingResetEmail, states.SendingMagicLink])
  })
})
