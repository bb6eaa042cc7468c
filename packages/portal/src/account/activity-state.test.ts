import { testTransitions } from '@gatehouse/ui/testing/transitions.ts'
import type { Activity } from '@gatehouse/wire'
import { describe } from 'vitest'
import { type ActivityEvent, type ActivityState, activity } from './activity-state.ts'

const row = (kind: 'SignedIn' | 'SignedOut' | 'Other') => ({ kind, at: '2026-11-20T03:00:00Z' })
const rows: Activity['rows'] = [row('SignedIn')]
const more = 'old'
const newest: Activity = { rows: [row('Other')], more: 'newer' }
const states = {
  Shown: { is: 'Shown', rows, more, grown: false },
  Loading: { is: 'Loading', rows, more },
  ShownWithError: { is: 'ShownWithError', rows, more, message: 'old' },
} satisfies Record<string, ActivityState>
const events = {
  asked: { type: 'asked' },
  told: { type: 'told', page: { rows: [row('SignedOut')] } },
  failed: { type: 'failed', message: 'new' },
  renewed: { type: 'renewed', newest },
  'renewed by the same': { type: 'renewed', newest: { rows, more } },
  restored: { type: 'restored' },
} satisfies Record<string, ActivityEvent>
const renewed: ActivityState = { is: 'Shown', rows: newest.rows, more: 'newer', grown: false }

describe('the states of the recent activity', () => {
  testTransitions<ActivityState, ActivityEvent>(activity, states, events, {
    'Shown asked': states.Loading,
    'Shown renewed': renewed,
    'Loading told': { is: 'Shown', rows: [...rows, row('SignedOut')], more: undefined, grown: true },
    'Loading failed': { is: 'ShownWithError', rows, more, message: 'new' },
    'Loading restored': states.Shown,
    'ShownWithError asked': states.Loading,
    'ShownWithError renewed': renewed,
  })
})
