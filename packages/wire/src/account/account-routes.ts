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
  BrowserForgetRequest,
  ConfirmPasswordRequest,
  EmailChangeRequest,
  FactorRemoveRequest,
  FactorRenameRequest,
  LanguageRequest,
  Location,
  OwnAccount,
  ProviderRequest,
  SessionEndRequest,
  TimeZoneRequest,
} from './own-account.ts'
import { NewPass, OwnPasses, PassEndRequest, PassRequest } from './own-passes.ts'
import { CreatePasswordRequest, ResetWithOldPasswordRequest, UpdatePasswordRequest } from './own-password.ts'

// Calls on the user's own account.

export const userPasswordReset = route('POST', '/user/password/reset', ResetWithOldPasswordRequest, Nothing)
export const userPasswordUpdate = route('POST', '/user/password/update', UpdatePasswordRequest, Nothing)
export const userPasswordCreate = route('POST', '/user/password/create', CreatePasswordRequest, Nothing)
/** Everything the account page shows. */
export const userAccount = route('POST', '/user/account', Empty, OwnAccount)
/** The next page of the activity list. */
export const userActivity = route('POST', '/user/activity', ActivityRequest, Activity)
export const userTimeZone = route('POST', '/user/time-zone', TimeZoneRequest, Nothing)
/** The language of the user's pages and mails. */
export const userLanguage = route('POST', '/user/language', LanguageRequest, Nothing)
/** Reauthentication by password. The session gets a new cookie value. */
export const userPasswordConfirm = route('POST', '/user/password/confirm', ConfirmPasswordRequest, Nothing)
export const userSessionEnd = route('POST', '/user/session/end', SessionEndRequest, Nothing)
export const userSessionEndOthers = route('POST', '/user/session/end-others', Empty, Nothing)
/** Afterwards, wrong passwords typed in that browser count together with those of unknown browsers. */
export const userBrowserForget = route('POST', '/user/browser/forget', BrowserForgetRequest, Nothing)
export const userBrowserForgetOthers = route('POST', '/user/browser/forget-others', Empty, Nothing)
/** Starts the set-up of an authenticator app and returns its secret. `userFactorVerify` completes the set-up with the first code. */
export const userFactorAdd = route('POST', '/user/factor/add', FactorCreationRequest, Factor)
export const userFactorVerify = route('POST', '/user/factor/verify', VerifyTOTPFactorRequest, Nothing)
/** Starts the set-up of a phone and returns its link. The phone is active once it has approved its first challenge. */
export const userFactorAddPush = route('POST', '/user/factor/add-push', FactorCreationRequest, PushLink)
/** The progress of the enrollment, for polling. The first call that returns Verified also verifies the factor. */
export const userFactorPushProgress = route('POST', '/user/factor/push-progress', PushProgressRequest, PushProgress)
/** A new number, after a wrong or late answer. */
export const userFactorPushAgain = route('POST', '/user/factor/push-again', PushProgressRequest, PushProgress)
export const userFactorRename = route('POST', '/user/factor/rename', FactorRenameRequest, Nothing)
export const userFactorRemove = route('POST', '/user/factor/remove', FactorRemoveRequest, Nothing)
/** Ten codes for a user with a second factor and without codes. Requires a recent sign-in with the second factor. */
export const userRecoveryCodes = route('POST', '/user/recovery-codes', Empty, RecoveryCodes)
/** Ten codes that replace the existing ones. */
export const userRecoveryCodesAnew = route('POST', '/user/recovery-codes/anew', Empty, RecoveryCodes)
export const userEmailChange = route('POST', '/user/email/change', EmailChangeRequest, Nothing)
/** Uses the link that was mailed to the new address. */
export const userEmailConfirm = route('POST', '/user/email/confirm', MailLinkRequest, Nothing)
/** The provider's address, where the user proves the identity to link. */
export const userProviderLink = route('POST', '/user/sso/link', ProviderRequest, Location)
export const userProviderUnlink = route('POST', '/user/sso/unlink', ProviderRequest, Nothing)
/** The passes of the user's programs. */
export const userPasses = route('POST', '/user/passes', Empty, OwnPasses)
export const userPassAdd = route('POST', '/user/pass/add', PassRequest, NewPass)
export const userPassEnd = route('POST', '/user/pass/end', PassEndRequest, Nothing)
