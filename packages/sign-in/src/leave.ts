import { retriable } from '@gatehouse/ui/loading/retriable.ts'
import { type AuthToken, type PasskeyAfterSignIn, pages } from '@gatehouse/wire'
import type { PasskeyApi } from './calls/passkey-api.ts'
import type { Config } from './config.ts'

// Loads with the calls: a page leaves after a reply.

/** The longest wait for the call that starts the session. After it, the token page starts the session. */
const sessionCallMs = 10_000

/** The longest wait for the password manager. It includes loading the code. */
const tidyMs = 1000

const loadTidying = retriable(() => import('./passkeys/after-sign-in.ts'))

export type LeaveDeps = {
  config: Pick<Config, 'baseUrl'>
  navigate: (address: string) => void
  /** For tests. Default: the calls of the server. */
  passkeyCalls: Pick<PasskeyApi, 'passkeyUpgrade'> | undefined
  /** The call that starts the session. */
  startSession: (token: AuthToken, signal: AbortSignal) => Promise<unknown>
}

/** Starts the session, tells the password manager about the user's passkeys and opens the token page. */
export const leave = async (deps: LeaveDeps, token: AuthToken, signal: AbortSignal, passkeys: PasskeyAfterSignIn | undefined) => {
  const { config, navigate, passkeyCalls, startSession } = deps
  await startSession(token, AbortSignal.any([signal, AbortSignal.timeout(sessionCallMs)]))
  if (passkeys) {
    const tidied = loadTidying().then(module => module.tidyPasskeys(passkeys, config, signal, passkeyCalls))
    await Promise.race([tidied.catch(() => {}), new Promise(resolve => setTimeout(resolve, tidyMs))])
  }
  if (!signal.aborted) navigate(config.baseUrl + pages.token(token.authTokenSelector, token.authTokenToken))
}
