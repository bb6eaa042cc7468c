import { describe, expect, it } from 'vitest'
import { decode, encode } from '../format/decode.ts'
import { Challenge, ChallengeRespondedReason } from './challenge.ts'
import { reasonText } from './verify-error-text.ts'

describe('a reason', () => {
  // The displayed reasons of §4, verbatim.
  it.each([
    [{ tag: 'ReasonNone' }, 'Unspecified'],
    [{ tag: 'NotNeeded' }, 'Not needed'],
    [{ tag: 'NotRequested' }, 'Not requested'],
    [{ tag: 'MissingSecret' }, 'Missing secret (internal error, please report)'],
    [{ tag: 'InvalidCode' }, 'Invalid code'],
    [{ tag: 'WrongFactorType', contents: 'Push' }, 'wrong factor type'],
  ] as const)('displays %j as %j', (reason, text) => {
    expect(reasonText(reason)).toBe(text)
  })

  it.each(['ReasonNone', 'NotNeeded', 'NotRequested', 'MissingSecret', 'InvalidCode'])('accepts %s as a plain string', tag => {
    expect(decode(ChallengeRespondedReason, tag)).toEqual({ ok: true, value: { tag } })
  })

  it('refuses a plain string for a reason with a factor type', () => {
    expect(decode(ChallengeRespondedReason, 'WrongFactorType')).toEqual({
      ok: false,
      error: 'decodeChallengeRespondedReason: /contents: is missing',
    })
  })
})

describe('challengeDateResponded', () => {
  const uuid = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
  const time = '2026-11-20T03:00:00Z'
  const challenge = {
    challengeUUID: uuid,
    challengeIdentity: 'u1',
    challengeFactorUUID: uuid,
    challengeDateCreated: time,
    challengeDateUpdated: time,
    challengeRespondedReason: { tag: 'ReasonNone' },
    challengeFactorType: 'Push',
  } as const

  it.each(['Pending', 'Approved', 'Denied', 'Expired'])('is a required key of a challenge that is %s (§3)', challengeStatus => {
    expect(decode(Challenge, { ...challenge, challengeStatus })).toEqual({
      ok: false,
      error: 'decodeChallenge: /challengeDateResponded: is missing',
    })
  })

  it.each(['Pending', 'Approved', 'Denied', 'Expired'] as const)('can be a time while the challenge is %s', challengeStatus => {
    const message = { ...challenge, challengeStatus, challengeDateResponded: time }
    expect(decode(Challenge, message)).toEqual({ ok: true, value: message })
  })

  it.each(['Pending', 'Expired'] as const)('can be null while the challenge is %s', challengeStatus => {
    const message = { ...challenge, challengeStatus, challengeDateResponded: null }
    expect(decode(Challenge, message)).toEqual({ ok: true, value: message })
  })

  it.each(['Approved', 'Denied'])('cannot be null once the challenge is %s', challengeStatus => {
    expect(decode(Challenge, { ...challenge, challengeStatus, challengeDateResponded: null })).toEqual({
      ok: false,
      error: 'decodeChallenge: /challengeDateResponded: expected a time, for the challenge has a response',
    })
  })

  it('is always written by the encoder, even for an untyped caller', () => {
    const untyped = { ...challenge, challengeStatus: 'Pending' } as unknown as Challenge
    expect(encode(Challenge, untyped)).toEqual({ ...challenge, challengeStatus: 'Pending', challengeDateResponded: null })
  })
})
