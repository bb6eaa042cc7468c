import { pagePaths } from '@gatehouse/wire/page-props'
import type { Config } from '../config/config.ts'
import { isCovered } from '../config/protected-origins.ts'
import { isHere } from '../config/value-formats.ts'
import { nothingKept } from '../forward-auth/forward-auth.ts'
import { isSelector } from '../keys/secrets.ts'

/** Misconfigurations between browser, proxy and server, by the names that the page and the doctor use. */
export type Misconfiguration =
  | 'secure-cookie-on-http'
  | 'cookie-domain'
  | 'cookie-not-stored'
  | 'cookie-not-passed-on'
  | 'cookie-twice'
  | 'session-unknown'
  | 'forwarded-headers'
  | 'prefix-stripped'
  | 'sign-in-guarded'
  | 'not-protected'

/** Misconfigurations that a check finds before the sign-in. The check redirects the browser to the page that explains them. */
const ofChecks = [
  'secure-cookie-on-http',
  'cookie-domain',
  'cookie-twice',
  'forwarded-headers',
  'not-protected',
] as const satisfies Misconfiguration[]

export const isOfCheck = (name: unknown): name is (typeof ofChecks)[number] => ofChecks.some(one => one === name)

/** The settings by which a misconfiguration is recognized. */
export type SetUp = {
  /** Without a slash at its end. */
  publicUrl: string
  cookieDomain: string | undefined
}

export const setUpOf = ({ publicUrl, cookieDomain }: Config): SetUp => ({
  publicUrl: publicUrl.origin + publicUrl.path,
  cookieDomain,
})

/** The cause, and what to change. @param seen the origin or address in question, if known */
export const explain = (
  name: Misconfiguration,
  { publicUrl, cookieDomain }: SetUp,
  seen: string | undefined,
): { cause: string; advice: string } => {
  const it = seen ?? 'The address'
  const there = seen ?? 'that address'
  const [host, ours] = [(seen && URL.parse(seen)?.hostname) || 'that host', new URL(publicUrl).hostname]
  switch (name) {
    case 'secure-cookie-on-http':
      return {
        cause: `${it} was opened over http, but ${publicUrl} uses https. Browsers send its Secure cookies over https only.`,
        advice:
          'Open it over https, and configure the proxy to redirect http to https. If it already uses https, configure the proxy to send X-Forwarded-Proto: https.',
      }
    case 'cookie-domain':
      return {
        cause: `The session cookie is for ${cookieDomain ?? ours}, so browsers do not store it or do not send it to ${host}.`,
        advice: `Set GATEHOUSE_COOKIE_DOMAIN to a domain that covers both ${ours} and ${host}. It cannot be a public suffix such as co.uk.`,
      }
    case 'cookie-not-stored':
      return {
        cause: 'The sign-in succeeded, but the browser did not store the session cookie.',
        advice:
          'Allow cookies for this address, open it at the public URL only, and configure the proxy to pass every Set-Cookie header through unchanged.',
      }
    case 'cookie-not-passed-on':
      return {
        cause: `You are signed in, but the check for ${there} arrived without the cookie.`,
        advice: 'Configure the proxy to forward the browser’s Cookie header to /auth/request or /auth/forward.',
      }
    case 'cookie-twice':
      return {
        cause: `The browser sends two Gatehouse cookies with the same name to ${there}. Another host of the domain set one of them, or GATEHOUSE_COOKIE_DOMAIN was changed.`,
        advice: `Try again. If this page comes back, delete the cookies of ${cookieDomain ?? ours} in the browser, and find out which host of the domain sets cookies whose names contain gatehouse-.`,
      }
    case 'session-unknown':
      return {
        cause: `You are signed in, but the check for ${there} does not recognize the session.`,
        advice:
          'Configure the proxy to ask the same Gatehouse that you sign in to, or one with the same database. Then sign out and sign in again.',
      }
    case 'forwarded-headers':
      return {
        cause: seen
          ? `The proxy reports that the browser requested ${seen}, which cannot be right.`
          : 'The proxy does not report in a readable form which address the browser requested.',
        advice:
          'Configure the proxy to set X-Forwarded-Proto, X-Forwarded-Host (with the port) and X-Forwarded-Uri of the check to exactly what the browser requested.',
      }
    case 'prefix-stripped':
      return {
        cause: `The proxy strips part of the path before the check. What remains is ${there}.`,
        advice:
          'Configure the proxy to run the check first, with the whole path in X-Forwarded-Uri. If Gatehouse’s own path is missing, add it to GATEHOUSE_PUBLIC_URL.',
      }
    case 'sign-in-guarded':
      return {
        cause: `The sign-in page ${publicUrl}/ is itself behind the check, so users can’t open it to sign in.`,
        advice: `Configure the proxy to send ${publicUrl}/ and everything below it to Gatehouse without a check. If Gatehouse is below a path there, add the path to GATEHOUSE_PUBLIC_URL.`,
      }
    case 'not-protected':
      return {
        cause: `No rule names ${seen ?? 'the address'}, so no one can open it.`,
        advice: `Add it to GATEHOUSE_PROTECTED_ORIGINS or to the rules file, with who has access. If browsers open a different address, the proxy’s X-Forwarded-Proto or X-Forwarded-Host is wrong.`,
      }
  }
}

/**
 * Why no rule names an origin that a proxy asked about.
 * @param origins those that rules name
 * @param byBrowser whether the browser sent Sec-Fetch-Mode, which it does over https and on localhost only
 */
export const misconfigurationOf = (origin: string, setUp: SetUp, origins: readonly string[], byBrowser: boolean): Misconfiguration => {
  const { protocol, hostname } = new URL(origin)
  const sameHost = origins.map(one => new URL(one)).filter(one => one.hostname === hostname)
  if (protocol === 'http:' && sameHost.some(one => one.protocol === 'https:'))
    return byBrowser ? 'forwarded-headers' : 'secure-cookie-on-http'
  // The proxy reports its own address of the dashboard instead of the one that browsers use.
  if (sameHost.length > 0 || isInside(hostname, setUp)) return 'forwarded-headers'
  return isCovered(hostname, setUp.publicUrl, setUp.cookieDomain) ? 'not-protected' : 'cookie-domain'
}

const isInside = (hostname: string, { publicUrl }: SetUp) => {
  const isLocal = (host: string) => isHere(host) || !host.includes('.') || /^[\d.]+$/.test(host)
  return isLocal(hostname) && !isLocal(new URL(publicUrl).hostname)
}

const [path] = pagePaths.misconfiguration

/** The page's address, with the cause and the origin that the check saw. */
export const misconfigurationUrl = (publicUrl: string, name: Misconfiguration, seen: string | undefined): string =>
  `${publicUrl}${path}?${new URLSearchParams({ cause: name, ...(seen !== undefined && { seen }) })}`

/** Whether an address is that of this page, on this server or another one. */
export const isMisconfigurationUrl = ({ pathname }: URL): boolean => pathname.endsWith(path)

/**
 * Paths of our pages that a sign-in or a check leads to, and the one below which hand-over codes and single sign-on start. On a shared
 * origin the other two may belong to a dashboard: users open them by their address, if they exist at all.
 */
const ownPaths = [
  '/auth/page/plow',
  ...Object.entries(pagePaths).flatMap(([page, paths]) => (page === 'approve' || page === 'mailbox' ? [] : paths)),
].filter(own => own !== '/')

/** Whether an address is a page of this server, or below the path of the public URL. */
export const isOurs = (target: string, publicUrl: string): boolean => {
  const [at, ours] = [new URL(target), new URL(`${publicUrl}/`)]
  if (at.origin !== ours.origin) return false
  if (`${at.pathname}/` === ours.pathname) return true
  if (!at.pathname.startsWith(ours.pathname)) return false
  return ours.pathname !== '/' || at.pathname === '/' || ownPaths.some(own => `${at.pathname}/`.startsWith(`${own}/`))
}

/** Whether a check may redirect to this path. The proxy may have stripped its beginning. */
export const isLedTo = (asked: string): boolean => {
  const at = asked.replace(/\?.*$/s, '')
  const query = asked.slice(at.length + 1)
  if (at.endsWith(path)) return query.startsWith('cause=')
  const [, returnId] = /^return=(.*)$/.exec(query) ?? []
  return at.endsWith('/') && (returnId === nothingKept || isSelector(returnId))
}
