import type { Toast } from '@gatehouse/ui/toasts/toast.ts'
import type { AuthToken, PasskeyAfterSignIn } from '@gatehouse/wire'
import type { FormResult, SignInPage } from '@gatehouse/wire/page-props'
import type { Api, Failure } from '../calls/api.ts'
import type { PasskeyApi } from '../calls/passkey-api.ts'
import type { PushApi } from '../calls/push-api.ts'
import type { Emit, Method } from '../events.ts'
import type { Messages } from '../messages/messages.ts'

/** One call of a page at a time, which the page can abort. */
export type SingleCall = { isRunning: () => boolean; begin: () => AbortSignal; end: () => void }

/** Properties that the widget passes to its pages. */
export type PageProps = {
  /** The calls. Without `push` and `passkeys`, the pages that need those calls create them. */
  api: Omit<Api, 'logoutBySelf' | 'handOver'> & Partial<Pick<Api, 'handOver'>> & { push?: PushApi; passkeys?: PasskeyApi }
  messages: Messages
  go: (page: SignInPage) => void
  /** The address of a page where forms work without a script. Only the pages of our own server have one. */
  formAction: (path: string) => string | undefined
  /** The result of a form that was sent without a script, for the first page to show. */
  formResult?: FormResult | undefined
  /**
   * Starts the session, tells the password manager about the user's passkeys and opens the next page, unless the host keeps this one. Until
   * the next page loads, this page shows success.
   */
  leave: (token: AuthToken, signal: AbortSignal, passkeys?: PasskeyAfterSignIn) => Promise<void>
  /**
   * Removes the messages of earlier calls. Pages call this before a request, or with no method if they reject the input and send
   * nothing.
   */
  beforeCall: (method?: Method) => void
  /** Tells the embedding page what happens. */
  emit: Emit
  /** Called when a call failed. A reply that cannot be decoded goes to the console only (§8); other failures appear in a toast. */
  onFailure: (failure: Failure) => void
  /** Shows a toast, or the error panel if toasts cannot be loaded. */
  showToast: (toast: Toast) => void
  /** Reports a failure to the console and the embedding page, but not to the user (§8). */
  logFailure: (message: string, cause: unknown) => void
}
