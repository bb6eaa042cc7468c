import type { Toast } from '@gatehouse/ui/toasts/toast.ts'
import type { AuthToken } from '@gatehouse/wire'
import type { FormResult, SignInPage } from '@gatehouse/wire/page-props'
import type { Api, Failure } from '../calls/api.ts'
import type { PushApi } from '../calls/push-api.ts'
import type { Messages } from '../messages/messages.ts'

/** What the sign-in area hands to its pages. */
export type PageProps = {
  /** The calls; those of an approval on a phone are made where they are needed, unless they come along. */
  api: Omit<Api, 'logoutBySelf'> & { push?: PushApi }
  messages: Messages
  go: (page: SignInPage) => void
  /** The address of one of our own server's pages, where forms work without a script; of another's host there is none. */
  plain: (path: string) => string | undefined
  /** What the page says at first: a form was sent without a script, and this is what came of it. */
  said?: FormResult | undefined
  /** Starts the session, then leaves for the token page; until then the page shows that it is done. */
  leave: (token: AuthToken, signal: AbortSignal) => Promise<void>
  /** A call is about to be made; what was said of an earlier one no longer holds. */
  onTry: () => void
  /**
   * A call gave nothing. What cannot be decoded is only written to the console (§8); of what §8 does not name, a toast
   * tells.
   */
  onFailure: (failure: Failure) => void
  /** Shows a toast; where that cannot be, the error panel. */
  notify: (toast: Toast) => void
  /** Told in the console and to the host, not to the person (§8). */
  onLogged: (message: string, cause: unknown) => void
}
