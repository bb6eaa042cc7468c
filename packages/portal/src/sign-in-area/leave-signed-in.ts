import { type Config, createApi } from '@gatehouse/sign-in'
import { type AuthToken, pages } from '@gatehouse/wire'

/** The longest wait for the call that starts the session. After it, the token page starts the session. */
const sessionCallMs = 10_000

/** Starts the session and opens the token page. */
export const leaveSignedIn = (config: Config) => {
  const { loginWithToken } = createApi(config)
  return async (token: AuthToken, signal: AbortSignal) => {
    await loginWithToken(token, AbortSignal.any([signal, AbortSignal.timeout(sessionCallMs)]))
    if (!signal.aborted) window.location.assign(config.baseUrl + pages.token(token.authTokenSelector, token.authTokenToken))
  }
}
