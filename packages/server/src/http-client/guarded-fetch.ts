import { lookup as lookUp } from 'node:dns'
import { type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { limits } from '../limits.ts'

/** Networks outside the public internet: this machine, private networks, link-local (which includes cloud metadata), and others. */
const inside = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  inside.addSubnet(network, prefix, 'ipv4')
}
for (const [network, prefix] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  inside.addSubnet(network, prefix, 'ipv6')
}

/** Whether an address is outside the public internet. Treats IPv4-mapped IPv6 addresses as IPv4. */
export const isInside = (address: string): boolean => inside.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Thrown when this module refuses a request or its response. The log shows the code. */
class Unfetched extends Error {
  readonly code: 'ADDRESS_NOT_PUBLIC' | 'ANSWER_TOO_LARGE' | 'ANSWER_NOT_HTTP'

  constructor(code: Unfetched['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** Whether a request was refused because its address is not public. */
export const isRefusedAddress = (error: unknown): boolean => error instanceof Unfetched && error.code === 'ADDRESS_NOT_PUBLIC'

/**
 * Resolves a name and refuses private addresses. The connection uses the checked address. Attack (DNS rebinding): the first DNS answer
 * passes a check, and the connection uses a second one.
 */
const lookUpOutside: LookupFunction = (hostname, options, callback) => {
  lookUp(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '', 4)
    const refused = addresses.length === 0 || addresses.some(({ address }) => isInside(address))
    if (refused) return callback(new Unfetched('ADDRESS_NOT_PUBLIC', 'the address is not a public internet address'), '', 4)
    if (options.all) return callback(null, addresses)
    const [first] = addresses
    callback(null, first?.address ?? '', first?.family ?? 4)
  })
}

/**
 * Fetches from a provider, a push service, or the operator's ntfy or Gotify server. Follows no redirects. Limits: 5 s, 1 MiB, and public
 * addresses only, unless `allowInside` is set.
 */
export const createProviderFetch =
  ({ allowInside }: { allowInside: boolean }) =>
  async (
    address: string,
    options: { method?: string; headers?: Record<string, string>; body?: unknown; signal?: AbortSignal } = {},
  ): Promise<Response> => {
    const url = new URL(address)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (!allowInside && isIP(host) !== 0 && isInside(host))
      throw new Unfetched('ADDRESS_NOT_PUBLIC', 'the address is not a public internet address')
    const init: RequestOptions = {
      method: options.method ?? 'GET',
      headers: { ...options.headers, 'accept-encoding': 'identity' },
      signal: AbortSignal.any([AbortSignal.timeout(limits.provider.patience), ...(options.signal ? [options.signal] : [])]),
      ...(!allowInside && { lookup: lookUpOutside }),
      // Open a new connection for each request. A kept-alive one may have been opened while private addresses were allowed.
      agent: false,
    }
    return new Promise((resolve, reject) => {
      const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, init, answer => {
        const parts: Buffer[] = []
        let size = 0
        answer.on('data', (part: Buffer) => {
          size += part.length
          if (size > limits.provider.bytes) answer.destroy(new Unfetched('ANSWER_TOO_LARGE', 'the answer is too large'))
          else parts.push(part)
        })
        answer.on('error', reject)
        answer.on('end', () => {
          const status = answer.statusCode ?? 0
          const headers = new Headers()
          for (const [name, value] of Object.entries(answer.headers)) if (value !== undefined) headers.set(name, String(value))
          const bodiless = status === 204 || status === 205 || status === 304
          resolve(new Response(bodiless ? null : Buffer.concat(parts), { status: status >= 200 && status <= 599 ? status : 502, headers }))
        })
      })
      sent.on('error', reject)
      // If the provider switches the protocol, no response follows, and the promise would stay pending.
      sent.on('upgrade', (_, socket) => {
        socket.destroy()
        reject(new Unfetched('ANSWER_NOT_HTTP', 'the server switched the protocol and sent no answer'))
      })
      if (options.body === undefined || options.body === null) sent.end()
      else sent.end(options.body instanceof URLSearchParams ? options.body.toString() : Buffer.from(options.body as Uint8Array | string))
    })
  }
