import type { ChallengeRespondedReason } from './challenge.ts'
import type { DatabaseError, StoreError, VerifyError } from './verify-error.ts'

// Separate from the shapes, which the sign-in page does not need before the first response.

/** The displayed text of a reason (§4, displayed reasons). */
export const reasonText = (reason: ChallengeRespondedReason): string => {
  switch (reason.tag) {
    case 'ReasonNone':
      return 'Unspecified'
    case 'NotNeeded':
      return 'Not needed'
    case 'NotRequested':
      return 'Not requested'
    case 'MissingSecret':
      return 'Missing secret (internal error, please report)'
    case 'InvalidCode':
      return 'Invalid code'
    case 'WrongFactorType':
      return 'wrong factor type'
  }
}

/** §8's message for a verification error. */
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
