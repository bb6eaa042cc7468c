import type { SignInPage } from '@gatehouse/wire/page-props'
import type { Reply } from './calls/api.ts'

/** A way to sign in, or another request of the user. */
export type Method =
  | 'password'
  | 'passkey'
  | 'security-code'
  | 'phone-approval'
  | 'recovery-code'
  | 'emailed-code'
  | 'set-up'
  | 'skip'
  | 'factor-reset'
  | 'reset-email'
  | 'one-time-link'

/**
 * Why an attempt failed. `failed-login`, `forced-reset` and `factor-error`: the server's outcome. `no-passkey`: the browser gave none,
 * or the user closed its dialog. `unreachable`, `refused` and `malformed`: no reply, an error status, or a reply that cannot be decoded.
 */
type FailureCause = 'failed-login' | 'forced-reset' | 'factor-error' | 'no-passkey' | 'unreachable' | 'refused' | 'malformed'

/** What happens in the widget. Events contain no address, password, code or token. */
export type SignInEvent =
  /** A page appeared. */
  | { type: 'page-shown'; page: SignInPage['at'] }
  /** The user sent something. */
  | { type: 'attempt'; method: Method }
  /** The server replied. `tag` is the tag of the outcome (§7), for example `AuthRequires2FA`. */
  | { type: 'outcome'; method: Method; tag: string }
  /** The server or the page asks the user to wait before the next attempt. */
  | { type: 'wait'; method: Method; seconds: number }
  /** The attempt failed. `status` is the HTTP status of an error. */
  | { type: 'failed'; method: Method; why: FailureCause; status?: number }
  /** The user has signed in. `method` is that of the last step. */
  | { type: 'signed-in'; method: Method | undefined }

/** Receives events. */
export type Emit = (event: SignInEvent) => void

const causes: { [tag: string]: FailureCause } = {
  AuthFailureFailedLogin: 'failed-login',
  AuthFailureForcedReset: 'forced-reset',
  AuthFailureFactorError: 'factor-error',
  // The tag of a failed request for one-time links.
  Error: 'refused',
}

/** Emits the events for a reply. */
export const emitReply = (emit: Emit, method: Method, reply: Reply<{ tag: string }>) => {
  if (reply.ok) {
    const { tag } = reply.value
    emit({ type: 'outcome', method, tag })
    const why = causes[tag]
    return why && emit({ type: 'failed', method, why })
  }
  const { is, status, retryAfter } = reply.failure
  if (is === 'aborted') return
  emit({ type: 'failed', method, why: is, ...(status !== undefined && { status }) })
  if (retryAfter !== undefined) emit({ type: 'wait', method, seconds: retryAfter })
}
