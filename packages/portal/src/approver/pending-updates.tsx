import { useInterval } from '@gatehouse/ui/hooks/timers.ts'
import { approverRoutes, type PushPending, socketsPath } from '@gatehouse/wire'
import { useEffect, useRef, useState } from 'react'
import type { ApproverApi } from './approver-api.ts'
import type { ApproverEvent } from './approver-state.ts'
import { prove, withProof } from './device-proof.ts'
import type { PhoneAccount } from './phone-accounts.ts'
import type { PhoneDevice } from './phone-device.ts'

type PendingUpdatesProps = {
  account: PhoneAccount
  api: Pick<ApproverApi, 'nonce' | 'pending' | 'listen'>
  device: Pick<PhoneDevice, 'onPush'>
  onEvent: (event: ApproverEvent) => void
  onPending: (pending: PushPending) => void
  onConnection: (isConnected: boolean) => void
}

/** How often to ask the server, in seconds. With an open socket too, because a dead connection may not be noticed. */
const pollEvery = { closed: 3, open: 20 }

/** Watches the requests of one account: over the socket, by polling without one, and at once when the user returns to the page. Renders nothing. */
export const PendingUpdates = ({ account, api, device, ...listeners }: PendingUpdatesProps) => {
  const [isOpen, setIsOpen] = useState(false)
  const tell = useRef(listeners)
  useEffect(() => {
    tell.current = listeners
  })

  const isPolling = useRef(false)
  const poll = async () => {
    if (isPolling.current || document.visibilityState !== 'visible') return
    isPolling.current = true
    const reply = await withProof(api, account, { call: approverRoutes.pending.path }, proof => api.pending(proof))
    isPolling.current = false
    const { onEvent, onPending, onConnection } = tell.current
    onConnection(reply.ok || reply.failure.is !== 'unreachable')
    if (reply.ok) {
      onPending(reply.value)
      onEvent({ type: 'checked', request: reply.value.pending ?? undefined, now: Date.now() })
    } else if (reply.failure.status === 410) onEvent({ type: 'removed' })
  }
  useInterval(() => void poll(), pollEvery[isOpen ? 'open' : 'closed'])

  const now = useRef(poll)
  useEffect(() => {
    now.current = poll
  })
  useEffect(() => {
    const soon = () => void now.current()
    soon()
    window.addEventListener('online', soon)
    document.addEventListener('visibilitychange', soon)
    const unhook = device.onPush(soon)
    return () => {
      window.removeEventListener('online', soon)
      document.removeEventListener('visibilitychange', soon)
      unhook()
    }
  }, [device])

  useEffect(
    () =>
      api.listen({
        told: (message, reply) => {
          const { onEvent, onConnection } = tell.current
          switch (message.tag) {
            case 'Nonce':
              return void prove(account, message.contents, { call: socketsPath }).then(contents => reply({ tag: 'Device', contents }))
            case 'Pending':
              onConnection(true)
              return onEvent({ type: 'checked', request: message.contents ?? undefined, now: Date.now() })
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
