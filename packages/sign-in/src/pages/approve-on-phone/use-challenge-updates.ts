import type { PushStatus } from '@gatehouse/wire'
import { useEffect, useRef } from 'react'
import type { PushApi } from '../../calls/push-api.ts'
import { watchChallenge } from './watch-challenge.ts'

/**
 * Follows the challenge that this browser sent, while the page waits for it.
 * @param onUpdate receives `undefined` if the server no longer knows the challenge
 * @returns `poll`, which asks the server immediately
 */
export const useChallengeUpdates = (push: PushApi, isWaiting: boolean, onUpdate: (status: PushStatus | undefined) => void) => {
  const callback = useRef(onUpdate)
  useEffect(() => {
    callback.current = onUpdate
  })
  const watch = useRef<ReturnType<typeof watchChallenge>>(undefined)
  useEffect(() => {
    if (!isWaiting) return
    const watching = watchChallenge(push, status => callback.current(status))
    watch.current = watching
    return watching.stop
  }, [push, isWaiting])
  return { poll: () => watch.current?.poll() }
}
