import { Empty } from '../format/nothing.ts'
import { route } from '../format/route.ts'
import { OTPRequest } from '../sign-in/auth.ts'
import { PushOutcome, PushStatus } from './push.ts'

// Separate from the other calls, so the sign-in page loads them only for users with a phone.

/**
 * Requests an approval on the user's phones: like verifyOTP without a code or factor. Sets a cookie that binds the answer to this browser.
 */
export const pushChallenge = route('POST', '/auth/page/plow/pushChallenge', OTPRequest, PushOutcome)
/** The state of this browser's challenge. Once it is Approved, verifyOTP without a code signs in. */
export const pushStatus = route('POST', '/auth/page/plow/pushStatus', Empty, PushStatus)
