import fc from 'fast-check'
import { any, bare, carrying, code, record, time, uuid, word } from './values.ts'

const factorType = fc.constantFrom('Push', 'TOTP')
export const secondFactorType = fc.constantFrom('Push', 'TOTP', 'Passkey')
const factorStatus = fc.constantFrom('Unverified', 'Verified')
export const challengeStatus = fc.constantFrom('Pending', 'Approved', 'Denied', 'Expired')
export const reason = fc.oneof(
  bare('ReasonNone', 'NotNeeded', 'NotRequested', 'MissingSecret', 'InvalidCode'),
  carrying('WrongFactorType', factorType),
)
const challenge = {
  challengeUUID: uuid,
  challengeIdentity: any,
  challengeFactorUUID: uuid,
  challengeDateCreated: time,
  challengeDateUpdated: time,
  challengeRespondedReason: reason,
  challengeFactorType: factorType,
}
const binding = fc.oneof(
  carrying(
    'TOTPBinding',
    record({
      factorTOTPBindingFactorUUID: uuid,
      factorTOTPBindingSecret: any,
      factorTOTPBindingAlg: any,
      factorTOTPBindingURI: any,
    }),
  ),
  carrying('PushBinding', record({ factorPushBindingFactorUUID: uuid, factorPushBindingPublicKey: any, factorPushBindingAlg: any })),
)
export const factor = record(
  { factorUUID: uuid, factorIdentity: any, factorFriendlyName: any, factorStatus, factorFactorType: factorType, factorDateCreated: time },
  { factorBinding: binding, factorDateVerified: time, factorDateLastUsed: time },
)
export const verifyError = fc.oneof(
  carrying(
    'StoreError',
    fc.oneof(
      bare(
        'StoreAlreadyOpen',
        'StoreClosed',
        'StoreLocked',
        'StoreFolderNotFound',
        'StoreFileNotFound',
        'NoStoreFilesInPath',
        'StoreCheckpointNotFound',
      ),
      carrying('StoreIOError', any),
    ),
  ),
  carrying(
    'DatabaseError',
    fc.oneof(
      carrying('MissingFactorByFactorUUID', uuid),
      carrying('MissingFactorBindingByFactorUUID', uuid),
      carrying('MissingChallengeByChallengeUUID', uuid),
      carrying('FactorTypeMismatch', fc.tuple(uuid, factorType, factorType)),
      bare('NoVerifiedFactors', 'NoApprovedChallenges'),
    ),
  ),
  carrying('ApiError', any),
  carrying('VerifyTOTPFactorError', record({ status: factorStatus, reason })),
  carrying('TOTPError', record({ status: challengeStatus, reason })),
)

/** Second factors, their challenges and errors. */
export const factorArbitraries: Record<string, fc.Arbitrary<unknown>> = {
  VerifyError: verifyError,
  Factor: factor,
  FactorBinding: binding,
  FactorType: factorType,
  FactorStatus: factorStatus,
  FactorCreationRequest: record({
    factorCreationRequestIdentity: word,
    factorCreationRequestFriendlyName: word,
    factorCreationRequestFactorType: factorType,
  }),
  TOTPRequest: record({ totpRequestIdentity: word, totpRequestCode: code }),
  VerifyTOTPFactorRequest: record({ verifyTOTPFactorRequestFactorUUID: uuid, verifyTOTPFactorRequestCode: code }),
  ChallengeStatus: challengeStatus,
  ChallengeRespondedReason: reason,
  Challenge: fc.oneof(
    record({ ...challenge, challengeStatus, challengeDateResponded: time }),
    record({ ...challenge, challengeStatus: fc.constantFrom('Pending', 'Expired'), challengeDateResponded: fc.constant(null) }),
  ),
}
