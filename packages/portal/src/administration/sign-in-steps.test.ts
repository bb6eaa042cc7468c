import { expect, it } from 'vitest'
import { type ActivityRow, countedSteps, groupSteps, isCompleted } from './sign-in-steps.ts'

const row = (signIn: string | null, auditEvent: string, auditResult = 'successful'): ActivityRow => ({
  auditAt: '2026-11-20T02:41:07Z',
  auditEvent,
  auditResult,
  signIn,
  by: 'Self',
})

it('groups the steps of a sign-in at the position of the newest step, even with other events in between', () => {
  const activity = [
    row('b', 'second-factor', 'wrong-code'),
    row('a', 'session-started'),
    row(null, 'sign-in', 'wrong-password'),
    row('b', 'sign-in', 'second-factor-required'),
    row('a', 'sign-in'),
    row(null, 'sign-in', 'wrong-password'),
    row('c', 'sign-in', 'wrong-password'),
  ]
  const items = groupSteps(activity)
  expect(items.map(item => (item.is === 'SignIn' ? `${item.id} ${item.rows.length}` : item.row.auditResult))).toEqual([
    'b 2',
    'a 2',
    'wrong-password',
    'wrong-password',
    // A single step is an event.
    'wrong-password',
  ])
  expect(items.flatMap(item => (item.is === 'SignIn' ? [isCompleted(item.rows)] : []))).toEqual([false, true])
  // Every row is shown once.
  expect(items.flatMap(item => (item.is === 'SignIn' ? item.rows : [item.row])).length).toBe(activity.length)
})

it('counts equal steps in a row, oldest first', () => {
  const rows = ['accepted', 'wrong', 'sent', 'wrong', 'wrong'].map(result => row('a', 'sign-in', result))
  expect(countedSteps(rows, ({ auditResult }) => auditResult)).toEqual([
    { text: 'wrong', times: 2 },
    { text: 'sent', times: 1 },
    { text: 'wrong', times: 1 },
    { text: 'accepted', times: 1 },
  ])
})
