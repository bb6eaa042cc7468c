import { useInterval } from '@gatehouse/ui/hooks/timers.ts'
import type { PushStatus } from '@gatehouse/wire'
import { useEffect, useRef, useState } from 'react'
import type { PushApi } from '../../calls/push-api.ts'

/** Polls even while the socket is open, because a dead connection can look open. */
const pollEverySeconds = { closed: 2, open: 10 }

/**
 * Follows the challenge that this browser sent, over the socket and by polling.
 * @param onUpdate receives `undefined` if the server no longer knows the challenge
 * @returns `poll`, which asks the server immediately
 */
export const useChallengeUpdates = (push: PushApi, isWaiting: boolean, onUpdate: (status: PushStatus | undefined) => void) => {
  const [isOpen, setIsOpen] = useState(false)
  const callback = useRef(onUpdate)
  useEffect(() => {
    callback.current = onUpdate
  })

  useEffect(() => {
    if (!isWaiting) return
    const close = push.watchStatus(status => callback.current(status), setIsOpen)
    return () => {
      close()
      setIsOpen(false)
    }
  }, [push, isWaiting])

  const requestStatus = async () => {
    const reply = await push.pushStatus()
    if (reply.ok) callback.current(reply.value)
    else if (reply.failure.status === 410) callback.current(undefined)
  }
  const poll = () => void requestStatus()
  useInterval(poll, isWaiting ? pollEverySeconds[isOpen ? 'open' : 'closed'] : null)
  return { poll }
}
