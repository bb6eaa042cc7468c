import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'

/**
 * A dashboard that trusts its proxy, as Grafana's auth proxy does: X-WEBAUTH-USER names the signed-in user. It returns what it
 * received, and greets over WebSockets.
 */
export const startDashboard = async (port: number) => {
  let visits = 0
  const server = createServer((request, response) => {
    visits++
    let bytes = 0
    request.on('data', (chunk: Buffer) => (bytes += chunk.length))
    request.on('end', () => {
      const { headers, headersDistinct, url } = request
      // A dashboard may return its own error status.
      response.statusCode = Number(/^\/status\/(\d+)/.exec(url ?? '')?.[1] ?? 200)
      // Like a dashboard with its own sign-in page.
      if (url === '/private' && !headers['x-webauth-user']) {
        response.writeHead(302, { location: '/login' }).end()
        return
      }
      if (headers.accept?.includes('text/html')) {
        response.setHeader('content-type', 'text/html; charset=utf-8')
        // With an inline icon, because a separate request would count as a visit.
        response.end(`<!doctype html><title>Dashboard</title><link rel="icon" href="data:,"><h1>Hello ${headers['x-webauth-user']}</h1>`)
        return
      }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ url, bytes, headers, authorizations: headersDistinct.authorization ?? [] }))
    })
  })
  server.on('upgrade', (request, socket) => {
    visits++
    // RFC 6455 §1.3 and §5.2: accept the key, then send one text frame.
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    const hello = Buffer.from(`Hello ${request.headers['x-webauth-user']}`)
    socket.on('error', () => {})
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${request.headers.upgrade}\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept.digest('base64')}\r\n\r\n`,
    )
    socket.write(Buffer.concat([Buffer.from([0x81, hello.length]), hello]))
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { visits: () => visits, stop }
}
