import { describe, expect, it } from 'vitest'
import { fixtures, roundTrip, shapeOf, shapes } from './exported-shapes.ts'

describe('golden messages', () => {
  it.each([...shapes.keys()])('%s has a fixture', name => {
    expect(fixtures.filter(({ of }) => of === name)).not.toEqual([])
  })

  // shapeOf also fails for a file whose name belongs to no shape.
  it.each(fixtures)('$file decodes to itself', ({ of, message }) => {
    expect(roundTrip(shapeOf(of), message)).toStrictEqual(message)
  })

  it.each([
    'AuthOutcome',
    'VerifyError',
    'Redirect',
    'ChallengeRespondedReason',
    'FactorBinding',
    'MagicLinkAnswer',
    'PushOutcome',
    'PushProgress',
    'SocketMessage',
  ])('%s has a fixture for each of its cases and no other', name => {
    const cases = fixtures.filter(({ of }) => of === name).map(({ message }) => tags(message))
    expect(cases.toSorted()).toEqual(allCases[name]?.toSorted())
  })
})

const tags = (message: unknown): string => {
  const { tag, contents } = message as { tag: string; contents?: { tag?: string } }
  return (tag === 'StoreError' || tag === 'DatabaseError') && contents?.tag ? `${tag}.${contents.tag}` : tag
}

// Written out from §4, §7, §8 and the decisions, so that the test fails if a schema loses a case.
const allCases: Record<string, string[]> = {
  AuthOutcome: [
    'AuthFailureFactorError',
    'AuthFailureFailedLogin',
    'AuthFailureForcedReset',
    'AuthRequires2FA',
    'AuthRequiresFactorCreation',
    'AuthRequiresFactorReset',
    'AuthSuccessful',
  ],
  VerifyError: [
    'StoreError.StoreAlreadyOpen',
    'StoreError.StoreClosed',
    'StoreError.StoreLocked',
    'StoreError.StoreFolderNotFound',
    'StoreError.StoreFileNotFound',
    'StoreError.NoStoreFilesInPath',
    'StoreError.StoreCheckpointNotFound',
    'StoreError.StoreIOError',
    'DatabaseError.MissingFactorByFactorUUID',
    'DatabaseError.MissingFactorBindingByFactorUUID',
    'DatabaseError.MissingChallengeByChallengeUUID',
    'DatabaseError.FactorTypeMismatch',
    'DatabaseError.NoVerifiedFactors',
    'DatabaseError.NoApprovedChallenges',
    'ApiError',
    'VerifyTOTPFactorError',
    'TOTPError',
  ],
  Redirect: ['RedirectDashboard', 'RedirectSSOLogin'],
  ChallengeRespondedReason: ['ReasonNone', 'NotNeeded', 'NotRequested', 'MissingSecret', 'InvalidCode', 'WrongFactorType'],
  FactorBinding: ['PushBinding', 'TOTPBinding'],
  MagicLinkAnswer: ['Ok', 'Error'],
  PushOutcome: ['PushChallengeOpened', 'AuthFailureFactorError', 'AuthFailureFailedLogin', 'AuthFailureForcedReset'],
  PushProgress: ['Waiting', 'Asked', 'Failed', 'Verified', 'Over'],
  SocketMessage: ['Nonce', 'Challenge', 'SessionEnded', 'Pending', 'Revoked'],
}
