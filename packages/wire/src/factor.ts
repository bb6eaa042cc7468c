import * as v from 'valibot'
import { isUUID } from './checks.ts'
import { bare, carrying, type Infer, maybe, shape, utcTime } from './decode.ts'

/** A UUID by the rule of §5. */
export const uuid = v.pipe(v.string(), v.check(isUUID, 'expected a UUID'))

export const factorType = v.picklist(['Push', 'TOTP'])
export const factorStatus = v.picklist(['Unverified', 'Verified'])
export const challengeStatus = v.picklist(['Pending', 'Approved', 'Denied', 'Expired'])

/** Tagged on the wire, for one case has a payload; a plain string is accepted for the others too. */
export const challengeRespondedReason = v.pipe(
  v.unknown(),
  v.transform(input => (typeof input === 'string' ? { tag: input } : input)),
  v.variant(
    'tag',
    [
      bare('ReasonNone'),
      bare('NotNeeded'),
      bare('NotRequested'),
      bare('MissingSecret'),
      bare('InvalidCode'),
      carrying('WrongFactorType', factorType),
    ],
    'unknown reason',
  ),
)

const totpBinding = v.object({
  factorTOTPBindingFactorUUID: uuid,
  factorTOTPBindingSecret: v.string(),
  factorTOTPBindingAlg: v.string(),
  factorTOTPBindingURI: v.string(),
})

const pushBinding = v.object({
  factorPushBindingFactorUUID: uuid,
  factorPushBindingPublicKey: v.string(),
  factorPushBindingAlg: v.string(),
})

export const factorBinding = v.variant(
  'tag',
  [carrying('PushBinding', pushBinding), carrying('TOTPBinding', totpBinding)],
  'expected a PushBinding or a TOTPBinding',
)

export const factor = v.object({
  factorUUID: uuid,
  factorIdentity: v.string(),
  factorBinding: maybe(factorBinding),
  factorFriendlyName: v.string(),
  factorStatus,
  factorFactorType: factorType,
  factorDateCreated: utcTime,
  factorDateVerified: maybe(utcTime),
  factorDateLastUsed: maybe(utcTime),
})

/** A second factor of a user (§3). */
export const Factor = shape('Factor', factor)
export type Factor = Infer<typeof Factor>
export type FactorType = v.InferOutput<typeof factorType>
export type FactorStatus = v.InferOutput<typeof factorStatus>
export type ChallengeStatus = v.InferOutput<typeof challengeStatus>
export type ChallengeRespondedReason = v.InferOutput<typeof challengeRespondedReason>

/** The words a reason is shown with (§4, displayed reasons). */
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
