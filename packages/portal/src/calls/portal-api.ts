import { type Config, createCalls } from '@gatehouse/sign-in'
import {
  type ActivityRequest,
  accountRoutes,
  type ConfirmPasswordRequest,
  type CreatePasswordRequest,
  type EmailChangeRequest,
  type FactorCreationRequest,
  type FactorRemoveRequest,
  type FactorRenameRequest,
  type MailLinkLookRequest,
  type MailLinkRequest,
  type ProviderRequest,
  type PushProgressRequest,
  type ResetWithTokenRequest,
  type ReturnFragmentRequest,
  routes,
  type SessionEndRequest,
  type TimeZoneRequest,
  type UpdatePasswordRequest,
  type VerifyTOTPFactorRequest,
} from '@gatehouse/wire'

/**
 * The calls of the pages that a mailed link opens, of those of recovery codes and of a sign-in that goes on, and of the account page.
 * Apart from `createApi`, for the sign-in page makes none of them and its first load is small. They resolve as those do.
 */
export const createPortalApi = (config: Pick<Config, 'baseUrl'>) => {
  const { ask, tell } = createCalls(config)
  return {
    /** What a mailed link is good for. Uses nothing up. */
    mailLinkLook: (request: MailLinkLookRequest, signal?: AbortSignal) =>
      ask(routes.mailLinkLook.path, request, routes.mailLinkLook.response, signal),

    /** Uses up a one-time link. */
    magiclinkRedeem: (request: MailLinkRequest, signal?: AbortSignal) =>
      ask(routes.magiclinkRedeem.path, request, routes.magiclinkRedeem.response, signal),

    /** Uses up the link of a factor reset, for the new factor. */
    newFactor: (request: MailLinkRequest, signal?: AbortSignal) => ask(routes.newFactor.path, request, routes.newFactor.response, signal),

    /** Uses up the link of a password reset and sets the new password. */
    resetPassword: (request: ResetWithTokenRequest, signal?: AbortSignal) => tell(routes.resetPassword.path, request, signal),

    /** Uses up the link that was mailed to a new address. */
    userEmailConfirm: (request: MailLinkRequest, signal?: AbortSignal) => tell(accountRoutes.userEmailConfirm.path, request, signal),

    /** Ten recovery codes for whoever is signed in, told this once. */
    userRecoveryCodes: (signal?: AbortSignal) =>
      ask(accountRoutes.userRecoveryCodes.path, {}, accountRoutes.userRecoveryCodes.response, signal),

    /** Goes on with the sign-in of which the browser holds a ticket. */
    continueSignIn: (signal?: AbortSignal) => ask(routes.continueSignIn.path, {}, routes.continueSignIn.response, signal),

    /** Whether this browser is signed in, which another tab may have done. Prolongs no session. */
    sessionCheck: (signal?: AbortSignal) => ask(routes.sessionCheck.path, {}, routes.sessionCheck.response, signal),

    /** Has the fragment of a return address kept, which no server has seen. */
    returnFragment: (request: ReturnFragmentRequest, signal?: AbortSignal) => tell(routes.returnFragment.path, request, signal),

    /** Where to go to link an identity at a provider. */
    userProviderLink: (request: ProviderRequest, signal?: AbortSignal) =>
      ask(accountRoutes.userProviderLink.path, request, accountRoutes.userProviderLink.response, signal),

    /** Takes away a provider as a way to sign in. */
    userProviderUnlink: (request: ProviderRequest, signal?: AbortSignal) => tell(accountRoutes.userProviderUnlink.path, request, signal),

    /** All that the account page shows. */
    userAccount: (signal?: AbortSignal) => ask(accountRoutes.userAccount.path, {}, accountRoutes.userAccount.response, signal),

    /** What was done to the account before what is shown. */
    userActivity: (request: ActivityRequest, signal?: AbortSignal) =>
      ask(accountRoutes.userActivity.path, request, accountRoutes.userActivity.response, signal),

    /** The zone that times are told in. */
    userTimeZone: (request: TimeZoneRequest, signal?: AbortSignal) => tell(accountRoutes.userTimeZone.path, request, signal),

    /** The password once more: for 15 minutes what wants a sign-in not long ago is taken again. */
    userPasswordConfirm: (request: ConfirmPasswordRequest, signal?: AbortSignal) =>
      tell(accountRoutes.userPasswordConfirm.path, request, signal),

    /** A new password by the old one. */
    userPasswordUpdate: (request: UpdatePasswordRequest, signal?: AbortSignal) =>
      tell(accountRoutes.userPasswordUpdate.path, request, signal),

    /** A password for one who has none. */
    userPasswordCreate: (request: CreatePasswordRequest, signal?: AbortSignal) =>
      tell(accountRoutes.userPasswordCreate.path, request, signal),

    /** Has a link sent to a new address. */
    userEmailChange: (request: EmailChangeRequest, signal?: AbortSignal) => tell(accountRoutes.userEmailChange.path, request, signal),

    /** Ends one of one's own sessions. */
    userSessionEnd: (request: SessionEndRequest, signal?: AbortSignal) => tell(accountRoutes.userSessionEnd.path, request, signal),

    /** Ends all of one's own sessions but this one. */
    userSessionEndOthers: (signal?: AbortSignal) => tell(accountRoutes.userSessionEndOthers.path, {}, signal),

    /** One more authenticator, shown this once. */
    userFactorAdd: (request: FactorCreationRequest, signal?: AbortSignal) =>
      ask(accountRoutes.userFactorAdd.path, request, accountRoutes.userFactorAdd.response, signal),

    /** Its first code. */
    userFactorVerify: (request: VerifyTOTPFactorRequest, signal?: AbortSignal) =>
      tell(accountRoutes.userFactorVerify.path, request, signal),

    /** One more phone that approves: the link that sets it up. */
    userFactorAddPush: (request: FactorCreationRequest, signal?: AbortSignal) =>
      ask(accountRoutes.userFactorAddPush.path, request, accountRoutes.userFactorAddPush.response, signal),

    /** How far that has come. */
    userFactorPushProgress: (request: PushProgressRequest, signal?: AbortSignal) =>
      ask(accountRoutes.userFactorPushProgress.path, request, accountRoutes.userFactorPushProgress.response, signal),

    /** Another number, after one that came to nothing. */
    userFactorPushAgain: (request: PushProgressRequest, signal?: AbortSignal) =>
      ask(accountRoutes.userFactorPushAgain.path, request, accountRoutes.userFactorPushAgain.response, signal),

    /** Another name for an authenticator. */
    userFactorRename: (request: FactorRenameRequest, signal?: AbortSignal) => tell(accountRoutes.userFactorRename.path, request, signal),

    /** Takes an authenticator away. */
    userFactorRemove: (request: FactorRemoveRequest, signal?: AbortSignal) => tell(accountRoutes.userFactorRemove.path, request, signal),

    /** Ten recovery codes in place of those there are, told this once. */
    userRecoveryCodesAnew: (signal?: AbortSignal) =>
      ask(accountRoutes.userRecoveryCodesAnew.path, {}, accountRoutes.userRecoveryCodesAnew.response, signal),
  }
}

/** The calls of those pages; a test hands in its own. */
export type PortalApi = ReturnType<typeof createPortalApi>
