import { pagePaths } from '@gatehouse/wire/page-props'
import type { Config } from '../config/config.ts'
import { isCovered } from '../config/protected-origins.ts'
import { isHere } from '../config/value-formats.ts'
import { nothingKept } from '../forward-auth/forward-auth.ts'
import { isSelector } from '../keys/secrets.ts'
import { misconfiguration } from '../texts/en-misconfigurations.ts'
import type { MisconfigurationTexts } from '../texts/page-texts.ts'

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

/** Misconfigurations that a forward-auth check finds before the user signs in. The check redirects the browser to the page that explains them. */
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
  { causes }: Pick<MisconfigurationTexts, 'causes'> = misconfiguration,
): { cause: string; advice: string } => {
  const ours = new URL(publicUrl).hostname
  switch (name) {
    case 'secure-cookie-on-http': {
      const { cause, causeUnseen, advice } = causes[name]
      return { cause: seen === undefined ? causeUnseen(publicUrl) : cause(seen, publicUrl), advice }
    }
    case 'cookie-domain': {
      const { cause, causeUnseen, advice, adviceUnseen } = causes[name]
      const [domain, host] = [cookieDomain ?? ours, seen && URL.parse(seen)?.hostname]
      return host ? { cause: cause(domain, host), advice: advice(ours, host) } : { cause: causeUnseen(domain), advice: adviceUnseen(ours) }
    }
    case 'cookie-not-stored':
      return causes[name]
    case 'cookie-twice': {
      const { cause, causeUnseen, advice } = causes[name]
      return { cause: seen === undefined ? causeUnseen : cause(seen), advice: advice(cookieDomain ?? ours) }
    }
    case 'sign-in-guarded': {
      const { cause, advice } = causes[name]
      return { cause: cause(publicUrl), advice: advice(publicUrl) }
    }
    case 'cookie-not-passed-on':
    case 'session-unknown':
    case 'forwarded-headers':
    case 'prefix-stripped':
    case 'not-protected': {
      const { cause, causeUnseen, advice } = causes[name]
      return { cause: seen === undefined ? causeUnseen : cause(seen), advice }
    }
  }
}

/**
 * Returns why no rule names an origin that a proxy asked about.
 * @param origins the origins that rules name
 * @param byBrowser whether the browser sent Sec-Fetch-Mode, which browsers send over https and on localhost only
 */
export const misconfigurationOf = (origin: string, setUp: SetUp, origins: readonly string[], byBrowser: boolean): Misconfiguration => {
  const { protocol, hostname } = new URL(origin)
  const sameHost = origins.map(one => new URL(one)).filter(one => one.hostname === hostname)
  if (protocol === 'http:' && sameHost.some(one => one.protocol === 'https:'))
    return byBrowser ? 'forwarded-headers' : 'secure-cookie-on-http'
  // The proxy reports the address at which it reaches the dashboard, not the one that browsers use.
  if (sameHost.length > 0 || isInside(hostname, setUp)) return 'forwarded-headers'
  return isCovered(hostname, setUp.publicUrl, setUp.cookieDomain) ? 'not-protected' : 'cookie-domain'
}

const isInside = (hostname: string, { publicUrl }: SetUp) => {
  const isLocal = (host: string) => isHere(host) || !host.includes('.') || /^[\d.]+$/.test(host)
  return isLocal(hostname) && !isLocal(new URL(publicUrl).hostname)
}

const [path] = pagePaths.misconfiguration

/** The address of the page that explains a misconfiguration, with the cause and the origin that the check saw. */
export const misconfigurationUrl = (publicUrl: string, name: Misconfiguration, seen: string | undefined): string =>
  `${publicUrl}${path}?${new URLSearchParams({ cause: name, ...(seen !== undefined && { seen }) })}`

/** Whether an address is that of the page about misconfigurations, on this server or another Gatehouse. */
export const isMisconfigurationUrl = ({ pathname }: URL): boolean => pathname.endsWith(path)

/**
 * Paths of the built pages, and the path below which the token page is and single sign-on starts. The approver and the mailbox are left
 * out: nothing redirects there, and on a shared origin their paths may belong to a dashboard.
 */
const ownPaths = [
  '/auth/page/plow',
  ...Object.entries(pagePaths).flatMap(([page, paths]) => (page === 'approve' || page === 'mailbox' ? [] : paths)),
].filter(own => own !== '/')

/**
 * Whether an address belongs to this server. If the public URL has a path, that is every address at or below it. Otherwise it is the start
 * page, and every address at or below `ownPaths`.
 */
export const isOurs = (target: string, publicUrl: string): boolean => {
  const [at, ours] = [new URL(target), new URL(`${publicUrl}/`)]
  if (at.origin !== ours.origin) return false
  if (`${at.pathname}/` === ours.pathname) return true
  if (!at.pathname.startsWith(ours.pathname)) return false
  return ours.pathname !== '/' || at.pathname === '/' || ownPaths.some(own => `${at.pathname}/`.startsWith(`${own}/`))
}

/** Whether this may be the path and query of a page to which a check redirects. The proxy may have stripped the beginning of the path. */
export const isLedTo = (asked: string): boolean => {
  const at = asked.replace(/\?.*$/s, '')
  const query = asked.slice(at.length + 1)
  if (at.endsWith(path)) return query.startsWith('cause=')
  const [, returnId] = /^return=(.*)$/.exec(query) ?? []
  return at.endsWith('/') && (returnId === nothingKept || isSelector(returnId))
}
