import { approverRoutes, type PendingChallenge, type PushPending, socketsPath } from '@gatehouse/wire'
import type { ApproverApi } from './approver-api.ts'
import type { ApproverEvent } from './approver-state.ts'
import { prove, withProof } from './device-proof.ts'
import type { PhoneAccount } from './phone-accounts.ts'
import type { PhoneDevice } from './phone-device.ts'

/** Polls even while the socket is open, because a dead connection can look open. */
const pollMs = { closed: 3000, open: 20_000 }

type RequestListener = {
  onEvent: (event: ApproverEvent) => void
  onPending: (pending: PushPending) => void
  onConnection: (isConnected: boolean) => void
}

/**
 * Watches the requests of one account: over the socket, by polling, and at once when the user returns to the page, the phone comes back
 * online or a push message arrives. Replies and messages can arrive out of order, so a reply is ignored if a message arrived after its
 * call began.
 * @returns a function that stops watching
 */
export const watchRequests = (
  account: PhoneAccount,
  api: Pick<ApproverApi, 'nonce' | 'pending' | 'listen'>,
  device: Pick<PhoneDevice, 'onPush'>,
  { onEvent, onPending, onConnection }: RequestListener,
) => {
  let stopped = false
  let timer: ReturnType<typeof setInterval>
  let known: PendingChallenge | undefined
  /** How many messages about requests have arrived. */
  let heard = 0
  let isPolling = false
  let pollAgain = false

  const tell = (request: PendingChallenge | undefined) => {
    known = request
    onEvent({ type: 'checked', request, now: Date.now() })
  }

  const poll = async () => {
    if (isPolling || stopped || document.visibilityState !== 'visible') return
    isPolling = true
    const before = heard
    const reply = await withProof(api, account, { call: approverRoutes.pending.path }, proof => api.pending(proof))
    isPolling = false
    if (stopped) return
    onConnection(reply.ok || reply.failure.is !== 'unreachable')
    if (reply.ok) {
      onPending(reply.value)
      if (heard === before) tell(reply.value.pending ?? undefined)
    } else if (reply.failure.status === 410) onEvent({ type: 'removed' })
    if (pollAgain) void poll()
    pollAgain = false
  }
  /**
   * Polls now. If a poll is already running, its reply may be out of date, so another poll follows.
   */
  const pollNow = () => {
    if (isPolling) pollAgain = true
    else void poll()
  }
  const pollEvery = (ms: number) => {
    clearInterval(timer)
    timer = setInterval(() => void poll(), ms)
  }

  /** Whether this connection has sent no message about requests yet. */
  let isFirst = true
  const close = api.listen({
    told: (message, reply) => {
      switch (message.tag) {
        case 'Nonce':
          return void prove(account, message.contents, { call: socketsPath }).then(contents => reply({ tag: 'Device', contents }))
        case 'Pending': {
          onConnection(true)
          const request = message.contents ?? undefined
          // The server may have prepared a connection's first message before it opened a request
          // that a poll lists.
          const isUnsure = isFirst && !request && (known !== undefined || isPolling)
          isFirst = false
          if (isUnsure) return pollNow()
          heard++
          return tell(request)
        }
        case 'Revoked':
          return onEvent({ type: 'removed' })
        case 'Challenge':
        case 'SessionEnded':
          return
      }
    },
    changed: isOpen => {
      isFirst = true
      pollEvery(pollMs[isOpen ? 'open' : 'closed'])
    },
  })
  pollEvery(pollMs.closed)
  pollNow()

  window.addEventListener('online', pollNow)
  document.addEventListener('visibilitychange', pollNow)
  const unhook = device.onPush(pollNow)
  return () => {
    stopped = true
    clearInterval(timer)
    close()
    window.removeEventListener('online', pollNow)
    document.removeEventListener('visibilitychange', pollNow)
    unhook()
  }
}
