import { describe, expect, it } from 'vitest'
import { ChallengeRespondedReason } from './challenge.ts'
import { decode } from './decode.ts'
import { reasonText } from './verify-error-text.ts'

describe('a reason', () => {
  // §4, displayed reasons, to the letter.
  it.each([
    [{ tag: 'ReasonNone' }, 'Unspecified'],
    [{ tag: 'NotNeeded' }, 'Not needed'],
    [{ tag: 'NotRequested' }, 'Not requested'],
    [{ tag: 'MissingSecret' }, 'Missing secret (internal error, please report)'],
    [{ tag: 'InvalidCode' }, 'Invalid code'],
    [{ tag: 'WrongFactorType', contents: 'Push' }, 'wrong factor type'],
  ] as const)('%j is shown as %j', (reason, text) => {
    expect(reasonText(reason)).toBe(text)
  })

  it.each(['ReasonNone', 'NotNeeded', 'NotRequested', 'MissingSecret', 'InvalidCode'])('%s may come as a plain string', tag => {
    expect(decode(ChallengeRespondedReason, tag)).toEqual({ ok: true, value: { tag } })
  })

  it('cannot do so where it carries a factor type', () => {
    expect(decode(ChallengeRespondedReason, 'WrongFactorType')).toEqual({
      ok: false,
      error: 'decodeChallengeRespondedReason: /contents: is missing',
    })
  })
})
