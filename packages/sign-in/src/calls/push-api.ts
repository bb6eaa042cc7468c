import { type OTPRequest, type PushStatus, pushRoutes, SocketMessage } from '@gatehouse/wire'
import type { Config } from '../config.ts'
import { createCalls } from './api.ts'
import { openLine } from './socket.ts'

/**
 * The calls of a sign-in that is approved on a phone. Apart from {@link createApi}, for they come with the page that makes them. They
 * resolve as those do.
 */
export const createPushApi = (config: Pick<Config, 'baseUrl' | 'socketUrl'>) => {
  const { ask, askPatiently } = createCalls(config)
  return {
    /** Puts the question to the phone. */
    pushChallenge: (otp: OTPRequest, signal?: AbortSignal) =>
      askPatiently(pushRoutes.pushChallenge.path, otp, pushRoutes.pushChallenge.response, signal),

    /** What became of the question that this browser put. */
    pushStatus: (signal?: AbortSignal) => ask(pushRoutes.pushStatus.path, {}, pushRoutes.pushStatus.response, signal),

    /** Hears what becomes of it, until it is told to stop. */
    hear: (told: (status: PushStatus) => void, changed: (isOpen: boolean) => void): (() => void) =>
      openLine(config.socketUrl, SocketMessage, {
        told: news => {
          if (news.tag === 'Challenge') told(news.contents)
        },
        changed,
      }).close,
  }
}

/** Those calls; a test hands in its own. */
export type PushApi = ReturnType<typeof createPushApi>
