import * as v from 'valibot'
import { bare, carrying, type Infer, otherTag, shape, utcTime } from '../format/decode.ts'
import { factorType, uuid } from './factor.ts'

/** Schema of ChallengeStatus. */
export const challengeStatus = v.picklist(['Pending', 'Approved', 'Denied', 'Expired'])

/** Schema of ChallengeRespondedReason: a tagged value, because one case has a payload; it accepts a plain string for the others. */
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
    otherTag('unknown reason'),
  ),
)

/** The state of a challenge (§4). All but Pending are final. */
export const ChallengeStatus = shape('ChallengeStatus', challengeStatus)
export type ChallengeStatus = Infer<typeof ChallengeStatus>

/** The reason for a challenge's outcome (§4). A plain string decodes to its tagged form. */
export const ChallengeRespondedReason = shape('ChallengeRespondedReason', challengeRespondedReason)
export type ChallengeRespondedReason = Infer<typeof ChallengeRespondedReason>

const challenge = v.pipe(
  v.object({
    challengeUUID: uuid,
    challengeIdentity: v.string(),
    challengeFactorUUID: uuid,
    challengeDateCreated: utcTime,
    challengeDateUpdated: utcTime,
    challengeDateResponded: v.nullable(utcTime),
    challengeStatus,
    challengeRespondedReason,
    challengeFactorType: factorType,
  }),
  v.forward(
    v.check(
      ({ challengeDateResponded, challengeStatus: status }) =>
        challengeDateResponded !== null || status === 'Pending' || status === 'Expired',
      'expected a time, for the challenge has a response',
    ),
    ['challengeDateResponded'],
  ),
)

/**
 * A challenge for a second factor (§3). `challengeDateResponded` is always on the wire: a time, or null while the challenge
 * is Pending or after it has Expired without a response. The encoder writes null if an untyped caller omits it.
 */
export const Challenge = shape(
  'Challenge',
  challenge,
  (value): v.InferOutput<typeof challenge> => ({
    ...value,
    challengeDateResponded: value.challengeDateResponded ?? null,
  }),
)
export type Challenge = Infer<typeof Challenge>
