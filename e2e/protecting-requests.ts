import { type IncomingMessage, type RequestOptions, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { LookupFunction } from 'node:net'
import { connect } from 'node:tls'

/** Resolves every host name to this machine. */
export const lookup: LookupFunction = (_, options, callback) => {
  if (options.all) callback(null, [{ address: '127.0.0.1', family: 4 }])
  else callback(null, '127.0.0.1', 4)
}

export type Answer = { status: number; headers: IncomingMessage['headers']; text: string }

/** Sends a request with exactly these headers. Does not follow redirects. */
export const send = (url: string, { method = 'GET', headers = {}, body = '' }: Ask = {}) =>
  new Promise<Answer>((resolve, reject) => {
    const options: RequestOptions = { method, headers, lookup, agent: false, timeout: 10_000 }
    const request = url.startsWith('https:') ? requestSecure(url, { ...options, rejectUnauthorized: false }) : requestPlain(url, options)
    request.on('response', response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', chunk => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
      response.on('error', reject)
    })
    request.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text: '' })
    })
    request.on('timeout', () => request.destroy(new Error(`${url} takes too long`)))
    request.on('error', reject)
    request.end(body)
  })
type Ask = { method?: string; headers?: Record<string, string>; body?: string }

/** The headers of a browser's navigation, as opposed to a script's request. */
export const navigation = { accept: 'text/html,*/*;q=0.8', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
export const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

/** Sends these header lines unchanged, which no HTTP library would. Returns everything received. */
export const sendHead = (address: string, lines: string[]) =>
  new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(address)
    const socket = connect({
      host: '127.0.0.1',
      port: Number(port),
      servername: hostname,
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
    })
    let text = ''
    socket.setEncoding('utf8').setTimeout(2000, () => socket.destroy())
    socket.on('data', chunk => (text += chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
    socket.write([...lines, '', ''].join('\r\n'))
  })
