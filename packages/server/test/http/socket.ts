import { decode, SocketMessage, socketsPath } from '@gatehouse/wire'
import { onTestFinished } from 'vitest'

type Message<Tag extends SocketMessage['tag']> = Extract<SocketMessage, { tag: Tag }>

/** A browser's end of live updates, with the messages received. */
export const openSocket = (url: string, headers: Record<string, string> = {}) => {
  const socket = new WebSocket(url.replace(/^http/, 'ws') + socketsPath, { headers })
  const heard: SocketMessage[] = []
  const waiting = new Set<() => void>()
  const closed = new Promise<number>(resolve => {
    socket.addEventListener('close', ({ code }) => resolve(code))
  })
  socket.addEventListener('message', ({ data }) => {
    const decoded = decode(SocketMessage, JSON.parse(String(data)))
    if (!decoded.ok) throw new Error(decoded.error)
    heard.push(decoded.value)
    for (const look of waiting) look()
  })
  onTestFinished(() => socket.close())
  /** The next unread message of a kind; waits for it. */
  const next = async <Tag extends SocketMessage['tag']>(tag: Tag): Promise<Message<Tag>> => {
    for (;;) {
      const at = heard.findIndex(message => message.tag === tag)
      if (at >= 0) return heard.splice(at, 1)[0] as Message<Tag>
      await new Promise<void>((resolve, reject) => {
        const look = () => {
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        closed.then(code => reject(new Error(`closed with ${code} before ${tag}`)))
      })
    }
  }
  return {
    socket,
    heard,
    next,
    closed,
    send: (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
  }
}
