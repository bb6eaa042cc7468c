import { isIP } from 'node:net'

type SetUp = { publicUrl: { origin: string; https: boolean }; cookieDomain: string | undefined }

/** The cookie of our own pages, or the one that hosts of the cookie domain get, which is good for checks only. */
export type CheckedCookie = 'session' | 'check'

/**
 * The name of a cookie. Over https, `__Host-` binds it to our own host, so that no other host of the domain can plant one; a cookie of
 * several hosts can have `__Secure-` only (RFC 6265bis §4.1.3). Over plain http browsers refuse both prefixes.
 */
export const cookieName = (cookie: string, { publicUrl: { https } }: Pick<SetUp, 'publicUrl'>): string =>
  `${https ? (cookie === 'check' ? '__Secure-' : '__Host-') : ''}gatehouse-${cookie}`

/** Which cookie a check of an origin goes by. At our own host that is the session's, which no other host can plant. */
export const cookieOfChecks = (origin: string, { publicUrl, cookieDomain }: SetUp): CheckedCookie =>
  cookieDomain === undefined || new URL(origin).hostname === new URL(publicUrl.origin).hostname ? 'session' : 'check'

/** What earlier versions sent to every host of the cookie domain: the session itself. */
export const formerSessionName = ({ publicUrl: { https } }: Pick<SetUp, 'publicUrl'>): string =>
  `${https ? '__Secure-' : ''}gatehouse-session`

/** Every domain that covers a host and that a browser may take cookies for: the host, and what is above it down to two labels. */
export const domainsAbove = (host: string): string[] => {
  if (isIP(host.replace(/^\[|\]$/g, ''))) return []
  const labels = host.split('.')
  return labels.slice(0, -1).map((_, first) => labels.slice(first).join('.'))
}

/**
 * All values of a cookie in a request's header. Anything but an exact name is another cookie: a parser that trims or decodes names lets
 * other hosts pass theirs off as ours, past the prefix.
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
