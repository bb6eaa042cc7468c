import { isIP } from 'node:net'

type SetUp = { publicUrl: { origin: string; https: boolean }; cookieDomain: string | undefined }

/** The session cookie of this server's pages, or the check cookie that all hosts of the cookie domain get. */
export type CheckedCookie = 'session' | 'check'

/**
 * The name of a cookie. Over https, `__Host-` binds it to our own host, so that no other host of the domain can set it. A cookie of
 * several hosts can only have `__Secure-` (RFC 6265bis §4.1.3). Over plain http, browsers refuse both prefixes.
 */
export const cookieName = (cookie: string, { publicUrl: { https } }: Pick<SetUp, 'publicUrl'>): string =>
  `${https ? (cookie === 'check' ? '__Secure-' : '__Host-') : ''}gatehouse-${cookie}`

/**
 * The cookie that decides a check of an origin. Without a cookie domain, and on our own host, that is the session cookie. Over https, no
 * other host can set it.
 */
export const cookieOfChecks = (origin: string, { publicUrl, cookieDomain }: SetUp): CheckedCookie =>
  cookieDomain === undefined || new URL(origin).hostname === new URL(publicUrl.origin).hostname ? 'session' : 'check'

/** Earlier versions sent the session cookie to every host of the cookie domain, under this name. */
export const formerSessionName = ({ publicUrl: { https } }: Pick<SetUp, 'publicUrl'>): string =>
  `${https ? '__Secure-' : ''}gatehouse-session`

/** The domains whose cookies a browser may send to a host: the host itself, and its parents down to two labels. */
export const domainsAbove = (host: string): string[] => {
  if (isIP(host.replace(/^\[|\]$/g, ''))) return []
  const labels = host.split('.')
  return labels.slice(0, -1).map((_, first) => labels.slice(first).join('.'))
}

/**
 * Returns all values of a cookie in a request's header. Matches names exactly. Attack: another host sets a name that a parser trims or
 * decodes to ours, but that browsers do not protect as a `__Host-` name.
 */
export const cookieValues = (header: string | undefined, name: string): string[] => {
  const values: string[] = []
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at >= 0 && pair.slice(0, at).replace(/^[ \t]+|[ \t]+$/g, '') === name)
      values.push(pair.slice(at + 1).replace(/^[ \t]+|[ \t]+$/g, ''))
  }
  return values
}
