import { expect, it } from 'vitest'
import { type ActEvent, type ActState, acting } from './user-action.ts'

const act = { kind: 'unlock', userId: 'u', userIdent: 'ada@example.com' } as const
const who = 'ada@example.com'
const after = (...events: ActEvent[]) => events.reduce(acting, { is: 'AtRest' } as ActState)
const chosen = { type: 'chosen', act } as const
const submitted = { type: 'submitted', who } as const
const wrong = { type: 'failed', problem: { at: 'field', message: 'wrong' } } as const

it('an act is asked about, done and told of', () => {
  expect(after(chosen)).toEqual({ is: 'Asking', act })
  expect(after(chosen, submitted, { type: 'done' })).toEqual({ is: 'AtRest', done: { kind: 'unlock', who } })
  expect(after(chosen, wrong)).toMatchObject({ is: 'Asking', problem: { message: 'wrong' } })
  expect(after(chosen, wrong, { type: 'edited' })).toEqual({ is: 'Asking', act })
  expect(after(chosen, { type: 'closed' })).toEqual({ is: 'AtRest' })
})

it('after a sign-in too long ago the password comes between, and the same act is tried once more', () => {
  const asked = [chosen, submitted, { type: 'stale' }] as const
  expect(after(...asked)).toEqual({ is: 'Confirming', act, who })
  expect(after(...asked, { type: 'passwordSent' }, wrong)).toMatchObject({ is: 'Confirming', problem: { message: 'wrong' } })
  expect(after(...asked, { type: 'passwordSent' }, { type: 'passwordRight' })).toEqual({ is: 'Doing', act, who })
  expect(after(...asked, { type: 'closed' })).toEqual({ is: 'AtRest' })
})

it('what was done is told of where it was done', () => {
  expect(after(chosen, submitted, { type: 'done' }, { type: 'left' })).toEqual({ is: 'AtRest' })
  expect(after(chosen, { type: 'left' })).toEqual({ is: 'Asking', act })
})

it('what runs is neither closed nor begun a second time', () => {
  expect(after(chosen, submitted, { type: 'closed' })).toEqual({ is: 'Doing', act, who })
  expect(after(chosen, submitted, submitted, { type: 'chosen', act: { kind: 'add' } })).toEqual({ is: 'Doing', act, who })
  expect(after({ type: 'done' }, { type: 'stale' }, { type: 'passwordRight' })).toEqual({ is: 'AtRest' })
})
