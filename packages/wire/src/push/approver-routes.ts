import { Empty, Nothing } from '../format/nothing.ts'
import { route } from '../format/route.ts'
import {
  PushAnswerRequest,
  PushEnrolment,
  PushEnrolmentRequest,
  PushNonce,
  PushPending,
  PushProofRequest,
  PushSubscribeRequest,
} from './approver.ts'
import { PushStatus } from './push.ts'

// Calls of the approver page on an enrolled phone, which authenticates by signatures. A removed factor gets 410.

/** Redeems an enrollment link: binds the key to the factor, and the browser that created the link shows a number. */
export const enrol = route('POST', '/push/enrol', PushEnrolmentRequest, PushEnrolment)
export const nonce = route('POST', '/push/nonce', Empty, PushNonce)
export const pending = route('POST', '/push/pending', PushProofRequest, PushPending)
/** Approves or denies the pending challenge. A wrong number denies it; a wrong signature is refused with 403 and changes nothing. */
export const answer = route('POST', '/push/answer', PushAnswerRequest, PushStatus)
export const subscribe = route('POST', '/push/subscribe', PushSubscribeRequest, Nothing)
/** Removes the phone that calls it. */
export const leave = route('POST', '/push/leave', PushProofRequest, Nothing)
