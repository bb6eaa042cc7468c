import { retriable } from '@gatehouse/ui/loading/retriable.ts'
import { type AuthToken, type Onward, type PasskeyAfterSignIn, pages } from '@gatehouse/wire'
import { type Api, createApi, type Reply } from './calls/api.ts'
import type { PasskeyApi } from './calls/passkey-api.ts'
import type { Config } from './config.ts'
import type { Emit, Method } from './events.ts'
import { logError } from './log.ts'
import { tellSessionChange } from './session/session-change.ts'

// Loads together with the code of the calls, because the browser leaves the page only after a reply.

/** The longest wait for the call that starts the session. After it, the token page starts the session. */
const sessionCallMs = 10_000

/** The longest wait for the password manager. It includes loading the code. */
const tidyMs = 1000

const loadTidying = retriable(() => import('./passkeys/after-sign-in.ts'))

export type LeaveDeps = {
  config: Pick<Config, 'baseUrl'>
  navigate: (address: string) => void
  /** For tests. Default: the calls of the server. */
  api: (Partial<Pick<Api, 'handOver'>> & { passkeys?: Pick<PasskeyApi, 'passkeyUpgrade'> }) | undefined
  /** The call that starts the session. */
  startSession: (token: AuthToken, signal: AbortSignal) => Promise<Reply<void>>
  onSignedIn: ((next: Onward) => unknown) | undefined
  emit: Emit
  /** The method of the last step. */
  method: Method | undefined
}

/** Starts the session, tells the password manager about the user's passkeys, and opens the next page unless the host keeps this one. */
export const leave = async (deps: LeaveDeps, token: AuthToken, signal: AbortSignal, passkeys: PasskeyAfterSignIn | undefined) => {
  const { config, navigate, api, onSignedIn, emit, method } = deps
  const next = await start(deps, token, AbortSignal.any([signal, AbortSignal.timeout(sessionCallMs)]))
  if (passkeys) {
    const tidied = loadTidying().then(module => module.tidyPasskeys(passkeys, config, signal, api?.passkeys))
    await Promise.race([tidied.catch(() => {}), new Promise(resolve => setTimeout(resolve, tidyMs))])
  }
  if (signal.aborted) return
  emit({ type: 'signed-in', method })
  const stays = next && onSignedIn && (await ask(onSignedIn, next))
  if (stays || signal.aborted) {
    // Tell this page's session watchers last: the host may unmount the widget when a session begins, and an unmounted widget
    // does not open the next page.
    tellSessionChange('began', config)
    return
  }
  navigate(next?.address ?? config.baseUrl + pages.token(token.authTokenSelector, token.authTokenToken))
}

/** Starts the session. Returns where the browser goes next, if the host wants to know and the server answers. */
const start = async ({ config, api, startSession, onSignedIn }: LeaveDeps, token: AuthToken, signal: AbortSignal) => {
  if (onSignedIn) {
    const handOver = api?.handOver ?? createApi(config).handOver
    const reply = await handOver(token, signal)
    if (reply.ok) return reply.value
  }
  // If this call fails, the token page starts the session.
  await startSession(token, signal)
  return undefined
}

const ask = async (onSignedIn: (next: Onward) => unknown, next: Onward) => {
  try {
    return (await onSignedIn(next)) === 'stay'
  } catch (error) {
    logError('options.onSignedIn threw', error)
    return false
  }
}
