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

// Calls of the approver, the app on an enrolled device. It proves itself by what it signs; a factor that is gone is 410.

/** Uses up the link of an enrolment: from now on the key is this factor's, and the browser that asked for the link shows a number. */
export const enrol = route('POST', '/push/enrol', PushEnrolmentRequest, PushEnrolment)
export const nonce = route('POST', '/push/nonce', Empty, PushNonce)
export const pending = route('POST', '/push/pending', PushProofRequest, PushPending)
/** Approves or denies what is pending. A wrong number denies it; a signature that is not the device's is 403 and changes nothing. */
export const answer = route('POST', '/push/answer', PushAnswerRequest, PushStatus)
export const subscribe = route('POST', '/push/subscribe', PushSubscribeRequest, Nothing)
/** The device takes itself away. */
export const leave = route('POST', '/push/leave', PushProofRequest, Nothing)
