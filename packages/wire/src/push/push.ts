import * as v from 'valibot'
import { bare, carrying, type Infer, otherTag, shape, unknownTag, utcTime } from '../format/decode.ts'
import { challengeRespondedReason, challengeStatus } from '../sign-in/challenge.ts'
import { uuid } from '../sign-in/factor.ts'
import { verifyError } from '../sign-in/verify-error.ts'

/** Schema of the six digits that a browser shows and that are typed on the device; text, for they may begin with 0. */
export const challengeNumber = v.pipe(
  v.string(),
  v.check(text => /^[0-9]{6}$/.test(text), 'expected six digits'),
)

/**
 * What pushChallenge answers: the number to show while the device is asked, or why it is not asked. To whoever asks too often it
 * answers alike, and asks no device.
 */
export const PushOutcome = shape(
  'PushOutcome',
  v.variant(
    'tag',
    [
      carrying('PushChallengeOpened', v.object({ challengeUUID: uuid, challengeNumber, challengeExpires: utcTime })),
      carrying('AuthFailureFactorError', verifyError),
      bare('AuthFailureFailedLogin'),
      bare('AuthFailureForcedReset'),
    ],
    otherTag(unknownTag),
  ),
)
export type PushOutcome = Infer<typeof PushOutcome>

/** Schema of PushStatus. */
export const pushStatus = v.object({ challengeUUID: uuid, challengeStatus, challengeRespondedReason })

/** How far a challenge of a device has come. */
export const PushStatus = shape('PushStatus', pushStatus)
export type PushStatus = Infer<typeof PushStatus>
