import { Empty } from '../format/nothing.ts'
import { route } from '../format/route.ts'
import { OTPRequest } from '../sign-in/auth.ts'
import { PushOutcome, PushStatus } from './push.ts'

// Approving a sign-in on a device. Apart from the others, so that the sign-in page fetches them only for one who has such a device.

/** Asks the user's devices: as verifyOTP, without a code and without a factor. It leaves a cookie that ties the answer to this browser. */
export const pushChallenge = route('POST', '/auth/page/plow/pushChallenge', OTPRequest, PushOutcome)
/** How far the challenge has come that this browser waits for. Once it is Approved, verifyOTP without a code signs in. */
export const pushStatus = route('POST', '/auth/page/plow/pushStatus', Empty, PushStatus)
