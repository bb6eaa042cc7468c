import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'

/**
 * Tells the server the visitor's address. A request from this machine arrives as if there were no proxy: only such a request may see the
 * development mailbox.
 */
const forwarded = ({ headers, socket }: IncomingMessage): IncomingMessage['headers'] => {
  const address = socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''
  if (/^(127\.|::1$)/.test(address)) return headers
  return { ...headers, 'x-forwarded-for': [headers['x-forwarded-for'] ?? [], address].flat().join(', ') }
}

/** Sends a request on to the server on this machine, and resolves to its response. */
export const sendOn = (port: number, incoming: IncomingMessage) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    // A page must arrive uncompressed and complete, so that it can be rendered. On one machine, compression and caching gain nothing.
    const { 'accept-encoding': _, 'if-none-match': __, ...headers } = forwarded(incoming)
    const outgoing = request({ host: '127.0.0.1', port, method: incoming.method, path: incoming.url, headers }, resolve)
    outgoing.on('error', reject)
    incoming.pipe(outgoing)
  })

/** Passes a response on unchanged. */
export const pass = (from: IncomingMessage, to: ServerResponse) => {
  to.writeHead(from.statusCode ?? 502, from.headers)
  from.pipe(to)
}

/** Connects a WebSocket to the server. */
export const upgradeOn = (port: number, incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
  const server = connect(port, '127.0.0.1', () => {
    const headers = Object.entries(forwarded(incoming)).flatMap(([name, value]) => [value].flat().map(one => `${name}: ${one}\r\n`))
    server.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${headers.join('')}\r\n`)
    server.write(head)
    server.pipe(socket).pipe(server)
  })
  for (const [one, other] of [
    [server, socket],
    [socket, server],
  ] as const) {
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
}
