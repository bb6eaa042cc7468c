import { useEffect, useRef } from 'react'
import type { PhoneAccount } from './phone-accounts.ts'
import { watchRequests } from './watch-requests.ts'

type Watched = Parameters<typeof watchRequests>

type PendingUpdatesProps = Watched[3] & { account: PhoneAccount; api: Watched[1]; device: Watched[2] }

/** Watches the requests of one account. Renders nothing. */
export const PendingUpdates = ({ account, api, device, ...listener }: PendingUpdatesProps) => {
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(
    () =>
      watchRequests(account, api, device, {
        onEvent: event => latest.current.onEvent(event),
        onPending: pending => latest.current.onPending(pending),
        onConnection: isConnected => latest.current.onConnection(isConnected),
      }),
    [account, api, device],
  )
  return null
}
