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

/** Asks an address over a connection of its own, and follows nothing. */
export const ask = (url: string, headers: Record<string, string> = { accept: 'application/json' }): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { get } = url.startsWith('https:') ? https : http
    const request = get(url, { agent: false, headers, signal: AbortSignal.timeout(seconds(5)) }, response => {
      const { socket } = response
      const local = { address: socket.localAddress ?? '', port: socket.localPort ?? 0 }
      const certificateEnds = socket instanceof TLSSocket ? socket.getPeerCertificate().valid_to : undefined
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        // A dashboard may say more than anybody asked for.
        if (body.length <= 65_536) body += chunk
      })
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body, certificateEnds, local }))
    })
    request.on('error', error => reject(error.name === 'AbortError' ? new Error('no answer within 5 s') : error))
  })
