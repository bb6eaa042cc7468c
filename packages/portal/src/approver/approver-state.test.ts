import { testTransitions } from '@gatehouse/ui/testing/transitions.ts'
import type { PendingChallenge } from '@gatehouse/wire'
import { describe, expect, it } from 'vitest'
import { type Desk, type DeskEvent, desk, first } from './approver-state.ts'

const question: PendingChallenge = {
  challengeUUID: 'one',
  challengeDateCreated: '2026-11-20T03:00:00Z',
  challengeExpires: '2026-11-20T03:02:00Z',
  username: 'ada@example.com',
  from: { address: '203.0.113.7', place: 'Elsewhere' },
  isEnrolment: false,
}
const newer = { ...question, challengeUUID: 'two' }
const problem = { at: 'number', message: 'No' } as const
const expires = Date.parse(question.challengeExpires)

const states = {
  Looking: { is: 'Looking' },
  Idle: { is: 'Idle' },
  Asked: { is: 'Asked', question },
  AskedWithError: { is: 'Asked', question, problem },
  Doubting: { is: 'Doubting', question },
  Answering: { is: 'Answering', question, decision: 'Approve' },
  Approved: { is: 'Answered', question, end: { is: 'Approved' } },
  Gone: { is: 'Answered', question, end: { is: 'Gone' } },
  Removed: { is: 'Removed' },
} satisfies Record<string, Desk>

const events = {
  asked: { type: 'found', question, now: 0 },
  'asked anew': { type: 'found', question: newer, now: 0 },
  quiet: { type: 'found', question: undefined, now: expires - 1 },
  'quiet too late': { type: 'found', question: undefined, now: expires },
  refused: { type: 'refused', problem },
  edited: { type: 'edited' },
  doubted: { type: 'doubted' },
  reconsidered: { type: 'reconsidered' },
  sent: { type: 'sent', decision: 'Deny' },
  answered: { type: 'answered', end: { is: 'Expired' } },
  dismissed: { type: 'dismissed' },
  removed: { type: 'removed' },
} satisfies Record<string, DeskEvent>

const asked: Desk = { is: 'Asked', question }
const askedAnew: Desk = { is: 'Asked', question: newer }
const gone: Desk = { is: 'Answered', question, end: { is: 'Gone' } }
const tooLate: Desk = { is: 'Answered', question, end: { is: 'Expired' } }
const removed: Desk = { is: 'Removed' }
const sent: Desk = { is: 'Answering', question, decision: 'Deny' }
const withError: Desk = { is: 'Asked', question, problem }

describe('one account on a phone', () => {
  testTransitions<Desk, DeskEvent>(desk, states, events, {
    'Looking asked': asked,
    'Idle asked': asked,
    // Only what was lost sight of comes back.
    'Gone asked': asked,
    'Looking asked anew': askedAnew,
    'Idle asked anew': askedAnew,
    'Asked asked anew': askedAnew,
    'AskedWithError asked anew': askedAnew,
    'Doubting asked anew': askedAnew,
    'Approved asked anew': askedAnew,
    'Gone asked anew': askedAnew,
    'Looking quiet': { is: 'Idle' },
    'Looking quiet too late': { is: 'Idle' },
    'Asked quiet': gone,
    'AskedWithError quiet': gone,
    'Doubting quiet': gone,
    'Asked quiet too late': tooLate,
    'AskedWithError quiet too late': tooLate,
    'Doubting quiet too late': tooLate,
    'Asked refused': withError,
    'AskedWithError refused': withError,
    'Doubting refused': withError,
    'Answering refused': withError,
    'AskedWithError edited': asked,
    'Asked doubted': { is: 'Doubting', question },
    'AskedWithError doubted': { is: 'Doubting', question },
    'Doubting reconsidered': asked,
    'Asked sent': sent,
    'AskedWithError sent': sent,
    'Doubting sent': sent,
    'Answering answered': tooLate,
    'Approved dismissed': { is: 'Idle' },
    'Gone dismissed': { is: 'Idle' },
    'Looking removed': removed,
    'Idle removed': removed,
    'Asked removed': removed,
    'AskedWithError removed': removed,
    'Doubting removed': removed,
    'Answering removed': removed,
    'Approved removed': removed,
    'Gone removed': removed,
  })

  it('comes first while it is asked, before one that has something to say', () => {
    const accounts = ['a', 'b', 'c'].map(factorUUID => ({ factorUUID }))
    expect(first(accounts, { a: states.Idle, b: states.Removed, c: states.Asked })).toBe(accounts[2])
    expect(first(accounts, { a: states.Idle, b: states.Approved })).toBe(accounts[1])
    expect(first(accounts, { a: states.Idle })).toBeUndefined()
  })
})
