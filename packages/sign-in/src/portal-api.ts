import {
  type MailLinkLookRequest,
  type MailLinkRequest,
  type ProviderRequest,
  type ResetWithTokenRequest,
  type ReturnFragmentRequest,
  routes,
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

    /** Whether this browser is signed in, which another tab may have done. Prolongs no session. */
    sessionCheck: (signal?: AbortSignal) => ask(routes.sessionCheck.path, {}, routes.sessionCheck.response, signal),

    /** Has the fragment of a return address kept, which no server has seen. */
    returnFragment: (request: ReturnFragmentRequest, signal?: AbortSignal) => tell(routes.returnFragment.path, request, signal),

    /** Where to go to link an identity at a provider. */
    userProviderLink: (request: ProviderRequest, signal?: AbortSignal) =>
      ask(routes.userProviderLink.path, request, routes.userProviderLink.response, signal),

    /** Takes away a provider as a way to sign in. */
    userProviderUnlink: (request: ProviderRequest, signal?: AbortSignal) => tell(routes.userProviderUnlink.path, request, signal),
  }
}

/** The calls of those pages; a test hands in its own. */
export type PortalApi = ReturnType<typeof createPortalApi>
