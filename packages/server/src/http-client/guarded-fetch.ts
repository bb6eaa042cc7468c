import { lookup as lookUp } from 'node:dns'
import { type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { limits } from '../limits.ts'

/** Networks that are not the internet: this machine, private ones, link-local (and with it the metadata of clouds), and the like. */
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

/** Whether an address is not one of the internet. An IPv4 address in IPv6's clothes is looked at as what it is. */
export const isInside = (address: string): boolean => inside.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** The refusal to ask an address, or to read an answer, by our own rules; the code is for the log. */
class Unfetched extends Error {
  readonly code: 'ADDRESS_NOT_PUBLIC' | 'ANSWER_TOO_LARGE' | 'ANSWER_NOT_HTTP'

  constructor(code: Unfetched['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** Whether an address was not asked because it is inside. */
export const isRefusedAddress = (error: unknown): boolean => error instanceof Unfetched && error.code === 'ADDRESS_NOT_PUBLIC'

/** Looks a name up and refuses what lies inside: checked where the connection is made, so that no second answer can differ. */
const lookUpOutside: LookupFunction = (hostname, options, callback) => {
  lookUp(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '', 4)
    const refused = addresses.length === 0 || addresses.some(({ address }) => isInside(address))
    if (refused) return callback(new Unfetched('ADDRESS_NOT_PUBLIC', 'the address is not one of the internet'), '', 4)
    if (options.all) return callback(null, addresses)
    const [first] = addresses
    callback(null, first?.address ?? '', first?.family ?? 4)
  })
}

/**
 * Fetches what a provider publishes or answers: from the host that is asked and no other, for redirects are not followed;
 * within 5 s and 1 MiB; and not from inside, unless that is where the provider is meant to be.
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
      throw new Unfetched('ADDRESS_NOT_PUBLIC', 'the address is not one of the internet')
    const init: RequestOptions = {
      method: options.method ?? 'GET',
      headers: { ...options.headers, 'accept-encoding': 'identity' },
      signal: AbortSignal.any([AbortSignal.timeout(limits.provider.patience), ...(options.signal ? [options.signal] : [])]),
      ...(!allowInside && { lookup: lookUpOutside }),
      // A connection that is kept could be one that another rule allowed.
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
      // An answer that wants to speak something else is none, and would never end.
      sent.on('upgrade', (_, socket) => {
        socket.destroy()
        reject(new Unfetched('ANSWER_NOT_HTTP', 'the answer is no answer'))
      })
      if (options.body === undefined || options.body === null) sent.end()
      else sent.end(options.body instanceof URLSearchParams ? options.body.toString() : Buffer.from(options.body as Uint8Array | string))
    })
  }
