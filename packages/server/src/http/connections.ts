import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '../limits.ts'

/**
 * How long a client may keep a connection open while it sends, reads or closes slowly, and how often the server checks that (`look`). In
 * milliseconds.
 */
export type ConnectionLimits = { arrival: number; reading: number; linger: number; look: number }

/** Fastify's options for every listener of the server. */
export const arrivalOptions = ({ arrival, look }: ConnectionLimits = limits.connections) => ({
  // Measured from the first byte of a request, or from the start of the connection for the first request, to the end of the body.
  requestTimeout: arrival,
  // Node's own values, 60 s for the head and a check every 30 s, would add up to 90 s.
  http: { headersTimeout: arrival, connectionsCheckingInterval: look },
})

/**
 * Closes connections whose client does not read the whole response in time. Node has no timeout for a client that reads a byte now and
 * then. Covers WebSockets too.
 */
export const closeUnreadConnections = (server: Server, { reading, look }: ConnectionLimits = limits.connections) => {
  const waitingSince = new Map<Socket, number | undefined>()
  server.on('connection', (socket: Socket) => {
    waitingSince.set(socket, undefined)
    socket.once('close', () => waitingSince.delete(socket))
  })
  const checkAll = () => {
    const now = performance.now()
    for (const [socket, since] of waitingSince) {
      if (socket.writableLength === 0) waitingSince.set(socket, undefined)
      else if (since === undefined) waitingSince.set(socket, now)
      else if (now - since >= reading) socket.destroy()
    }
  }
  const timer = setInterval(checkAll, look).unref()
  server.once('close', () => clearInterval(timer))
}

const refused = new WeakSet<Socket>()

/** Answers a request that Node cannot read (too large a head, too slow, or not HTTP), and releases the connection soon after. */
export const refuseConnection = (
  error: Error & { code?: string },
  socket: Socket,
  headers: Record<string, string>,
  { linger }: ConnectionLimits = limits.connections,
) => {
  // Destroying a connection with unread bytes resets it, and the client may never see the response (RFC 9112 §9.6). So read and drop what
  // arrives until the client closes, or until the time is over.
  if (refused.has(socket)) return
  if (!socket.writable) return void socket.destroy()
  refused.add(socket)
  const [status, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'headers: are too large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'request: took too long to arrive']
        : ['400 Bad Request', 'request: cannot be read']
  const body = JSON.stringify({ error: message })
  const all = { ...headers, 'content-type': 'application/json; charset=utf-8', 'content-length': body.length, connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  // A client that never closes its end would otherwise keep the file descriptor open.
  setTimeout(() => socket.destroy(), linger).unref()
}
