import { routes } from '@gatehouse/wire'
import { createCalls } from '../calls/api.ts'
import { createConfig, type ServerAddress } from '../config.ts'
import { tellSessionChange } from './session-change.ts'
import { watcherOf } from './session-watcher.ts'

/** Whether the user of this browser is signed in. `unknown`: the server cannot be reached, or refuses the call. */
export type SessionState = 'signed-in' | 'signed-out' | 'unknown'

/**
 * Asks the server whether the user is signed in (`POST /session/check`). Does not extend the session.
 * @param server default: the address of the page
 */
export const getSession = async (server?: ServerAddress, signal?: AbortSignal): Promise<SessionState> => {
  const reply = await createCalls(createConfig(server)).post(routes.sessionCheck.path, {}, routes.sessionCheck.response, signal)
  if (!reply.ok) return 'unknown'
  return reply.value.signedIn ? 'signed-in' : 'signed-out'
}

/**
 * Ends the session of this browser (`POST /user/logout/by/self`). Every watching page learns of it.
 * @returns whether the server has ended it; `false` if it cannot be reached or refuses the call
 */
export const signOut = async (server?: ServerAddress, signal?: AbortSignal): Promise<boolean> => {
  const config = createConfig(server)
  const reply = await createCalls(config).post(routes.logoutBySelf.path, {}, routes.logoutBySelf.response, signal)
  if (reply.ok) tellSessionChange('ended', config)
  return reply.ok
}

/**
 * Calls `onChange` with the state of the session: first when it is known, then whenever it changes, wherever the session begins or ends.
 * Does not call it when the server cannot be reached. All watchers of a page share one WebSocket, and poll where they cannot open it.
 * @param options.onUnknown called once if the first check fails or has no answer within 10 seconds: the server cannot be reached, or
 * refuses the call. `onChange` reports the state as soon as the server answers
 * @returns a function that stops watching
 */
export const watchSession = (
  onChange: (state: Exclude<SessionState, 'unknown'>) => void,
  server?: ServerAddress,
  { onUnknown }: { onUnknown?: (() => void) | undefined } = {},
): (() => void) => watcherOf(createConfig(server)).watch({ onChange, onUnknown })
