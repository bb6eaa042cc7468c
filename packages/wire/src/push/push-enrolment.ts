import * as v from 'valibot'
import { bare, carrying, type Infer, otherTag, shape, unknownTag, utcTime } from '../format/decode.ts'
import { challengeRespondedReason } from '../sign-in/challenge.ts'
import { uuid } from '../sign-in/factor.ts'
import { challengeNumber } from './push.ts'

/** Response of /user/factor/add-push: the link to open on the phone, shown as a QR code, valid until `expires`. It works once. */
export const PushLink = shape('PushLink', v.object({ factorUUID: uuid, link: v.string(), expires: utcTime }))
export type PushLink = Infer<typeof PushLink>

/** Body of /user/factor/push-progress and /user/factor/push-again. */
export const PushProgressRequest = shape('PushProgressRequest', v.strictObject({ factorUUID: uuid }))
export type PushProgressRequest = Infer<typeof PushProgressRequest>

/**
 * Progress of a phone's enrollment. `Waiting`: the link is still unopened. `Asked`: type the number on the phone. `Failed`: the answer was
 * wrong, denied or late; another number is available. `Verified`: done. `Over`: start again.
 */
export const PushProgress = shape(
  'PushProgress',
  v.variant(
    'tag',
    [
      bare('Waiting'),
      carrying('Asked', v.object({ challengeNumber, challengeExpires: utcTime })),
      carrying('Failed', v.object({ challengeStatus: v.picklist(['Denied', 'Expired']), challengeRespondedReason })),
      bare('Verified'),
      bare('Over'),
    ],
    otherTag(unknownTag),
  ),
)
export type PushProgress = Infer<typeof PushProgress>
