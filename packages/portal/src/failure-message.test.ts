import { translate } from '@gatehouse/language/translate.ts'
import japanese from '@gatehouse/language/translations/ja.json' with { type: 'json' }
import type { Failure } from '@gatehouse/sign-in'
import { afterEach, expect, test } from 'vitest'
import { factorProblem } from './account/factor-actions.ts'
import { passwordProblem } from './actions/use-actions.ts'
import { refusedAction } from './administration/user-action.ts'
import { failureMessage } from './failure-message.ts'
import { afterPasswordReset } from './mail-links/after-mail-link.ts'
import { speak } from './messages/current.ts'
import { passProblem } from './passes/pass-form.ts'
import { allEnglish } from './testing/speak-english.ts'

afterEach(() => speak('en', allEnglish))

const failure = (more: Partial<Failure>): Failure => ({ is: 'refused', status: 409, message: 'in other words', detail: '', ...more })
const unexplained = 'The server couldn’t do this (error 409). Reload this page and try again.'

test.each([
  ['names the request of a fault', { code: 'Fault', value: 'r1' }, 'Something went wrong (request r1)'],
  ['shows its own text for a code', { code: 'AnotherUser' }, 'Another user has signed in on this browser. Reload this page.'],
  ['shows the status of a code that it does not know', { code: 'PasswordDate' }, unexplained],
  ['shows the status of a refusal without a code', {}, unexplained],
  ['gives advice if the server did not answer', { is: 'unreachable' }, 'Try again in a moment.'],
] as const)('%s', (_, more, message) => expect(failureMessage(failure(more))).toBe(message))

test.each([
  [400, 'decodeOwnPasswordUpdate: /newpassword: must have at most 1024 bytes'],
  [400, 'body: is not JSON'],
  [400, 'newpassword: is odd'],
  [400, 'password: is odd'],
  [400, 'name: is odd'],
  [400, 'from: is odd'],
  [400, 'factorFriendlyName: is odd'],
  [400, 'userIdent: is odd'],
  [400, '400 - Bad Request'],
  [401, 'Sign in first'],
  [403, 'origin: this request comes from another site'],
  [404, '404 - Not Found'],
  [405, 'method: this address takes POST only'],
  [413, 'body: is too large'],
  [502, 'Unable to decode response body as JSON: text/html'],
])('shows no English in other languages for %d %s', (status, message) => {
  speak('ja', translate(allEnglish, japanese, 'ja'))
  const refusal = failure({ status, message })
  const after = afterPasswordReset({ ok: false, failure: refusal })
  const shown = [
    failureMessage(refusal),
    factorProblem(refusal)?.message,
    passwordProblem(refusal)?.message,
    passProblem(refusal, '')?.message,
    refusedAction({ kind: 'add' }, refusal)?.message,
    after.type === 'failed' && after.problem.message,
  ].filter(text => typeof text === 'string')
  expect(shown.length).toBeGreaterThan(0)
  for (const text of shown) expect(text).not.toMatch(/[A-Za-z]{2}/)
})
