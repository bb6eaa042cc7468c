import { type Config, createCalls } from '@gatehouse/sign-in'
import {
  type ActivityRequest,
  accountRoutes,
  type BrowserForgetRequest,
  type ConfirmPasswordRequest,
  type CreatePasswordRequest,
  type EmailChangeRequest,
  type FactorCreationRequest,
  type FactorRemoveRequest,
  type FactorRenameRequest,
  type LanguageRequest,
  type MagicLinkRedeemRequest,
  type MailLinkLookRequest,
  type MailLinkRequest,
  type PassEndRequest,
  type PassRequest,
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
 * The calls of the account page, the recovery codes page, the pages of emailed links and a
 * continued sign-in. They never reject.
 */
export const createPortalApi = (config: Pick<Config, 'baseUrl'>) => {
  const { post, postVoid } = createCalls(config)
  return {
    /** Looks up the state of an emailed link, without using the link. */
    mailLinkLook: (request: MailLinkLookRequest, signal?: AbortSignal) =>
      post(routes.mailLinkLook.path, request, routes.mailLinkLook.response, signal),

    /** Uses a one-time link. */
    magiclinkRedeem: (request: MagicLinkRedeemRequest, signal?: AbortSignal) =>
      post(routes.magiclinkRedeem.path, { ...request, passkeys: true }, routes.magiclinkRedeem.response, signal),

    /** Uses the link of a factor reset and returns the new factor. */
    newFactor: (request: MailLinkRequest, signal?: AbortSignal) => post(routes.newFactor.path, request, routes.newFactor.response, signal),

    /** Uses the link of a password reset and sets the new password. */
    resetPassword: (request: ResetWithTokenRequest, signal?: AbortSignal) =>
      post(routes.resetPassword.path, request, routes.resetPassword.response, signal),

    /** Uses the link that was sent to a new email address. */
    userEmailConfirm: (request: MailLinkRequest, signal?: AbortSignal) => postVoid(accountRoutes.userEmailConfirm.path, request, signal),

    /** Creates ten recovery codes and returns them, only once. */
    userRecoveryCodes: (signal?: AbortSignal) =>
      post(accountRoutes.userRecoveryCodes.path, {}, accountRoutes.userRecoveryCodes.response, signal),

    /**
     * Whether this browser is signed in, for example in another tab, and whether the user must sign
     * in again. Does not extend the session.
     */
    sessionCheck: (signal?: AbortSignal) => post(routes.sessionCheck.path, {}, routes.sessionCheck.response, signal),

    /** Stores the fragment of a return address, which browsers do not send to the server. */
    returnFragment: (request: ReturnFragmentRequest, signal?: AbortSignal) => postVoid(routes.returnFragment.path, request, signal),

    /** The address that starts linking a provider. */
    userProviderLink: (request: ProviderRequest, signal?: AbortSignal) =>
      post(accountRoutes.userProviderLink.path, request, accountRoutes.userProviderLink.response, signal),

    /** Unlinks a provider. */
    userProviderUnlink: (request: ProviderRequest, signal?: AbortSignal) =>
      postVoid(accountRoutes.userProviderUnlink.path, request, signal),

    /** Everything that the account page shows. */
    userAccount: (signal?: AbortSignal) => post(accountRoutes.userAccount.path, {}, accountRoutes.userAccount.response, signal),

    /** Older events of the account. */
    userActivity: (request: ActivityRequest, signal?: AbortSignal) =>
      post(accountRoutes.userActivity.path, request, accountRoutes.userActivity.response, signal),

    /** Sets the language of the user's pages and emails. */
    userLanguage: (request: LanguageRequest, signal?: AbortSignal) => postVoid(accountRoutes.userLanguage.path, request, signal),

    /** Sets the time zone. */
    userTimeZone: (request: TimeZoneRequest, signal?: AbortSignal) => postVoid(accountRoutes.userTimeZone.path, request, signal),

    /** Reauthenticates with the password, for 15 minutes. */
    userPasswordConfirm: (request: ConfirmPasswordRequest, signal?: AbortSignal) =>
      postVoid(accountRoutes.userPasswordConfirm.path, request, signal),

    /** Changes the password. */
    userPasswordUpdate: (request: UpdatePasswordRequest, signal?: AbortSignal) =>
      postVoid(accountRoutes.userPasswordUpdate.path, request, signal),

    /** Sets the first password of a user. */
    userPasswordCreate: (request: CreatePasswordRequest, signal?: AbortSignal) =>
      postVoid(accountRoutes.userPasswordCreate.path, request, signal),

    /** Requests an email to the new address, with a link that confirms it. */
    userEmailChange: (request: EmailChangeRequest, signal?: AbortSignal) => postVoid(accountRoutes.userEmailChange.path, request, signal),

    /** Ends one session of the user. */
    userSessionEnd: (request: SessionEndRequest, signal?: AbortSignal) => postVoid(accountRoutes.userSessionEnd.path, request, signal),

    /** Forgets a browser, which ends its separate count of wrong passwords. */
    userBrowserForget: (request: BrowserForgetRequest, signal?: AbortSignal) =>
      postVoid(accountRoutes.userBrowserForget.path, request, signal),

    /** Forgets all other browsers. */
    userBrowserForgetOthers: (signal?: AbortSignal) => postVoid(accountRoutes.userBrowserForgetOthers.path, {}, signal),

    /** Ends all other sessions of the user. */
    userSessionEndOthers: (signal?: AbortSignal) => postVoid(accountRoutes.userSessionEndOthers.path, {}, signal),

    /** The passes of the user's programs, and where rules admit passes. */
    userPasses: (signal?: AbortSignal) => post(accountRoutes.userPasses.path, {}, accountRoutes.userPasses.response, signal),

    /** Creates a pass and returns it, only once. */
    userPassAdd: (request: PassRequest, signal?: AbortSignal) =>
      post(accountRoutes.userPassAdd.path, request, accountRoutes.userPassAdd.response, signal),

    /** Ends a pass. */
    userPassEnd: (request: PassEndRequest, signal?: AbortSignal) => postVoid(accountRoutes.userPassEnd.path, request, signal),

    /** Starts adding an authenticator app; returns its secret, only once. */
    userFactorAdd: (request: FactorCreationRequest, signal?: AbortSignal) =>
      post(accountRoutes.userFactorAdd.path, request, accountRoutes.userFactorAdd.response, signal),

    /** Verifies the first code of a new authenticator app. */
    userFactorVerify: (request: VerifyTOTPFactorRequest, signal?: AbortSignal) =>
      postVoid(accountRoutes.userFactorVerify.path, request, signal),

    /** Starts adding a phone; returns the link that sets it up. */
    userFactorAddPush: (request: FactorCreationRequest, signal?: AbortSignal) =>
      post(accountRoutes.userFactorAddPush.path, request, accountRoutes.userFactorAddPush.response, signal),

    /** The progress of adding a phone. */
    userFactorPushProgress: (request: PushProgressRequest, signal?: AbortSignal) =>
      post(accountRoutes.userFactorPushProgress.path, request, accountRoutes.userFactorPushProgress.response, signal),

    /** Requests another number after a failed one. */
    userFactorPushAgain: (request: PushProgressRequest, signal?: AbortSignal) =>
      post(accountRoutes.userFactorPushAgain.path, request, accountRoutes.userFactorPushAgain.response, signal),

    /** Renames a second factor. */
    userFactorRename: (request: FactorRenameRequest, signal?: AbortSignal) =>
      postVoid(accountRoutes.userFactorRename.path, request, signal),

    /** Removes a second factor. */
    userFactorRemove: (request: FactorRemoveRequest, signal?: AbortSignal) =>
      postVoid(accountRoutes.userFactorRemove.path, request, signal),

    /** Replaces the recovery codes and returns the new ones, only once. */
    userRecoveryCodesAnew: (signal?: AbortSignal) =>
      post(accountRoutes.userRecoveryCodesAnew.path, {}, accountRoutes.userRecoveryCodesAnew.response, signal),
  }
}

/** The calls of {@link createPortalApi}. Tests pass their own. */
export type PortalApi = ReturnType<typeof createPortalApi>
