import { useInterval } from '@gatehouse/ui/hooks/timers.ts'
import type { PushStatus } from '@gatehouse/wire'
import { useEffect, useRef, useState } from 'react'
import type { PushApi } from '../../calls/push-api.ts'

/** While news come by themselves, too: a line can be dead and not know it. */
const askEverySeconds = { closed: 2, open: 10 }

/**
 * What becomes of the challenge that this browser opened: told over the socket, asked for where that cannot be.
 * @param onNews `undefined` once the server knows of none
 * @returns `hurry`: asks at once
 */
export const useNews = (push: PushApi, isWaiting: boolean, onNews: (status: PushStatus | undefined) => void) => {
  const [isOpen, setIsOpen] = useState(false)
  const callback = useRef(onNews)
  useEffect(() => {
    callback.current = onNews
  })

  useEffect(() => {
    if (!isWaiting) return
    const hangUp = push.hear(status => callback.current(status), setIsOpen)
    return () => {
      hangUp()
      setIsOpen(false)
    }
  }, [push, isWaiting])

  const ask = async () => {
    const reply = await push.pushStatus()
    if (reply.ok) callback.current(reply.value)
    else if (reply.failure.status === 410) callback.current(undefined)
  }
  const hurry = () => void ask()
  useInterval(hurry, isWaiting ? askEverySeconds[isOpen ? 'open' : 'closed'] : null)
  return { hurry }
}
