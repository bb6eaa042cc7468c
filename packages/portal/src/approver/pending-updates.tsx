import { useInterval } from '@gatehouse/ui/hooks/timers.ts'
import { approverRoutes, type PushPending, socketsPath } from '@gatehouse/wire'
import { useEffect, useRef, useState } from 'react'
import type { ApproverApi } from './approver-api.ts'
import type { DeskEvent } from './approver-state.ts'
import { prove, withProof } from './device-proof.ts'
import type { PhoneAccount } from './phone-accounts.ts'
import type { PhoneDevice } from './phone-device.ts'

type WatchProps = {
  account: PhoneAccount
  api: Pick<ApproverApi, 'nonce' | 'pending' | 'hear'>
  device: Pick<PhoneDevice, 'onWoken'>
  onEvent: (event: DeskEvent) => void
  onTold: (told: PushPending) => void
  onReached: (isReached: boolean) => void
}

/** A line may be dead and not know it, so it is asked now and then all the same. */
const lookEverySeconds = { closed: 3, open: 20 }

/** Keeps an eye on one account: over the socket, by asking where that cannot be, and at once when somebody comes back to the page. Draws nothing. */
export const Watch = ({ account, api, device, ...heard }: WatchProps) => {
  const [isOpen, setIsOpen] = useState(false)
  const tell = useRef(heard)
  useEffect(() => {
    tell.current = heard
  })

  const isLooking = useRef(false)
  const look = async () => {
    if (isLooking.current || document.visibilityState !== 'visible') return
    isLooking.current = true
    const reply = await withProof(api, account, { call: approverRoutes.pending.path }, proof => api.pending(proof))
    isLooking.current = false
    const { onEvent, onTold, onReached } = tell.current
    onReached(reply.ok || reply.failure.is !== 'unreachable')
    if (reply.ok) {
      onTold(reply.value)
      onEvent({ type: 'found', question: reply.value.pending ?? undefined, now: Date.now() })
    } else if (reply.failure.status === 410) onEvent({ type: 'removed' })
  }
  useInterval(() => void look(), lookEverySeconds[isOpen ? 'open' : 'closed'])

  const now = useRef(look)
  useEffect(() => {
    now.current = look
  })
  useEffect(() => {
    const soon = () => void now.current()
    soon()
    window.addEventListener('online', soon)
    document.addEventListener('visibilitychange', soon)
    const unhook = device.onWoken(soon)
    return () => {
      window.removeEventListener('online', soon)
      document.removeEventListener('visibilitychange', soon)
      unhook()
    }
  }, [device])

  useEffect(
    () =>
      api.hear({
        told: (message, reply) => {
          const { onEvent, onReached } = tell.current
          switch (message.tag) {
            case 'Nonce':
              return void prove(account, message.contents, { call: socketsPath }).then(contents => reply({ tag: 'Device', contents }))
            case 'Pending':
              onReached(true)
              return onEvent({ type: 'found', question: message.contents ?? undefined, now: Date.now() })
            case 'Revoked':
              return onEvent({ type: 'removed' })
            case 'Challenge':
            case 'SessionEnded':
              return
          }
        },
        changed: setIsOpen,
      }),
    [account, api],
  )

  return null
}
