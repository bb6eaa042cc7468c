import type { Config } from '../config/config.ts'
import { isCovered } from '../config/protected-origins.ts'
import { isHere } from '../config/value-formats.ts'

/** What is wrong between a browser, its proxy and us, by the name that the page and the doctor give it. */
export type Trouble =
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

/** What we are set up for. */
export type SetUp = {
  /** Without a slash at its end. */
  publicUrl: string
  cookieDomain: string | undefined
  /** The origins that are listed. */
  protectedOrigins: readonly string[]
}

export const setUpOf = ({ publicUrl, cookieDomain, protectedOrigins }: Config): SetUp => ({
  publicUrl: publicUrl.origin + publicUrl.path,
  cookieDomain,
  protectedOrigins: protectedOrigins.map(one => one.origin),
})

/** A cause and what to change, in a sentence each. @param seen the origin or address that it is about, as far as it is known */
export const explain = (
  trouble: Trouble,
  { publicUrl, cookieDomain }: SetUp,
  seen: string | undefined,
): { cause: string; advice: string } => {
  const it = seen ?? 'The address'
  const there = seen ?? 'that address'
  const [host, ours] = [(seen && URL.parse(seen)?.hostname) || 'that host', new URL(publicUrl).hostname]
  switch (trouble) {
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
        cause: `${it} is not in GATEHOUSE_PROTECTED_ORIGINS, so no one can open it.`,
        advice: `Add it there, with who has access, and restart. If browsers open a different address, the proxy’s X-Forwarded-Proto or X-Forwarded-Host is wrong.`,
      }
  }
}

/**
 * Why an address that a proxy asked about is not in the list.
 * @param byBrowser whether the browser itself said that its connection is safe, which it says by https and at home alone
 */
export const troubleWithOrigin = (origin: string, setUp: SetUp, byBrowser: boolean): Trouble => {
  const { protocol, hostname } = new URL(origin)
  const sameHost = setUp.protectedOrigins.map(one => new URL(one)).filter(one => one.hostname === hostname)
  if (protocol === 'http:' && sameHost.some(one => one.protocol === 'https:'))
    return byBrowser ? 'forwarded-headers' : 'secure-cookie-on-http'
  // Where the proxy finds the dashboard, and not where browsers do.
  if (sameHost.length > 0 || isInside(hostname, setUp)) return 'forwarded-headers'
  return isCovered(hostname, setUp.publicUrl, setUp.cookieDomain) ? 'not-protected' : 'cookie-domain'
}

const isInside = (hostname: string, { publicUrl }: SetUp) => {
  const isLocal = (host: string) => isHere(host) || !host.includes('.') || /^[\d.]+$/.test(host)
  return isLocal(hostname) && !isLocal(new URL(publicUrl).hostname)
}

/** Pages of ours that people are led to, below the public URL. */
const ownPages =
  /^(?:$|(?:account|administration|auth\/page\/plow|confirm-email|new-factor|new-password|one-time-link|recovery-codes|second-factor|trouble)(?:\/|$))/

/** Whether an address is a page of ours, or below the path that is ours alone. */
export const isOurs = (target: string, publicUrl: string): boolean => {
  const [at, ours] = [new URL(target), new URL(`${publicUrl}/`)]
  if (at.origin !== ours.origin) return false
  if (`${at.pathname}/` === ours.pathname) return true
  return at.pathname.startsWith(ours.pathname) && (ours.pathname !== '/' || ownPages.test(at.pathname.slice(1)))
}

/** Whether a path is one that a check leads to, below whatever path the proxy has left of it. */
export const isLedTo = (path: string): boolean => /^[^?]*\/(?:trouble\?cause=|\?return=(?:[\w-]{22}|none)$)/.test(path)
