import * as v from 'valibot'
import { DeleteRequest, User, UserAddRequest, UsernameRequest, UserUpdateRequest } from './account/account.ts'
import { noList, shape } from './format/decode.ts'
import { Empty, Nothing } from './format/nothing.ts'
import { OriginCheck } from './format/origin-check.ts'
import { Onward, ReturnFragmentRequest, SessionCheck } from './format/return-address.ts'
import { route } from './format/route.ts'
import { id, upTo } from './format/text.ts'
import { AuthenticationRequest, AuthOutcome, ContinueRequest, LoginRequest, OTPRequest, PlowLoginRequest } from './sign-in/auth.ts'
import { MagicLinkAnswer, MagicLinkRedeemRequest, MagicLinkRequests } from './sign-in/magic-link.ts'
import { MailCodeRequest, MailWait } from './sign-in/mail-code.ts'
import { MailLink, MailLinkLookRequest, MailLinkRequest } from './sign-in/mail-link.ts'
import { PasswordResetEmailRequest, PasswordResetResult, ResetWithTokenRequest } from './sign-in/password-request.ts'
import { RecoveryCodeRequest } from './sign-in/recovery-code.ts'

const UserId = shape('UserId', id)
const flags = v.object({ features: noList(v.record(v.string(), v.boolean())) })
/** All flags by name, or the value of the requested one. */
const Features = shape(
  'Features',
  v.lazy((input): v.GenericSchema<unknown, boolean | v.InferOutput<typeof flags>> => (typeof input === 'boolean' ? v.boolean() : flags)),
)
const FeatureQuery = shape('FeatureQuery', noList(v.strictObject({ name: v.optional(upTo(64)) })))

// One export per call, because bundlers drop unused exports but not unused fields of an object.

export const getAuthTokenWithError = route('POST', '/auth/page/plow/getAuthTokenWithError', LoginRequest, AuthOutcome)
export const plowlogin = route('POST', '/auth/page/plow/plowlogin', PlowLoginRequest, Nothing)
export const loginWithToken = route('POST', '/auth/page/plow/loginWithToken', AuthenticationRequest, Nothing)
/** Exchanges a hand-over code for a session, and returns the address to which the token page would redirect. */
export const handOver = route('POST', '/auth/page/plow/handOver', AuthenticationRequest, Onward)
export const verifyOTP = route('POST', '/auth/page/plow/verifyOTP', OTPRequest, AuthOutcome)
export const setupOTP = route('POST', '/auth/page/plow/setupOTP', OTPRequest, AuthOutcome)
export const resetOTP = route('POST', '/auth/page/plow/resetOTP', OTPRequest, AuthOutcome)
/** A recovery code in place of the one-time code. */
export const recoveryCode = route('POST', '/auth/page/plow/recoveryCode', RecoveryCodeRequest, AuthOutcome)
/** Redeems a factor-reset link. Returns the new factor to scan, or AuthFailureFailedLogin. */
export const newFactor = route('POST', '/auth/page/plow/newFactor', MailLinkRequest, AuthOutcome)
/** Continues a sign-in for which the browser holds a ticket, from a provider or a one-time link. */
export const continueSignIn = route('POST', '/auth/page/plow/continue', ContinueRequest, AuthOutcome)
export const sendPasswordResetEmail = route('POST', '/auth/page/plow/sendPasswordResetEmail', PasswordResetEmailRequest, Nothing)
export const resetPassword = route('POST', '/auth/page/plow/resetPassword', ResetWithTokenRequest, PasswordResetResult)
export const magiclinkSend = route('POST', '/magiclink/send', MagicLinkRequests, MagicLinkAnswer)
export const magiclinkRedeem = route('POST', '/magiclink/redeem', MagicLinkRedeemRequest, AuthOutcome)
/** Sets a cookie that binds this browser's next one-time links to this browser. Returns the number for the waiting tab. */
export const magiclinkWait = route('POST', '/magiclink/wait', Empty, MailWait)
/** Signs in with the code of a one-time-link email, only in the browser that asked for it. */
export const magiclinkCode = route('POST', '/magiclink/code', MailCodeRequest, AuthOutcome)
/** The state of a mailed link. Does not use the link up. */
export const mailLinkLook = route('POST', '/mail-link/look', MailLinkLookRequest, MailLink)
export const logoutByUserId = route('POST', '/user/logout/by/user-id', UserId, shape('Boolean', v.boolean()))
export const logoutBySelf = route('POST', '/user/logout/by/self', Empty, shape('String', v.string()))
export const userAdd = route('POST', '/user/add', UserAddRequest, User)
export const userUpdate = route('POST', '/user/update', UserUpdateRequest, User)
export const userDelete = route('POST', '/user/delete', DeleteRequest, Nothing)
/** Answers 404 with an error body if there is no such user. */
export const userByUsername = route('POST', '/user/by/username', UsernameRequest, User)
/** Adds the fragment, which only the browser knows, to a return address. The first fragment wins. */
export const returnFragment = route('POST', '/return/fragment', ReturnFragmentRequest, Nothing)
/** Whether the browser is signed in. Does not extend the session. */
export const sessionCheck = route('POST', '/session/check', Empty, SessionCheck)
/** Called without credentials, and readable by pages of every origin. */
export const originCheck = route('GET', '/origin/check', Empty, OriginCheck)
export const featuresCheck = route('GET', '/features/check', FeatureQuery, Features)
