import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decode, reasonText, VerifyError, verifyErrorText } from '@gatehouse/wire'
import { describe, expect, it } from 'vitest'
import { english } from '../messages/en.ts'
import { factorError } from './factor-error.ts'

const reason = { tag: 'InvalidCode' } as const
const rows: [VerifyError, string, { title: string; text?: string }, { wrongCode: true }?][] = [
  [
    { tag: 'VerifyTOTPFactorError', contents: { status: 'Unverified', reason } },
    'Invalid code',
    { title: 'Verification Failed', text: 'Verification failed with a status of Unverified and a reason of Invalid code' },
    { wrongCode: true },
  ],
  [
    { tag: 'TOTPError', contents: { status: 'Denied', reason: { tag: 'WrongFactorType', contents: 'Push' } } },
    'wrong factor type',
    { title: 'Authentication Failed', text: 'Authentication failed with an status of Denied and a reason of wrong factor type' },
  ],
  [
    { tag: 'ApiError', contents: 'no route' },
    'Unknown error: no route',
    { title: 'Messaging Provider Integration Error', text: 'no route' },
  ],
  [{ tag: 'StoreError', contents: { tag: 'StoreLocked' } }, 'Store locked', { title: 'Store locked' }],
  [
    { tag: 'DatabaseError', contents: { tag: 'NoApprovedChallenges' } },
    'No approved challenges for the user',
    { title: 'No approved challenges for the user' },
  ],
]

describe('a factor error (§8)', () => {
  it.each(rows)('has a message and a toast: %o', (error, message, toast, wrongCode) => {
    expect(factorError(error, english.verifyErrors)).toEqual({
      message,
      ...wrongCode,
      toast: { kind: 'error', id: 'factor-error', ...toast },
    })
  })
})

const folder = join(import.meta.dirname, '../../../wire/fixtures')
const golden = readdirSync(folder)
  .filter(file => file.startsWith('VerifyError.'))
  .map(file => {
    const error = decode(VerifyError, JSON.parse(readFileSync(join(folder, file), 'utf8')))
    if (!error.ok) throw new Error(error.error)
    return error.value
  })

describe('the English texts of factor errors', () => {
  it('are the sentences of the wire format', () => {
    expect(golden.length).toBeGreaterThan(14)
    for (const error of golden) {
      const { message, toast } = factorError(error, english.verifyErrors)
      const sentence = verifyErrorText(error)
      // An ApiError shows only the server's own words, below a title.
      expect(error.tag === 'ApiError' ? message : (toast.text ?? toast.title)).toBe(sentence)
    }
  })

  it('name reasons and statuses as the wire format does', () => {
    const { reasons, statuses } = english.verifyErrors
    const tags = Object.keys(reasons) as (keyof typeof reasons)[]
    for (const tag of tags) expect(reasons[tag]).toBe(reasonText(tag === 'WrongFactorType' ? { tag, contents: 'Push' } : { tag }))
    for (const [status, name] of Object.entries(statuses)) expect(name).toBe(status)
    for (const tag of ['ReasonNone', 'MissingSecret', 'WrongFactorType'] as const)
      expect(english.approveOnPhone.denied[tag]).toBe(`Your phone didn’t approve this sign-in: ${reasons[tag]}.`)
  })
})

describe('the clock offset that two wrong codes show', () => {
  it.each([
    [-180, 'Your phone’s clock is about 3 minutes behind.'],
    [-60, 'Your phone’s clock is about 1 minute behind.'],
    [90, 'Your phone’s clock is about 2 minutes ahead.'],
    [600, 'Your phone’s clock is about 10 minutes ahead.'],
  ])('adds advice for an offset of %i s, and keeps the message', (clockOffset, sentence) => {
    const { message, advice, toast } = factorError(
      { tag: 'TOTPError', contents: { status: 'Pending', reason, clockOffset } },
      english.verifyErrors,
    )
    expect(message).toBe('Invalid code')
    expect(advice).toBe(`${sentence} Turn on automatic date and time in its settings, then enter a new code.`)
    expect(toast.text).toBe('Authentication failed with an status of Pending and a reason of Invalid code')
  })
})
