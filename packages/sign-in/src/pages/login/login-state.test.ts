import { describe, expect, it } from 'vitest'
import { isBusy, type Login, type LoginEvent, login, notLoggedIn } from './login-state.ts'

const token = { authTokenSelector: 's', authTokenToken: 't' }
const states = {
  NotLoggedIn: notLoggedIn,
  LoggingIn: { is: 'LoggingIn' },
  NotLoggedInWithError: { is: 'NotLoggedInWithError', reason: 'failed-login', message: 'old' },
  LoggedIn: { is: 'LoggedIn', token },
} satisfies Record<Login['is'], Login>
const events = {
  submitted: { type: 'submitted' },
  succeeded: { type: 'succeeded', token: { authTokenSelector: 'new', authTokenToken: 'new' } },
  failed: { type: 'failed', reason: 'forced-reset', message: 'new' },
  stayed: { type: 'stayed' },
  restored: { type: 'restored' },
} satisfies Record<LoginEvent['type'], LoginEvent>

/** Every pair that changes the state. All other pairs return the same state object. */
const moves: Partial<Record<`${Login['is']} ${LoginEvent['type']}`, Login>> = {
  'NotLoggedIn submitted': { is: 'LoggingIn' },
  'NotLoggedInWithError submitted': { is: 'LoggingIn' },
  'LoggingIn succeeded': { is: 'LoggedIn', token: events.succeeded.token },
  'LoggingIn failed': { is: 'NotLoggedInWithError', reason: 'forced-reset', message: 'new' },
  'LoggingIn stayed': notLoggedIn,
  'LoggingIn restored': notLoggedIn,
  'LoggedIn restored': notLoggedIn,
}

describe('states of the login page (§4)', () => {
  for (const state of Object.values(states)) {
    for (const event of Object.values(events)) {
      const move = moves[`${state.is} ${event.type}`]
      it(`${state.is}, ${event.type} → ${move ? move.is : 'unchanged'}`, () => {
        const after = login(state, event)
        if (move) expect(after).toEqual(move)
        else expect(after).toBe(state)
      })
    }
  }

  it('is busy while the sign-in call runs and after it succeeds', () => {
    expect(Object.values(states).filter(isBusy)).toEqual([states.LoggingIn, states.LoggedIn])
  })
})
