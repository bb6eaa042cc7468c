import * as v from 'valibot'
import { bare, carrying, type Infer, otherTag, shape, unknownTag, utcTime } from '../format/decode.ts'
import { challengeRespondedReason, challengeStatus } from '../sign-in/challenge.ts'
import { uuid } from '../sign-in/factor.ts'
import { verifyError } from '../sign-in/verify-error.ts'

/** Schema of the six digits that a browser shows and the user types on the phone. Text, because they may begin with 0. */
export const challengeNumber = v.pipe(
  v.string(),
  v.check(text => /^[0-9]{6}$/.test(text), 'expected six digits'),
)

/**
 * Outcome of pushChallenge: the number to show while the phone is asked, or the reason for the refusal. A client that asks too often gets
 * the same answer, but no phone is notified.
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

/** The state of a phone's challenge. */
export const PushStatus = shape('PushStatus', pushStatus)
export type PushStatus = Infer<typeof PushStatus>
