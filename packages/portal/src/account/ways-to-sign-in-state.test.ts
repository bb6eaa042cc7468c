import { testTransitions } from '@gatehouse/ui/testing/transitions.ts'
import { describe, expect, it } from 'vitest'
import { atRest, type Way, type WaysEvent, type WaysState, waysToSignIn } from './ways-to-sign-in-state.ts'

const google: Way = { provider: 'Google', linked: true }
const azure: Way = { provider: 'Azure', linked: false }
const ways = [google, azure]
const way = google
const problem = { at: 'page', message: 'new' } as const
const states = {
  AtRest: atRest(ways),
  Asking: { is: 'Asking', ways, way },
  AskingWithError: { is: 'AskingWithError', ways, way, problem: { at: 'password', message: 'old' } },
  Changing: { is: 'Changing', ways, way, shut: false },
  'Changing, shut': { is: 'Changing', ways, way, shut: true },
  Leaving: { is: 'Leaving', ways, way, location: 'old' },
} satisfies Record<string, WaysState>
const events = {
  chosen: { type: 'chosen', way: azure },
  closed: { type: 'closed' },
  submitted: { type: 'submitted' },
  sentOn: { type: 'sentOn', location: 'new' },
  unlinked: { type: 'unlinked' },
  failed: { type: 'failed', problem },
  edited: { type: 'edited' },
  restored: { type: 'restored' },
} satisfies Record<string, WaysEvent>
const without: WaysState = { is: 'AtRest', ways: [{ provider: 'Google', linked: false }, azure], unlinked: 'Google' }

describe('the states of the ways to sign in', () => {
  testTransitions<WaysState, WaysEvent>(waysToSignIn, states, events, {
    'AtRest chosen': { is: 'Asking', ways, way: azure },
    'Asking closed': atRest(ways),
    'Asking submitted': { is: 'Changing', ways, way, shut: false },
    'Asking failed': { is: 'AskingWithError', ways, way, problem },
    'Asking restored': atRest(ways),
    'AskingWithError closed': atRest(ways),
    'AskingWithError submitted': { is: 'Changing', ways, way, shut: false },
    'AskingWithError failed': { is: 'AskingWithError', ways, way, problem },
    'AskingWithError edited': { is: 'Asking', ways, way },
    'AskingWithError restored': atRest(ways),
    'Changing closed': { is: 'Changing', ways, way, shut: true },
    'Changing sentOn': { is: 'Leaving', ways, way, location: 'new' },
    'Changing unlinked': without,
    'Changing failed': { is: 'AskingWithError', ways, way, problem },
    'Changing restored': atRest(ways),
    // What was sent is not called back, and nobody is sent on who has closed the window.
    'Changing, shut chosen': { is: 'Changing', ways, way, shut: false },
    'Changing, shut sentOn': atRest(ways),
    'Changing, shut unlinked': without,
    'Changing, shut failed': atRest(ways),
    'Changing, shut restored': atRest(ways),
    'Leaving closed': atRest(ways),
    'Leaving restored': atRest(ways),
  })

  it('forgets the news of the last change when the next begins', () => {
    expect(waysToSignIn(without, { type: 'chosen', way: azure })).toEqual({ is: 'Asking', ways: without.ways, way: azure })
  })
})
