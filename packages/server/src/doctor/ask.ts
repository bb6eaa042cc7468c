import { randomBytes } from 'node:crypto'
import http, { type IncomingHttpHeaders } from 'node:http'
import https from 'node:https'
import { TLSSocket } from 'node:tls'
import { seconds } from '../limits.ts'

export type Answer = {
  status: number
  headers: IncomingHttpHeaders
  body: string
  certificateEnds: string | undefined
  local: { address: string; port: number }
}

/** Requests an address on a new connection, and asks for English. Does not follow redirects. */
export const ask = (url: string, headers: Record<string, string> = { accept: 'application/json' }): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { get } = url.startsWith('https:') ? https : http
    const options = { agent: false, headers: { 'accept-language': 'en', ...headers }, signal: AbortSignal.timeout(seconds(5)) }
    const request = get(url, options, response => {
      const { socket } = response
      const local = { address: socket.localAddress ?? '', port: socket.localPort ?? 0 }
      const certificateEnds = socket instanceof TLSSocket ? socket.getPeerCertificate().valid_to : undefined
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        // A dashboard's page may be large; its beginning is enough.
        if (body.length <= 65_536) body += chunk
      })
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body, certificateEnds, local }))
    })
    request.on('error', error => reject(withTimeoutText(error)))
  })

/**
 * Opens a WebSocket (RFC 6455 §4.1) and closes it at once.
 * @returns the status of the response; 101 on success
 */
export const askForWebSocket = (url: string, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const { get } = url.startsWith('https:') ? https : http
    const handshake = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
    }
    const request = get(url, { agent: false, headers: { ...headers, ...handshake }, signal: AbortSignal.timeout(seconds(5)) })
    request.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy()
      resolve(statusCode ?? 0)
    })
    request.on('response', response => {
      response.destroy()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', error => reject(withTimeoutText(error)))
  })

const withTimeoutText = (error: Error) => (error.name === 'AbortError' ? new Error('no answer within 5 s') : error)
