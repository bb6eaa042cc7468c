import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ViteDevServer } from 'vite'
import { allowVite } from './content-security-policy.ts'
import { renderMarked } from './pages.ts'
import { pass, sendOn, upgradeOn } from './proxy.ts'

/** Addresses below the base that belong to Vite. The server has no page under any of them. */
const ofVite = /^(?:@vite\/|@react-refresh|@id\/|@fs\/|src\/|node_modules\/|__open-in-editor)/

type Parts = {
  vite: ViteDevServer
  /** Where the server listens on this machine. */
  port: number
  nonce: string
  /** Resolves to whether the server answers, once it has started or failed to. */
  ready: () => Promise<boolean>
}

/** Handles every request on the public address: modules come from Vite, everything else from the server. */
export const connectFront = (front: Server, { vite, port, nonce, ready }: Parts) => {
  const { base } = vite.config

  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    if (incoming.url?.startsWith(base) && ofVite.test(incoming.url.slice(base.length))) return vite.middlewares(incoming, response)
    if (!(await ready())) return sendFault(response, 503, 'The server does not start. The terminal shows why.')
    const answered = await sendOn(port, incoming)
    if (!answered.headers['content-type']?.startsWith('text/html')) return pass(answered, response)
    const html = await renderMarked(vite, await text(answered))
    const { etag: _, 'content-length': __, 'transfer-encoding': ___, ...headers } = answered.headers
    const policy = headers['content-security-policy']
    response.writeHead(answered.statusCode ?? 502, { ...headers, ...(policy && { 'content-security-policy': allowVite(policy, nonce) }) })
    response.end(html)
  }

  /**
   * Sends an error page with Vite's client, so that the browser reloads the page after the next
   * change.
   */
  const sendFault = (response: ServerResponse, status: number, message: string) => {
    if (response.headersSent) return void response.destroy()
    const escaped = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
    response.end(`<!doctype html><script type="module" src="${base}@vite/client"></script><pre>${escaped}</pre>`)
  }

  front.on('request', (incoming, response) => {
    answer(incoming, response).catch(error => {
      if (error instanceof Error) vite.ssrFixStacktrace(error)
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
      vite.config.logger.error(message)
      sendFault(response, 502, message)
    })
  })
  front.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (incoming.headers['sec-websocket-protocol']?.startsWith('vite-')) return
    socket.on('error', () => {})
    void ready().then(isUp => (isUp ? upgradeOn(port, incoming, socket, head) : socket.destroy()))
  })
}
