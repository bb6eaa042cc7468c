import { type Config, createApi } from '@gatehouse/sign-in'
import { type AuthToken, pages } from '@gatehouse/wire'

/** How long a slow call may hold up somebody who is signed in; the token page starts the session just as well. */
const sessionCallMs = 10_000

/** Starts the session and goes to the token page. */
export const leaveSignedIn = (config: Config) => {
  const { loginWithToken } = createApi(config)
  return async (token: AuthToken, signal: AbortSignal) => {
    await loginWithToken(token, AbortSignal.any([signal, AbortSignal.timeout(sessionCallMs)]))
    if (!signal.aborted) window.location.assign(config.baseUrl + pages.token(token.authTokenSelector, token.authTokenToken))
  }
}
