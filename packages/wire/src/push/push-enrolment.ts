import * as v from 'valibot'
import { bare, carrying, type Infer, otherTag, shape, unknownTag, utcTime } from '../format/decode.ts'
import { challengeRespondedReason } from '../sign-in/challenge.ts'
import { uuid } from '../sign-in/factor.ts'
import { challengeNumber } from './push.ts'

/** Answer of /user/factor/add-push: the link to open on the device, as a QR code, until `expires`. It works once. */
export const PushLink = shape('PushLink', v.object({ factorUUID: uuid, link: v.string(), expires: utcTime }))
export type PushLink = Infer<typeof PushLink>

/** Body of /user/factor/push-progress and /user/factor/push-again. */
export const PushProgressRequest = shape('PushProgressRequest', v.strictObject({ factorUUID: uuid }))
export type PushProgressRequest = Infer<typeof PushProgressRequest>

/**
 * How far the enrolment of a device has come: it waits for the link to be opened, the number is to be typed on the device, that
 * was wrong, refused or too late (another number is to be had), the factor is verified, or it is over and has to begin anew.
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
