import * as v from 'valibot'
import { challengeRespondedReason, challengeStatus, reasonText } from './challenge.ts'
import { bare, carrying, type Infer, otherTag, shape } from './decode.ts'
import { factorStatus, factorType, uuid } from './factor.ts'

const storeError = v.variant(
  'tag',
  [
    bare('StoreAlreadyOpen'),
    bare('StoreClosed'),
    bare('StoreLocked'),
    bare('StoreFolderNotFound'),
    bare('StoreFileNotFound'),
    bare('NoStoreFilesInPath'),
    bare('StoreCheckpointNotFound'),
    carrying('StoreIOError', v.string()),
  ],
  otherTag('unknown store error'),
)

const databaseError = v.variant(
  'tag',
  [
    carrying('MissingFactorByFactorUUID', uuid),
    carrying('MissingFactorBindingByFactorUUID', uuid),
    carrying('MissingChallengeByChallengeUUID', uuid),
    // §5: exactly three values: the factor, the type it was given, the type it should have had.
    carrying('FactorTypeMismatch', v.strictTuple([uuid, factorType, factorType])),
    bare('NoVerifiedFactors'),
    bare('NoApprovedChallenges'),
  ],
  otherTag('unknown database error'),
)

/** Schema of VerifyError. */
export const verifyError = v.variant(
  'tag',
  [
    carrying('StoreError', storeError),
    carrying('DatabaseError', databaseError),
    carrying('ApiError', v.string()),
    carrying('VerifyTOTPFactorError', v.object({ status: factorStatus, reason: challengeRespondedReason })),
    carrying('TOTPError', v.object({ status: challengeStatus, reason: challengeRespondedReason })),
  ],
  otherTag('unknown verification error'),
)

/** Why a second factor could not be verified (§8, verification error kinds). */
export const VerifyError = shape('VerifyError', verifyError)
export type VerifyError = Infer<typeof VerifyError>
type StoreError = v.InferOutput<typeof storeError>
type DatabaseError = v.InferOutput<typeof databaseError>

/** The sentence of §8 for a verification error. */
export const verifyErrorText = (error: VerifyError): string => {
  switch (error.tag) {
    case 'StoreError':
      return storeErrorText(error.contents)
    case 'DatabaseError':
      return databaseErrorText(error.contents)
    case 'ApiError':
      return `Unknown error: ${error.contents}`
    case 'VerifyTOTPFactorError':
      return `Verification failed with a status of ${error.contents.status} and a reason of ${reasonText(error.contents.reason)}`
    case 'TOTPError':
      // 'an status' is the specification's spelling.
      return `Authentication failed with an status of ${error.contents.status} and a reason of ${reasonText(error.contents.reason)}`
  }
}

const storeErrorText = (error: StoreError): string => {
  switch (error.tag) {
    case 'StoreAlreadyOpen':
      return 'Store already open'
    case 'StoreClosed':
      return 'Store closed'
    case 'StoreLocked':
      return 'Store locked'
    case 'StoreFolderNotFound':
      return 'Store folder not found'
    case 'StoreFileNotFound':
      return 'Store file not found'
    case 'NoStoreFilesInPath':
      return 'No store files in path'
    case 'StoreCheckpointNotFound':
      return 'Store checkpoint not found'
    case 'StoreIOError':
      return `Store IO error: ${error.contents}`
  }
}

const databaseErrorText = (error: DatabaseError): string => {
  switch (error.tag) {
    case 'MissingFactorByFactorUUID':
      return 'Missing factor by factor UUID'
    case 'MissingFactorBindingByFactorUUID':
      return 'Missing factor binding by factor UUID'
    case 'MissingChallengeByChallengeUUID':
      return 'Missing challenge by challenge UUID'
    case 'FactorTypeMismatch':
      return `factor type mismatch (${error.contents[1]} versus ${error.contents[2]})`
    case 'NoVerifiedFactors':
      return 'No verified factors for the user'
    case 'NoApprovedChallenges':
      return 'No approved challenges for the user'
  }
}
