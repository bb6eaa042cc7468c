import { testTransitions } from '@gatehouse/ui/testing/transitions.ts'
import { describe, expect, it } from 'vitest'
import { atRest, type OwnAct, type OwnActEvent, ownAct } from './action-state.ts'

type What = 'add' | 'scan'
const what = 'add'
const old = { at: 'name', message: 'old' }
const problem = { at: 'page', message: 'new' }
const states = {
  AtRest: atRest,
  Asking: { is: 'Asking', what },
  'Asking, wrong': { is: 'Asking', what, problem: old },
  Running: { is: 'Running', what, shut: false },
  'Running, shut': { is: 'Running', what, shut: true },
  Confirming: { is: 'Confirming', what },
  'Confirming, wrong': { is: 'Confirming', what, problem: old },
  Proving: { is: 'Proving', what, shut: false },
  'Proving, shut': { is: 'Proving', what, shut: true },
} satisfies Record<string, OwnAct<What>>
const events = {
  chosen: { type: 'chosen', what },
  closed: { type: 'closed' },
  sent: { type: 'sent' },
  stale: { type: 'stale' },
  proved: { type: 'proved' },
  next: { type: 'next', what: 'scan' },
  done: { type: 'done', news: 'new' },
  failed: { type: 'failed', problem },
  edited: { type: 'edited' },
  restored: { type: 'restored' },
} satisfies Record<string, OwnActEvent<What>>
const wrong: OwnAct<What> = { is: 'Asking', what, problem }
const unproved: OwnAct<What> = { is: 'Confirming', what, problem }
const done: OwnAct<What> = { is: 'AtRest', news: 'new' }

describe('the states of an act on one’s own account', () => {
  testTransitions<OwnAct<What>, OwnActEvent<What>>(ownAct, states, events, {
    'AtRest chosen': states.Asking,
    'Asking closed': atRest,
    'Asking sent': states.Running,
    'Asking failed': wrong,
    'Asking restored': atRest,
    'Asking, wrong closed': atRest,
    'Asking, wrong sent': states.Running,
    'Asking, wrong failed': wrong,
    'Asking, wrong edited': states.Asking,
    'Asking, wrong restored': atRest,
    'Running closed': states['Running, shut'],
    'Running stale': states.Confirming,
    'Running next': { is: 'Asking', what: 'scan' },
    'Running done': done,
    'Running failed': wrong,
    'Running restored': atRest,
    'Running, shut chosen': states.Running,
    'Running, shut stale': atRest,
    'Running, shut next': atRest,
    // It was done all the same.
    'Running, shut done': done,
    'Running, shut failed': atRest,
    'Running, shut restored': atRest,
    'Confirming closed': atRest,
    'Confirming sent': states.Proving,
    'Confirming failed': unproved,
    'Confirming restored': atRest,
    'Confirming, wrong closed': atRest,
    'Confirming, wrong sent': states.Proving,
    'Confirming, wrong failed': unproved,
    'Confirming, wrong edited': states.Confirming,
    'Confirming, wrong restored': atRest,
    'Proving closed': states['Proving, shut'],
    'Proving proved': states.Running,
    'Proving failed': unproved,
    'Proving restored': atRest,
    'Proving, shut chosen': states.Proving,
    // Nothing goes on for somebody who has closed the window.
    'Proving, shut proved': atRest,
    'Proving, shut failed': atRest,
    'Proving, shut restored': atRest,
  })

  it('forgets the news of the last one when the next begins', () => {
    expect(ownAct(done, { type: 'chosen', what })).toEqual({ is: 'Asking', what })
  })
})
