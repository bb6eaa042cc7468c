import * as v from 'valibot'
import { bare, carrying, type Infer, maybe, otherTag, shape } from '../format/decode.ts'
import { challengeRespondedReason, challengeStatus } from './challenge.ts'
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
    // §5: exactly three values: the factor's UUID, the given type and the expected type (§8).
    carrying('FactorTypeMismatch', v.strictTuple([uuid, factorType, factorType])),
    bare('NoVerifiedFactors'),
    bare('NoApprovedChallenges'),
  ],
  otherTag('unknown database error'),
)

/**
 * By how many seconds the clock of the authenticator app is ahead, or behind if negative. Sent only after the right password, and only if
 * two wrong codes in a row show it. Clients that do not know the field show the same error without it.
 */
const clockOffset = maybe(v.pipe(v.number(), v.safeInteger()))

/** Schema of VerifyError. */
export const verifyError = v.variant(
  'tag',
  [
    carrying('StoreError', storeError),
    carrying('DatabaseError', databaseError),
    carrying('ApiError', v.string()),
    carrying('VerifyTOTPFactorError', v.object({ status: factorStatus, reason: challengeRespondedReason, clockOffset })),
    carrying('TOTPError', v.object({ status: challengeStatus, reason: challengeRespondedReason, clockOffset })),
  ],
  otherTag('unknown verification error'),
)

/** Why a second factor could not be verified (§8, verification error kinds). */
export const VerifyError = shape('VerifyError', verifyError)
export type VerifyError = Infer<typeof VerifyError>
/** Errors of the factor store (§8). */
export type StoreError = v.InferOutput<typeof storeError>
/** Errors of the factor database (§8). */
export type DatabaseError = v.InferOutput<typeof databaseError>
