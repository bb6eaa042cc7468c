import type { Failure } from '@gatehouse/sign-in'
import { expect, test } from 'vitest'
import { failureMessage } from './failure-message.ts'
import './testing/speak-english.ts'

const failure = (more: Partial<Failure>): Failure => ({ is: 'refused', message: 'in other words', detail: '', ...more })

test.each([
  ['names the request of a fault', { code: 'Fault', value: 'r1' }, 'Something went wrong (request r1)'],
  ['shows its own text for a code', { code: 'AnotherUser' }, 'Another user has signed in on this browser. Reload this page.'],
  ['shows the message of a code that it does not know', { code: 'PasswordDate' }, 'in other words'],
  ['shows the message of a refusal without a code', {}, 'in other words'],
  ['gives advice without an answer', { is: 'unreachable' }, 'Try again in a moment.'],
] as const)('%s', (_, more, message) => expect(failureMessage(failure(more))).toBe(message))
