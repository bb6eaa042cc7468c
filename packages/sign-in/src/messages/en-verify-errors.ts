import { text } from '@gatehouse/language/text.ts'
import type { VerifyErrorMessages } from './messages.ts'

/** §8's sentences, as `verifyErrorText` and `reasonText` of the wire format write them, and advice. */
export const englishVerifyErrors: VerifyErrorMessages = {
  reasons: {
    ReasonNone: 'Unspecified',
    NotNeeded: 'Not needed',
    NotRequested: 'Not requested',
    MissingSecret: 'Missing secret (internal error, please report)',
    InvalidCode: 'Invalid code',
    WrongFactorType: 'wrong factor type',
  },
  statuses: {
    Pending: 'Pending',
    Approved: 'Approved',
    Denied: 'Denied',
    Expired: 'Expired',
    Unverified: 'Unverified',
    Verified: 'Verified',
  },
  storeErrors: {
    StoreAlreadyOpen: 'Store already open',
    StoreClosed: 'Store closed',
    StoreLocked: 'Store locked',
    StoreFolderNotFound: 'Store folder not found',
    StoreFileNotFound: 'Store file not found',
    NoStoreFilesInPath: 'No store files in path',
    StoreCheckpointNotFound: 'Store checkpoint not found',
    StoreIOError: text('Store IO error: {details}', 'details'),
  },
  databaseErrors: {
    MissingFactorByFactorUUID: 'Missing factor by factor UUID',
    MissingFactorBindingByFactorUUID: 'Missing factor binding by factor UUID',
    MissingChallengeByChallengeUUID: 'Missing challenge by challenge UUID',
    FactorTypeMismatch: text('factor type mismatch ({given} versus {expected})', 'given', 'expected'),
    NoVerifiedFactors: 'No verified factors for the user',
    NoApprovedChallenges: 'No approved challenges for the user',
  },
  apiError: text('Unknown error: {details}', 'details'),
  verificationFailed: 'Verification Failed',
  verificationFailedWith: text('Verification failed with a status of {status} and a reason of {reason}', 'status', 'reason'),
  authenticationFailed: 'Authentication Failed',
  // 'an status' is the specification's wording.
  authenticationFailedWith: text('Authentication failed with an status of {status} and a reason of {reason}', 'status', 'reason'),
  messagingProvider: 'Messaging Provider Integration Error',
  clockBehind: text(
    '{minutes, plural, one {Your phone’s clock is about # minute behind. Turn on automatic date and time in its settings, then enter a new code.} other {Your phone’s clock is about # minutes behind. Turn on automatic date and time in its settings, then enter a new code.}}',
    'minutes',
  ),
  clockAhead: text(
    '{minutes, plural, one {Your phone’s clock is about # minute ahead. Turn on automatic date and time in its settings, then enter a new code.} other {Your phone’s clock is about # minutes ahead. Turn on automatic date and time in its settings, then enter a new code.}}',
    'minutes',
  ),
}
