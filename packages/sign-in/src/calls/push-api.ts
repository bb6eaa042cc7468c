import { type OTPRequest, type PushStatus, pushRoutes, SocketMessage } from '@gatehouse/wire'
import type { Config } from '../config.ts'
import { createCalls } from './api.ts'
import { openSocket } from './socket.ts'

/**
 * The calls of a sign-in that the user approves on a phone. Separate from {@link createApi}, because they load with the page that
 * makes them. Like all calls, they never reject.
 */
export const createPushApi = (config: Pick<Config, 'baseUrl' | 'socketUrl'>) => {
  const { post, postWithRetry } = createCalls(config)
  return {
    /** Sends a challenge to the phone. */
    pushChallenge: (otp: OTPRequest, signal?: AbortSignal) =>
      postWithRetry(pushRoutes.pushChallenge.path, otp, pushRoutes.pushChallenge.response, signal),

    /** The status of the challenge that this browser sent. */
    pushStatus: (signal?: AbortSignal) => post(pushRoutes.pushStatus.path, {}, pushRoutes.pushStatus.response, signal),

    /** Calls `onStatus` for each change of the challenge, until the returned function is called. */
    watchStatus: (onStatus: (status: PushStatus) => void, onStateChange: (isOpen: boolean) => void): (() => void) =>
      openSocket(config.socketUrl, SocketMessage, {
        onMessage: message => {
          if (message.tag === 'Challenge') onStatus(message.contents)
        },
        onStateChange,
      }).close,
  }
}

/** The calls of {@link createPushApi}. Tests pass their own. */
export type PushApi = ReturnType<typeof createPushApi>
