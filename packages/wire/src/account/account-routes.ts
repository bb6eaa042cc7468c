import { Empty, Nothing } from '../format/nothing.ts'
import { route } from '../format/route.ts'
import { PushLink, PushProgress, PushProgressRequest } from '../push/push-enrolment.ts'
import { Factor } from '../sign-in/factor.ts'
import { FactorCreationRequest, VerifyTOTPFactorRequest } from '../sign-in/factor-request.ts'
import { MailLinkRequest } from '../sign-in/mail-link.ts'
import { RecoveryCodes } from '../sign-in/recovery-code.ts'
import {
  Activity,
  ActivityRequest,
  ConfirmPasswordRequest,
  EmailChangeRequest,
  FactorRemoveRequest,
  FactorRenameRequest,
  Location,
  OwnAccount,
  ProviderRequest,
  SessionEndRequest,
  TimeZoneRequest,
} from './own-account.ts'
import { CreatePasswordRequest, ResetWithOldPasswordRequest, UpdatePasswordRequest } from './own-password.ts'

// Calls on one's own account.

export const userPasswordReset = route('POST', '/user/password/reset', ResetWithOldPasswordRequest, Nothing)
export const userPasswordUpdate = route('POST', '/user/password/update', UpdatePasswordRequest, Nothing)
export const userPasswordCreate = route('POST', '/user/password/create', CreatePasswordRequest, Nothing)
/** All that the account page shows. */
export const userAccount = route('POST', '/user/account', Empty, OwnAccount)
/** What was done before a page of it. */
export const userActivity = route('POST', '/user/activity', ActivityRequest, Activity)
export const userTimeZone = route('POST', '/user/time-zone', TimeZoneRequest, Nothing)
/** The password once more, for what wants a sign-in not long ago; the session goes on under another value. */
export const userPasswordConfirm = route('POST', '/user/password/confirm', ConfirmPasswordRequest, Nothing)
export const userSessionEnd = route('POST', '/user/session/end', SessionEndRequest, Nothing)
export const userSessionEndOthers = route('POST', '/user/session/end-others', Empty, Nothing)
/** One more second factor, with what its authenticator has to know; it counts once `userFactorVerify` has taken its first code. */
export const userFactorAdd = route('POST', '/user/factor/add', FactorCreationRequest, Factor)
export const userFactorVerify = route('POST', '/user/factor/verify', VerifyTOTPFactorRequest, Nothing)
/** One more device that approves: the link that enrols it. It counts once it has approved a first challenge. */
export const userFactorAddPush = route('POST', '/user/factor/add-push', FactorCreationRequest, PushLink)
/** How far the enrolment has come; asked again and again. What it tells first as Verified is verified by this. */
export const userFactorPushProgress = route('POST', '/user/factor/push-progress', PushProgressRequest, PushProgress)
/** Another number, where the one before was answered wrongly or too late. */
export const userFactorPushAgain = route('POST', '/user/factor/push-again', PushProgressRequest, PushProgress)
export const userFactorRename = route('POST', '/user/factor/rename', FactorRenameRequest, Nothing)
export const userFactorRemove = route('POST', '/user/factor/remove', FactorRemoveRequest, Nothing)
/** Ten codes for one who has a second factor and no codes. */
export const userRecoveryCodes = route('POST', '/user/recovery-codes', Empty, RecoveryCodes)
/** Ten codes in place of those there are. */
export const userRecoveryCodesAnew = route('POST', '/user/recovery-codes/anew', Empty, RecoveryCodes)
export const userEmailChange = route('POST', '/user/email/change', EmailChangeRequest, Nothing)
/** Uses up the link that was mailed to the new address. */
export const userEmailConfirm = route('POST', '/user/email/confirm', MailLinkRequest, Nothing)
/** Where to go to prove the identity at the provider. */
export const userProviderLink = route('POST', '/user/sso/link', ProviderRequest, Location)
export const userProviderUnlink = route('POST', '/user/sso/unlink', ProviderRequest, Nothing)
