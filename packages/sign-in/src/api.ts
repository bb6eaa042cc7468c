import { type AuthToken, type LoginRequest, routes } from '@gatehouse/wire'
import type { Config } from './config.ts'
import { createRequest } from './request.ts'

export type { Failure, Reply } from './request.ts'

/**
 * The product's calls as one object (§7). Every call resolves to a {@link Reply} and never rejects; the optional signal
 * calls it off.
 */
export const createApi = ({ baseUrl }: Pick<Config, 'baseUrl'>) => {
  const { postJson, postJsonVoid } = createRequest(baseUrl)
  return {
    /** Signs in with username and password, as far as those two go. */
    getAuthTokenWithError: (login: LoginRequest, signal?: AbortSignal) =>
      postJson(routes.getAuthTokenWithError.path, login, routes.getAuthTokenWithError.response, signal),

    /** Starts the session of a hand-over code. */
    plowlogin: (token: AuthToken, signal?: AbortSignal) => postJsonVoid(routes.plowlogin.path, token, signal),

    /** Ends the session of this browser. */
    logoutBySelf: (signal?: AbortSignal) => postJson(routes.logoutBySelf.path, {}, routes.logoutBySelf.response, signal),
  }
}

/** The calls that the pages make; a test hands in its own. */
export type Api = ReturnType<typeof createApi>
