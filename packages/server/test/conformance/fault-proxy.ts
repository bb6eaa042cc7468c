import { createServer, type IncomingHttpHeaders, request as requestHttp } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { onTestFinished } from 'vitest'
import { nextAddress } from '../support/next-address.ts'

/** A response on its way to the client. A fault changes it in place. */
export type Passing = {
  /** Method and path of the request. */
  of: string
  sent: { headers: IncomingHttpHeaders; body: string }
  status: number
  headers: Record<string, string | string[]>
  body: string
}

/** What a proxy does to the server's responses, and to requests before the server gets them. */
export type Fault = {
  change?: (passing: Passing) => void | Promise<void>
  /** Replaces headers of requests and of WebSocket handshakes. */
  asks?: (headers: Record<string, string>, of: string) => void
  /** Replaces text in WebSocket messages with text of the same length. */
  frames?: (text: string) => string
}

/** A proxy in front of a server. Each request reaches the server from another address, so that its rate limits do not interfere. */
export const startFaultProxy = async (port: number, { change, asks, frames = text => text }: Fault = {}, before: () => void = () => {}) => {
  const headersFor = (headers: IncomingHttpHeaders, of: string) => {
    const own = { ...(headers as Record<string, string>), 'x-forwarded-for': nextAddress() }
    asks?.(own, of)
    return own
  }
  const proxy = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const sent = Buffer.concat(parts)
    const of = `${request.method} ${request.url}`
    before()
    const forwarded = requestHttp(
      { port, host: '127.0.0.1', method: request.method, path: request.url, headers: headersFor(request.headers, of) },
      async answer => {
        const received: Buffer[] = []
        for await (const part of answer) received.push(part)
        const { 'content-length': _, connection: __, 'transfer-encoding': ___, ...headers } = answer.headers
        const passing: Passing = {
          of,
          sent: { headers: request.headers, body: sent.toString() },
          status: answer.statusCode ?? 0,
          headers: headers as Passing['headers'],
          body: Buffer.concat(received).toString(),
        }
        await change?.(passing)
        response.writeHead(passing.status, passing.headers).end(passing.body)
      },
    )
    forwarded.on('error', () => response.destroy())
    forwarded.end(sent)
  })
  proxy.on('upgrade', (request, socket) => {
    const lines = Object.entries(headersFor(request.headers, `GET ${request.url}`)).map(([name, value]) => `${name}: ${value}\r\n`)
    const onward = connect(port, '127.0.0.1', () => {
      onward.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('')}\r\n`)
      onward.on('data', (data: Buffer) => socket.write(Buffer.from(frames(data.toString('latin1')), 'latin1')))
      onward.on('end', () => socket.end())
      socket.pipe(onward)
    })
    for (const one of [socket, onward]) one.on('error', () => [socket, onward].map(end => end.destroy()))
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}
