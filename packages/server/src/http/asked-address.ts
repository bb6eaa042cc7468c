import type { IncomingHttpHeaders } from 'node:http'
import { limits } from '../limits.ts'

/** What a browser asked a proxy for, as the proxy tells it. */
export type Asked = { origin: string; target: string }

/** The headers that tell it. Both checks read the same ones: Traefik and Caddy set them, nginx is told to. */
const [proto, host, uri] = ['x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-uri'] as const

/** Reads them; what is missing, there twice or no part of an address makes the whole unreadable. */
export const readAsked = (headers: IncomingHttpHeaders): Asked | { unreadable: string } => {
  // Traefik says ws and wss of a WebSocket.
  const [, secure] = /^(?:http|ws)(s?)$/.exec(one(headers, proto)) ?? []
  if (secure === undefined) return { unreadable: `${proto}: must be http or https` }
  const name = /^(?:[\w-]+(?:\.[\w-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.exec(one(headers, host))?.[0]
  const origin = name && URL.parse(`http${secure}://${name}`)?.origin
  if (!origin) return { unreadable: `${host}: must be the host that the browser asked for, with its port` }
  const path = one(headers, uri)
  if (!path.startsWith('/')) return { unreadable: `${uri}: must be the path and the query that the browser asked for` }
  // Traefik says so when it has taken a prefix away before it asks.
  const prefix = /^(?:\/[\w.~-]+)+$/.exec(one(headers, 'x-forwarded-prefix'))?.[0] ?? ''
  return { origin, target: origin + (path.startsWith(`${prefix}/`) ? path : prefix + path) }
}

/** The path that was asked for, where the rest may not be readable. */
export const readAskedPath = (headers: IncomingHttpHeaders): string => one(headers, uri)

const one = (headers: IncomingHttpHeaders, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

/** Whether it can be gone back to as it is: browsers write addresses in printable ASCII, and few are longer. */
export const isKeepable = (target: string): boolean => /^[!-~]+$/.test(target) && target.length <= limits.returnAddress.bytes

/**
 * Whether a person is to see what comes of a request, in a window of its own: then it may lead to sign-in. A script, an
 * image, a frame or a WebSocket could do nothing with a page.
 */
export const isNavigation = (headers: IncomingHttpHeaders): boolean => {
  const method = one(headers, 'x-forwarded-method') || 'GET'
  if ((method !== 'GET' && method !== 'HEAD') || headers.upgrade !== undefined) return false
  const [mode, dest] = [headers['sec-fetch-mode'], headers['sec-fetch-dest']]
  if (mode !== undefined || dest !== undefined) return mode === 'navigate' && dest === 'document'
  // Browsers send Sec-Fetch-* by https and to this machine only.
  return headers.accept?.includes('text/html') === true && headers['x-requested-with'] === undefined
}
