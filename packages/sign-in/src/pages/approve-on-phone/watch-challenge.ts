import type { PushStatus } from '@gatehouse/wire'
import type { PushApi } from '../../calls/push-api.ts'

/** Polls even while the socket is open, because a dead connection can look open. */
const pollMs = { closed: 2000, open: 10_000 }

/**
 * Follows the challenge that this browser sent, over the socket and by polling.
 * @param onUpdate receives `undefined` if the server no longer knows the challenge
 * @returns `poll`, which asks the server immediately, and `stop`
 */
export const watchChallenge = (push: Pick<PushApi, 'watchStatus' | 'pushStatus'>, onUpdate: (status: PushStatus | undefined) => void) => {
  const gone = new AbortController()
  let timer: ReturnType<typeof setInterval>

  const poll = async () => {
    const reply = await push.pushStatus(gone.signal)
    if (gone.signal.aborted) return
    if (reply.ok) onUpdate(reply.value)
    else if (reply.failure.status === 410) onUpdate(undefined)
  }
  const pollEvery = (ms: number) => {
    clearInterval(timer)
    timer = setInterval(() => void poll(), ms)
  }
  pollEvery(pollMs.closed)
  const close = push.watchStatus(onUpdate, isOpen => pollEvery(pollMs[isOpen ? 'open' : 'closed']))

  return {
    poll: () => void poll(),
    stop: () => {
      gone.abort()
      clearInterval(timer)
      close()
    },
  }
}
