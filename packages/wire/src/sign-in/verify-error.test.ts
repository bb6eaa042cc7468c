import { describe, expect, it } from 'vitest'
import { decode } from '../format/decode.ts'
import { VerifyError } from './verify-error.ts'
import { verifyErrorText } from './verify-error-text.ts'

const uuid = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

// §8 verbatim, including 'an status'.
const sentences: [VerifyError, string][] = [
  [{ tag: 'StoreError', contents: { tag: 'StoreAlreadyOpen' } }, 'Store already open'],
  [{ tag: 'StoreError', contents: { tag: 'StoreClosed' } }, 'Store closed'],
  [{ tag: 'StoreError', contents: { tag: 'StoreLocked' } }, 'Store locked'],
  [{ tag: 'StoreError', contents: { tag: 'StoreFolderNotFound' } }, 'Store folder not found'],
  [{ tag: 'StoreError', contents: { tag: 'StoreFileNotFound' } }, 'Store file not found'],
  [{ tag: 'StoreError', contents: { tag: 'NoStoreFilesInPath' } }, 'No store files in path'],
  [{ tag: 'StoreError', contents: { tag: 'StoreCheckpointNotFound' } }, 'Store checkpoint not found'],
  [{ tag: 'StoreError', contents: { tag: 'StoreIOError', contents: 'disk full' } }, 'Store IO error: disk full'],
  [{ tag: 'DatabaseError', contents: { tag: 'MissingFactorByFactorUUID', contents: uuid } }, 'Missing factor by factor UUID'],
  [
    { tag: 'DatabaseError', contents: { tag: 'MissingFactorBindingByFactorUUID', contents: uuid } },
    'Missing factor binding by factor UUID',
  ],
  [{ tag: 'DatabaseError', contents: { tag: 'MissingChallengeByChallengeUUID', contents: uuid } }, 'Missing challenge by challenge UUID'],
  [
    { tag: 'DatabaseError', contents: { tag: 'FactorTypeMismatch', contents: [uuid, 'Push', 'TOTP'] } },
    'factor type mismatch (Push versus TOTP)',
  ],
  [{ tag: 'DatabaseError', contents: { tag: 'NoVerifiedFactors' } }, 'No verified factors for the user'],
  [{ tag: 'DatabaseError', contents: { tag: 'NoApprovedChallenges' } }, 'No approved challenges for the user'],
  [{ tag: 'ApiError', contents: 'no answer' }, 'Unknown error: no answer'],
  [
    { tag: 'VerifyTOTPFactorError', contents: { status: 'Unverified', reason: { tag: 'InvalidCode' } } },
    'Verification failed with a status of Unverified and a reason of Invalid code',
  ],
  [
    { tag: 'TOTPError', contents: { status: 'Denied', reason: { tag: 'NotRequested' } } },
    'Authentication failed with an status of Denied and a reason of Not requested',
  ],
]

describe('VerifyError', () => {
  it.each(sentences)('displays %j as %j', (error, sentence) => {
    expect(verifyErrorText(error)).toBe(sentence)
  })

  it.each([
    [[]],
    [[uuid]],
    [[uuid, 'Push']],
    [[uuid, 'Push', 'TOTP', 'TOTP']],
    [['Push', 'TOTP', uuid]],
    [uuid],
    [{ 0: uuid, 1: 'Push', 2: 'TOTP', length: 3 }],
  ])('refuses a FactorTypeMismatch whose contents are not [UUID, type, type]: %j', contents => {
    expect(decode(VerifyError, { tag: 'DatabaseError', contents: { tag: 'FactorTypeMismatch', contents } }).ok).toBe(false)
  })

  it('accepts a reason as a plain string', () => {
    expect(decode(VerifyError, { tag: 'TOTPError', contents: { status: 'Denied', reason: 'InvalidCode' } })).toEqual({
      ok: true,
      value: { tag: 'TOTPError', contents: { status: 'Denied', reason: { tag: 'InvalidCode' } } },
    })
  })

  it('accepts only whole seconds as the offset of the phone’s clock', () => {
    const withOffset = (clockOffset: unknown) => ({
      tag: 'TOTPError',
      contents: { status: 'Pending', reason: { tag: 'InvalidCode' }, clockOffset },
    })
    expect(decode(VerifyError, withOffset(-180))).toEqual({ ok: true, value: withOffset(-180) })
    for (const hostile of ['-180', 1.5, Number.NaN, {}, true]) expect(decode(VerifyError, withOffset(hostile)).ok).toBe(false)
  })

  it.each([
    [{ tag: 'Other' }, 'decodeVerifyError: /tag: unknown verification error'],
    [{ tag: 'StoreError', contents: { tag: 'Other' } }, 'decodeVerifyError: /contents/tag: unknown store error'],
    [{ tag: 'StoreError', contents: 'StoreClosed' }, 'decodeVerifyError: /contents: expected Object'],
    [{ tag: 'DatabaseError', contents: { tag: 'StoreClosed' } }, 'decodeVerifyError: /contents/tag: unknown database error'],
    [
      { tag: 'TOTPError', contents: { status: 'Verified', reason: 'InvalidCode' } },
      'decodeVerifyError: /contents/status: expected ("Pending" | "Approved" | "Denied" | "Expired")',
    ],
  ])('names the problem in %j', (input, error) => {
    expect(decode(VerifyError, input)).toEqual({ ok: false, error })
  })
})
