import {
  type ActivityRequest,
  type ConfirmPasswordRequest,
  type CreatePasswordRequest,
  type EmailChangeRequest,
  type FactorCreationRequest,
  type FactorRemoveRequest,
  type FactorRenameRequest,
  type MailLinkLookRequest,
  type MailLinkRequest,
  type ProviderRequest,
  type ResetWithTokenRequest,
  routes,
  type SessionEndRequest,
  type TimeZoneRequest,
  type UpdatePasswordRequest,
  type VerifyTOTPFactorRequest,
} from '@gatehouse/wire'
import { createCalls } from './api.ts'
import type { Config } from './config.ts'

/**
 * The calls of the pages that a mailed link opens, of those of recovery codes and of a sign-in that goes on, and of the account page.
 * Apart from {@link createApi}, for the sign-in page makes none of them and its first load is small. They resolve as those do.
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
    userEmailConfirm: (request: MailLinkRequest, signal?: AbortSignal) => tell(routes.userEmailConfirm.path, request, signal),

    /** Ten recovery codes for whoever is signed in, told this once. */
    userRecoveryCodes: (signal?: AbortSignal) => ask(routes.userRecoveryCodes.path, {}, routes.userRecoveryCodes.response, signal),

    /** Goes on with the sign-in of which the browser holds a ticket. */
    continueSignIn: (signal?: AbortSignal) => ask(routes.continueSignIn.path, {}, routes.continueSignIn.response, signal),

    /** Where to go to link an identity at a provider. */
    userProviderLink: (request: ProviderRequest, signal?: AbortSignal) =>
      ask(routes.userProviderLink.path, request, routes.userProviderLink.response, signal),

    /** Takes away a provider as a way to sign in. */
    userProviderUnlink: (request: ProviderRequest, signal?: AbortSignal) => tell(routes.userProviderUnlink.path, request, signal),

    /** All that the account page shows. */
    userAccount: (signal?: AbortSignal) => ask(routes.userAccount.path, {}, routes.userAccount.response, signal),

    /** What was done to the account before what is shown. */
    userActivity: (request: ActivityRequest, signal?: AbortSignal) =>
      ask(routes.userActivity.path, request, routes.userActivity.response, signal),

    /** The zone that times are told in. */
    userTimeZone: (request: TimeZoneRequest, signal?: AbortSignal) => tell(routes.userTimeZone.path, request, signal),

    /** The password once more: for 15 minutes what wants a sign-in not long ago is taken again. */
    userPasswordConfirm: (request: ConfirmPasswordRequest, signal?: AbortSignal) => tell(routes.userPasswordConfirm.path, request, signal),

    /** A new password by the old one. */
    userPasswordUpdate: (request: UpdatePasswordRequest, signal?: AbortSignal) => tell(routes.userPasswordUpdate.path, request, signal),

    /** A password for one who has none. */
    userPasswordCreate: (request: CreatePasswordRequest, signal?: AbortSignal) => tell(routes.userPasswordCreate.path, request, signal),

    /** Has a link sent to a new address. */
    userEmailChange: (request: EmailChangeRequest, signal?: AbortSignal) => tell(routes.userEmailChange.path, request, signal),

    /** Ends one of one's own sessions. */
    userSessionEnd: (request: SessionEndRequest, signal?: AbortSignal) => tell(routes.userSessionEnd.path, request, signal),

    /** Ends all of one's own sessions but this one. */
    userSessionEndOthers: (signal?: AbortSignal) => tell(routes.userSessionEndOthers.path, {}, signal),

    /** One more authenticator, shown this once. */
    userFactorAdd: (request: FactorCreationRequest, signal?: AbortSignal) =>
      ask(routes.userFactorAdd.path, request, routes.userFactorAdd.response, signal),

    /** Its first code. */
    userFactorVerify: (request: VerifyTOTPFactorRequest, signal?: AbortSignal) => tell(routes.userFactorVerify.path, request, signal),

    /** Another name for an authenticator. */
    userFactorRename: (request: FactorRenameRequest, signal?: AbortSignal) => tell(routes.userFactorRename.path, request, signal),

    /** Takes an authenticator away. */
    userFactorRemove: (request: FactorRemoveRequest, signal?: AbortSignal) => tell(routes.userFactorRemove.path, request, signal),

    /** Ten recovery codes in place of those there are, told this once. */
    userRecoveryCodesAnew: (signal?: AbortSignal) =>
      ask(routes.userRecoveryCodesAnew.path, {}, routes.userRecoveryCodesAnew.response, signal),
  }
}

/** The calls of those pages; a test hands in its own. */
export type PortalApi = ReturnType<typeof createPortalApi>
