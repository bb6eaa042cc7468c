import { testTransitions } from '@gatehouse/ui/testing/transitions.ts'
import type { PendingChallenge } from '@gatehouse/wire'
import { describe, expect, it } from 'vitest'
import { type ApproverEvent, type ApproverState, approverState, first } from './approver-state.ts'

const request: PendingChallenge = {
  challengeUUID: 'one',
  challengeDateCreated: '2026-11-20T03:00:00Z',
  challengeExpires: '2026-11-20T03:02:00Z',
  username: 'ada@example.com',
  from: { address: '203.0.113.7', place: 'Elsewhere' },
  isEnrolment: false,
}
const newer = { ...request, challengeUUID: 'two' }
const problem = { at: 'number', message: 'No' } as const
const expires = Date.parse(request.challengeExpires)

const states = {
  Loading: { is: 'Loading' },
  Idle: { is: 'Idle' },
  IdleAfterAnswer: { is: 'Idle', answered: request.challengeUUID },
  Requested: { is: 'Requested', request },
  RequestedWithError: { is: 'Requested', request, problem },
  ConfirmingDenial: { is: 'ConfirmingDenial', request },
  Answering: { is: 'Answering', request, decision: 'Approve' },
  AnsweringWithNewer: { is: 'Answering', request, decision: 'Approve', newer },
  Approved: { is: 'Answered', request, end: { is: 'Approved' } },
  Gone: { is: 'Answered', request, end: { is: 'Gone' } },
  Removed: { is: 'Removed' },
} satisfies Record<string, ApproverState>

const events = {
  request: { type: 'checked', request, now: 0 },
  'newer request': { type: 'checked', request: newer, now: 0 },
  none: { type: 'checked', request: undefined, now: expires - 1 },
  'none, expired': { type: 'checked', request: undefined, now: expires },
  failed: { type: 'failed', problem },
  edited: { type: 'edited' },
  denyChosen: { type: 'denyChosen' },
  denyCanceled: { type: 'denyCanceled' },
  sent: { type: 'sent', decision: 'Deny' },
  answered: { type: 'answered', end: { is: 'Expired' } },
  dismissed: { type: 'dismissed' },
  removed: { type: 'removed' },
} satisfies Record<string, ApproverEvent>

const requested: ApproverState = { is: 'Requested', request }
const newerRequest: ApproverState = { is: 'Requested', request: newer }
const gone: ApproverState = { is: 'Answered', request, end: { is: 'Gone' } }
const tooLate: ApproverState = { is: 'Answered', request, end: { is: 'Expired' } }
const removed: ApproverState = { is: 'Removed' }
const sent: ApproverState = { is: 'Answering', request, decision: 'Deny' }
const withError: ApproverState = { is: 'Requested', request, problem }

describe('the states of one account on a phone', () => {
  testTransitions<ApproverState, ApproverEvent>(approverState, states, events, {
    'Loading request': requested,
    'Idle request': requested,
    // A request that seemed gone may come back.
    'Gone request': requested,
    'Loading newer request': newerRequest,
    'Idle newer request': newerRequest,
    'Requested newer request': newerRequest,
    'RequestedWithError newer request': newerRequest,
    'ConfirmingDenial newer request': newerRequest,
    // A late response still lists the answered request.
    'IdleAfterAnswer newer request': newerRequest,
    'Answering newer request': states.AnsweringWithNewer,
    'AnsweringWithNewer none': states.Answering,
    'AnsweringWithNewer none, expired': states.Answering,
    'AnsweringWithNewer answered': newerRequest,
    'AnsweringWithNewer failed': newerRequest,
    'AnsweringWithNewer removed': removed,
    'IdleAfterAnswer removed': removed,
    'Approved newer request': newerRequest,
    'Gone newer request': newerRequest,
    'Loading none': { is: 'Idle' },
    'Loading none, expired': { is: 'Idle' },
    'Requested none': gone,
    'RequestedWithError none': gone,
    'ConfirmingDenial none': gone,
    'Requested none, expired': tooLate,
    'RequestedWithError none, expired': tooLate,
    'ConfirmingDenial none, expired': tooLate,
    'Requested failed': withError,
    'RequestedWithError failed': withError,
    'ConfirmingDenial failed': withError,
    'Answering failed': withError,
    'RequestedWithError edited': requested,
    'Requested denyChosen': { is: 'ConfirmingDenial', request },
    'RequestedWithError denyChosen': { is: 'ConfirmingDenial', request },
    'ConfirmingDenial denyCanceled': requested,
    'Requested sent': sent,
    'RequestedWithError sent': sent,
    'ConfirmingDenial sent': sent,
    'Answering answered': tooLate,
    'Approved dismissed': states.IdleAfterAnswer,
    'Gone dismissed': { is: 'Idle' },
    'Loading removed': removed,
    'Idle removed': removed,
    'Requested removed': removed,
    'RequestedWithError removed': removed,
    'ConfirmingDenial removed': removed,
    'Answering removed': removed,
    'Approved removed': removed,
    'Gone removed': removed,
  })

  it('shows an open request before a result or a removal', () => {
    const accounts = ['a', 'b', 'c'].map(factorUUID => ({ factorUUID }))
    expect(first(accounts, { a: states.Idle, b: states.Removed, c: states.Requested })).toBe(accounts[2])
    expect(first(accounts, { a: states.Idle, b: states.Approved })).toBe(accounts[1])
    expect(first(accounts, { a: states.Idle })).toBeUndefined()
  })
})
