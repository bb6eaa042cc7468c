import { testTransitions } from '@gatehouse/ui/testing/transitions.ts'
import { describe, expect, it } from 'vitest'
import { looking, type MailLinkEvent, type MailLinkState, mailLink } from './mail-link-state.ts'

const email = 'a•••@example.com'
const problem = { at: 'page', message: 'new' } as const
const states = {
  Looking: looking,
  'Looking after a refusal': { is: 'Looking', refusal: 'refused' },
  NotLooked: { is: 'NotLooked', message: 'old' },
  Dead: { is: 'Dead', why: 'Used' },
  Good: { is: 'Good', email },
  Using: { is: 'Using', email },
  GoodWithError: { is: 'GoodWithError', email, problem: { at: 'page', message: 'old' } },
  Done: { is: 'Done', email, result: 1 },
} satisfies Record<string, MailLinkState<number>>
const events = {
  'looked good': { type: 'looked', link: { state: 'Good', email } },
  'looked expired': { type: 'looked', link: { state: 'Expired' } },
  lookFailed: { type: 'lookFailed', message: 'new' },
  lookedAgain: { type: 'lookedAgain' },
  pressed: { type: 'pressed' },
  done: { type: 'done', result: 2 },
  refused: { type: 'refused', message: 'refused' },
  failed: { type: 'failed', problem },
  edited: { type: 'edited' },
  restored: { type: 'restored' },
} satisfies Record<string, MailLinkEvent<number>>

describe('the states of a mailed link’s page', () => {
  testTransitions<MailLinkState<number>, MailLinkEvent<number>>(mailLink, states, events, {
    'Looking looked good': { is: 'Good', email },
    'Looking looked expired': { is: 'Dead', why: 'Expired' },
    'Looking lookFailed': { is: 'NotLooked', message: 'new' },
    'Looking after a refusal looked good': { is: 'GoodWithError', email, problem: { at: 'page', message: 'refused' } },
    'Looking after a refusal looked expired': { is: 'Dead', why: 'Expired' },
    'Looking after a refusal lookFailed': { is: 'NotLooked', message: 'new' },
    'NotLooked lookedAgain': looking,
    'NotLooked restored': looking,
    'Dead restored': looking,
    'Good pressed': { is: 'Using', email },
    'Good failed': { is: 'GoodWithError', email, problem },
    'Good restored': looking,
    'Using done': { is: 'Done', email, result: 2 },
    'Using refused': { is: 'Looking', refusal: 'refused' },
    'Using failed': { is: 'GoodWithError', email, problem },
    'Using restored': looking,
    'GoodWithError pressed': { is: 'Using', email },
    'GoodWithError failed': { is: 'GoodWithError', email, problem },
    'GoodWithError edited': { is: 'Good', email },
    'GoodWithError restored': looking,
    'Done restored': looking,
  })

  it('accepts a good link without an address', () => {
    expect(mailLink(looking, { type: 'looked', link: { state: 'Good' } })).toEqual({ is: 'Good', email: '' })
  })
})
