import { decode, type Shape } from '@gatehouse/wire'

/** Longer and longer between two tries to connect, with the last one from then on. */
const waitsMs = [500, 1000, 2000, 5000, 10_000]

type Listener<News> = {
  /** A frame that makes sense; all others are passed over. */
  told: (news: News) => void
  /** Whether news come by themselves. While they do not, whoever waits has to ask. */
  changed?: (isOpen: boolean) => void
}

/** A line to the server that is kept open. */
type Line = { send: (frame: unknown) => void; close: () => void }

/**
 * Keeps a line open to the server's live updates: tries again after each break, at once when the network or the person comes back.
 * @param socketUrl of {@link createConfig}
 * @param connect Only tests hand one in.
 */
export const openLine = <News>(
  socketUrl: string,
  shape: Shape<News>,
  { told, changed }: Listener<News>,
  connect: (address: string) => WebSocket = address => new WebSocket(address),
): Line => {
  let socket: WebSocket | undefined
  let tries = 0
  let again: ReturnType<typeof setTimeout> | undefined
  let closed = false

  const open = () => {
    again = undefined
    const opened = connect(socketUrl)
    socket = opened
    opened.onopen = () => {
      tries = 0
      changed?.(true)
    }
    opened.onmessage = ({ data }) => {
      const news = readFrame(data, shape)
      if (news && !closed) told(news.value)
    }
    opened.onclose = () => {
      if (closed || socket !== opened) return
      socket = undefined
      changed?.(false)
      again = setTimeout(open, waitsMs[Math.min(tries++, waitsMs.length - 1)])
    }
  }

  const hurry = () => {
    if (again === undefined || document.visibilityState !== 'visible') return
    clearTimeout(again)
    open()
  }

  open()
  window.addEventListener('online', hurry)
  document.addEventListener('visibilitychange', hurry)

  return {
    send: frame => {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame))
    },
    close: () => {
      closed = true
      clearTimeout(again)
      window.removeEventListener('online', hurry)
      document.removeEventListener('visibilitychange', hurry)
      socket?.close()
    },
  }
}

const readFrame = <News>(data: unknown, shape: Shape<News>): { value: News } | undefined => {
  if (typeof data !== 'string') return undefined
  try {
    const read = decode(shape, JSON.parse(data))
    return read.ok ? { value: read.value } : undefined
  } catch {
    return undefined
  }
}
