import { decode, type Shape } from '@gatehouse/wire'

/** Delays before each new attempt to connect; the last one repeats. */
const delaysMs = [500, 1000, 2000, 5000, 10_000]

/** “Try again later”, from the IANA registry of RFC 6455 §11.7: the server has too many sockets, in total or from this network. */
const tryAgainLater = 1013
const overloadedMs = 60_000

type Listener<Message> = {
  /** Called for each message that matches the shape. Other messages are ignored. */
  onMessage: (message: Message) => void
  /** Called when the connection opens or is lost, but not when an attempt to connect fails. While it is not open, the caller must poll. */
  onStateChange?: (isOpen: boolean) => void
}

type Socket = { send: (message: unknown) => void; close: () => void }

/**
 * Keeps a WebSocket open for live updates from the server. Reconnects after a delay, or immediately when the browser is online again
 * or the user returns to the page.
 * @param socketUrl from {@link createConfig}
 * @param connect for tests only
 */
export const openSocket = <Message>(
  socketUrl: string,
  shape: Shape<Message>,
  { onMessage, onStateChange }: Listener<Message>,
  connect: (address: string) => WebSocket = address => new WebSocket(address),
): Socket => {
  let socket: WebSocket | undefined
  let attempts = 0
  let isOpen = false
  let again: ReturnType<typeof setTimeout> | undefined
  let closed = false

  const open = () => {
    again = undefined
    const opened = connect(socketUrl)
    socket = opened
    opened.onopen = () => {
      attempts = 0
      isOpen = true
      onStateChange?.(true)
    }
    opened.onmessage = ({ data }) => {
      const message = readMessage(data, shape)
      if (message && !closed) onMessage(message.value)
    }
    opened.onclose = ({ code }) => {
      if (closed || socket !== opened) return
      socket = undefined
      if (isOpen) onStateChange?.(false)
      isOpen = false
      again = setTimeout(open, code === tryAgainLater ? overloadedMs : delaysMs[Math.min(attempts++, delaysMs.length - 1)])
    }
  }

  const retryNow = () => {
    if (again === undefined || document.visibilityState !== 'visible') return
    clearTimeout(again)
    open()
  }

  open()
  window.addEventListener('online', retryNow)
  document.addEventListener('visibilitychange', retryNow)

  return {
    send: message => {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
    },
    close: () => {
      closed = true
      clearTimeout(again)
      window.removeEventListener('online', retryNow)
      document.removeEventListener('visibilitychange', retryNow)
      socket?.close()
    },
  }
}

const readMessage = <Message>(data: unknown, shape: Shape<Message>): { value: Message } | undefined => {
  if (typeof data !== 'string') return undefined
  try {
    const read = decode(shape, JSON.parse(data))
    return read.ok ? { value: read.value } : undefined
  } catch {
    return undefined
  }
}
