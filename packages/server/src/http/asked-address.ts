import type { IncomingHttpHeaders } from 'node:http'
import { limits } from '../limits.ts'

/**
 * The address that a browser requested from a proxy, as the proxy reports it. `target` is the
 * browser's address. `uri` is the path and query that the proxy asks about; rules match `uri`.
 */
export type Asked = { origin: string; target: string; uri: string }

/** The headers that report the requested address. Traefik and Caddy set them; an nginx configuration must set them. */
const [proto, host, uri] = ['x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-uri'] as const

/**
 * Reads the headers. If one is missing or malformed, the result says so in `unreadable`.
 * @param isOrigin returns whether a text equals a rule's origin in normalized form. It saves parsing the URL on every check.
 */
export const readAsked = (headers: IncomingHttpHeaders, isOrigin: (text: string) => boolean): Asked | { unreadable: string } => {
  // Traefik reports ws and wss for WebSockets.
  const [, secure] = /^(?:http|ws)(s?)$/.exec(one(headers, proto)) ?? []
  if (secure === undefined) return { unreadable: `${proto}: must be http or https` }
  const name = /^(?:[\w-]+(?:\.[\w-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.exec(one(headers, host))?.[0]
  const written = name && `http${secure}://${name}`
  const origin = written && (isOrigin(written) ? written : URL.parse(written)?.origin)
  if (!origin) return { unreadable: `${host}: must be the host that the browser asked for, with its port` }
  const path = one(headers, uri)
  if (!path.startsWith('/')) return { unreadable: `${uri}: must be the path and the query that the browser asked for` }
  // Traefik sets this header when it strips a prefix before the check. Use it only for the return address, never for rules. Attack: if the
  // proxy passes on a client's own header, the client moves its request below the path of a looser rule.
  const given = one(headers, 'x-forwarded-prefix')
  const prefix = given && /^(?:\/[\w.~-]+)+$/.test(given) ? given : ''
  return { origin, target: origin + (path.startsWith(`${prefix}/`) ? path : prefix + path), uri: path }
}

/** Returns the requested path, even if the other headers are unreadable. */
export const readAskedPath = (headers: IncomingHttpHeaders): string => one(headers, uri)

const one = (headers: IncomingHttpHeaders, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

/** Whether the server can store an address and redirect to it unchanged: it is printable ASCII, as browsers send it, and not too long. */
export const isKeepable = (target: string): boolean => /^[!-~]+$/.test(target) && target.length <= limits.returnAddress.bytes

/** Whether a browser sent the request by submitting a form. */
export const isFormPost = (headers: IncomingHttpHeaders): boolean =>
  one(headers, 'x-forwarded-method') === 'POST' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'

/**
 * Whether a request is a top-level GET or HEAD navigation. The server redirects only these to sign-in. Scripts, images, frames and
 * WebSockets get an error status instead.
 */
export const isNavigation = (headers: IncomingHttpHeaders): boolean => {
  const method = one(headers, 'x-forwarded-method') || 'GET'
  if ((method !== 'GET' && method !== 'HEAD') || headers.upgrade !== undefined) return false
  const [mode, dest] = [headers['sec-fetch-mode'], headers['sec-fetch-dest']]
  if (mode !== undefined || dest !== undefined) return mode === 'navigate' && dest === 'document'
  // Browsers send Sec-Fetch-* only over https and to localhost.
  return headers.accept?.includes('text/html') === true && headers['x-requested-with'] === undefined
}
