import { expect, it } from 'vitest'
import { newPasswordProblem } from './new-password-rules.ts'

const long = 'correct horse battery'
const short = (given: number) => ({ at: 'password', message: `The password needs at least 15 characters. This one has ${given}.` })

it.each([
  ['nothing', '', '', { at: 'password', message: 'Enter a new password.' }],
  ['nine characters', '123456789', '123456789', short(9)],
  ['eight characters of two UTF-16 units', '😀'.repeat(8), '😀'.repeat(8), short(8)],
  ['eight letters with separate accents, which NFC combines', 'e\u0301'.repeat(8), 'e\u0301'.repeat(8), short(8)],
  ['513 letters of two bytes', 'é'.repeat(513), 'é'.repeat(513), { at: 'password', message: 'The password must have at most 1024 bytes.' }],
  ['512 letters of two bytes', 'é'.repeat(512), 'é'.repeat(512), undefined],
  ['two different passwords', long, `${long} `, { at: 'again', message: 'The passwords don’t match.' }],
  ['two equal passwords', long, long, undefined],
  ['fifteen characters with spaces at the ends', ' 1234567890123 ', ' 1234567890123 ', undefined],
])('checks a new password: %s', (_, password, again, problem) => {
  expect(newPasswordProblem(password, again, 15)).toEqual(problem)
})
