import { testTransitions } from '@gatehouse/ui/testing/transitions.ts'
import { describe, expect, it } from 'vitest'
import { type ActionEvent, type ActionState, actionState, idle } from './action-state.ts'

type Action = 'add' | 'scan'
const action = 'add'
const old = { at: 'name', message: 'old' }
const problem = { at: 'page', message: 'new' }
const states = {
  Idle: idle,
  'Idle, message': { is: 'Idle', message: 'old' },
  Asking: { is: 'Asking', action },
  'Asking, wrong': { is: 'Asking', action, problem: old },
  Running: { is: 'Running', action, hidden: false },
  'Running, hidden': { is: 'Running', action, hidden: true },
  Reauthenticating: { is: 'Reauthenticating', action },
  'Reauthenticating, wrong': { is: 'Reauthenticating', action, problem: old },
  CheckingPassword: { is: 'CheckingPassword', action, hidden: false },
  'CheckingPassword, hidden': { is: 'CheckingPassword', action, hidden: true },
  Leaving: { is: 'Leaving', action, location: 'old' },
} satisfies Record<string, ActionState<Action>>
const events = {
  chosen: { type: 'chosen', action },
  closed: { type: 'closed' },
  sent: { type: 'sent' },
  stale: { type: 'stale' },
  confirmed: { type: 'confirmed' },
  next: { type: 'next', action: 'scan' },
  sentOn: { type: 'sentOn', location: 'new' },
  done: { type: 'done', message: 'new' },
  failed: { type: 'failed', problem },
  edited: { type: 'edited' },
  dismissed: { type: 'dismissed' },
  restored: { type: 'restored' },
} satisfies Record<string, ActionEvent<Action>>
const wrong: ActionState<Action> = { is: 'Asking', action, problem }
const unconfirmed: ActionState<Action> = { is: 'Reauthenticating', action, problem }
const done: ActionState<Action> = { is: 'Idle', message: 'new' }

describe('the states of an action', () => {
  testTransitions<ActionState<Action>, ActionEvent<Action>>(actionState, states, events, {
    'Idle chosen': states.Asking,
    // The next action clears the message of the last one.
    'Idle, message chosen': states.Asking,
    'Idle, message dismissed': idle,
    'Asking closed': idle,
    'Asking sent': states.Running,
    'Asking failed': wrong,
    'Asking restored': idle,
    'Asking, wrong closed': idle,
    'Asking, wrong sent': states.Running,
    'Asking, wrong failed': wrong,
    'Asking, wrong edited': states.Asking,
    'Asking, wrong restored': idle,
    'Running closed': states['Running, hidden'],
    'Running stale': states.Reauthenticating,
    'Running next': { is: 'Asking', action: 'scan' },
    'Running sentOn': { is: 'Leaving', action, location: 'new' },
    'Running done': done,
    'Running failed': wrong,
    'Running restored': idle,
    'Running, hidden chosen': states.Running,
    'Running, hidden stale': idle,
    'Running, hidden next': idle,
    // The browser stays on the page if the user has closed the dialog.
    'Running, hidden sentOn': idle,
    // The server carried the action out, so the page says so.
    'Running, hidden done': done,
    'Running, hidden failed': idle,
    'Running, hidden restored': idle,
    'Reauthenticating closed': idle,
    'Reauthenticating sent': states.CheckingPassword,
    'Reauthenticating failed': unconfirmed,
    'Reauthenticating restored': idle,
    'Reauthenticating, wrong closed': idle,
    'Reauthenticating, wrong sent': states.CheckingPassword,
    'Reauthenticating, wrong failed': unconfirmed,
    'Reauthenticating, wrong edited': states.Reauthenticating,
    'Reauthenticating, wrong restored': idle,
    'CheckingPassword closed': states['CheckingPassword, hidden'],
    'CheckingPassword confirmed': states.Running,
    'CheckingPassword failed': unconfirmed,
    'CheckingPassword restored': idle,
    'CheckingPassword, hidden chosen': states.CheckingPassword,
    // An action whose dialog is closed does not run.
    'CheckingPassword, hidden confirmed': idle,
    'CheckingPassword, hidden failed': idle,
    'CheckingPassword, hidden restored': idle,
    'Leaving closed': idle,
    'Leaving restored': idle,
  })

  it('runs the same action again after the password was confirmed', () => {
    const steps: ActionEvent<Action>[] = [events.chosen, events.sent, events.stale, events.sent, events.confirmed, events.done]
    expect(steps.reduce<ActionState<Action>>(actionState, idle)).toEqual(done)
  })
})
