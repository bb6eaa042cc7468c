import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { People, ProtectedOrigin } from '../forward-auth/protected-origin.ts'
import { canonicalUsername } from '../users/username.ts'
import { isOrigin } from './value-formats.ts'

type Variable = 'GATEHOUSE_PROTECTED_ORIGINS' | 'GATEHOUSE_COOKIE_DOMAIN' | 'GATEHOUSE_RULES'
type Reader = { read: (name: Variable) => string | undefined; problem: (name: Variable, sentence: string) => void }
type PublicUrl = { origin: string; https: boolean }

const hostOf = (origin: string) => new URL(origin).hostname

/** Whether browsers send a cookie with this domain to the host (RFC 6265bis §5.1.3). `undefined`: only to the host that set it. */
export const isCovered = (host: string, publicOrigin: string, cookieDomain: string | undefined): boolean =>
  host === hostOf(publicOrigin) || (cookieDomain !== undefined && isWithin(host, cookieDomain))

const isWithin = (host: string, domain: string) => host === domain || (host.endsWith(`.${domain}`) && !isIP(host))

/** Reads the domain of the check cookie. */
export const readCookieDomain = (reader: Reader, { origin }: PublicUrl): string | undefined => {
  const text = reader.read('GATEHOUSE_COOKIE_DOMAIN')
  if (text === undefined) return undefined
  const domain = text.replace(/^\./, '').toLowerCase()
  const host = hostOf(origin)
  const problem = domainProblem(domain, host)
  if (!problem) return domain
  reader.problem('GATEHOUSE_COOKIE_DOMAIN', problem)
  return undefined
}

const domainProblem = (domain: string, host: string): string | undefined => {
  if (isIP(domain) || isIP(host.replace(/^\[|\]$/g, ''))) return ' must be a domain: browsers do not share cookies between IP addresses'
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(domain)) return ' must be a domain like example.com, without scheme, port and path'
  if (!domain.includes('.')) return `: browsers reject cookies for all of ${domain}; use a domain below it`
  if (!isWithin(host, domain))
    return `: ${domain} does not cover ${host}, the host of GATEHOUSE_PUBLIC_URL, so browsers would reject the cookie`
  return undefined
}

const form =
  'an origin like https://grafana.example.com, then any of: administrators, second-factor, phishing-resistant, ada@example.com, *@example.com'

/** Reads the origins and their rules. Commas separate entries, spaces separate words. */
export const readProtectedOrigins = (reader: Reader, publicUrl: PublicUrl, cookieDomain: string | undefined): ProtectedOrigin[] => {
  const found = new Map<string, ProtectedOrigin>()
  const domainIsWrong = cookieDomain === undefined && reader.read('GATEHOUSE_COOKIE_DOMAIN') !== undefined
  for (const entry of reader.read('GATEHOUSE_PROTECTED_ORIGINS')?.split(',') ?? []) {
    const [origin = '', ...words] = entry.trim().split(/\s+/)
    const problem = (sentence: string) => reader.problem('GATEHOUSE_PROTECTED_ORIGINS', `: ${sentence}`)
    // Wildcards are not supported: `*` would be a host of that name.
    if (!isOrigin(origin) || origin.includes('*')) {
      problem(`‘${entry.trim()}’ must begin with ${form}`)
      continue
    }
    const named = words.filter(word => word !== 'second-factor' && word !== 'phishing-resistant')
    const people = named.map(readPeople)
    const unknown = named.filter(word => readPeople(word) === undefined)
    for (const word of unknown)
      problem(`‘${word}’ after ${origin} must be administrators, second-factor, phishing-resistant, an address, or *@ and a domain`)
    if (found.has(origin)) problem(`${origin} is listed twice; combine its words in one entry`)
    const uncovered = domainIsWrong ? undefined : coverProblem(origin, publicUrl, cookieDomain)
    if (uncovered) problem(uncovered)
    found.set(origin, {
      origin,
      people: people.filter(one => one !== undefined),
      secondFactor: words.includes('second-factor'),
      phishingResistant: words.includes('phishing-resistant'),
    })
  }
  // Attack: the port comes from the Host header, so a client could choose among different rules of one host.
  for (const host of new Set([...found.keys()].map(hostOf))) {
    const rules = [...found.values()].filter(one => hostOf(one.origin) === host)
    if (new Set(rules.map(wordsOf)).size === 1) continue
    const origins = rules.map(one => one.origin).join(' and ')
    reader.problem(
      'GATEHOUSE_PROTECTED_ORIGINS',
      `: ${origins} must have the same words, because a client can claim either port of ${host}; to treat them differently, give them different host names`,
    )
  }
  return [...found.values()]
}

/** The path of the rules file. It replaces GATEHOUSE_PROTECTED_ORIGINS, so that all rules are in one place. */
export const readRulesFile = (reader: Reader): string | undefined => {
  const file = reader.read('GATEHOUSE_RULES')
  if (file !== undefined && reader.read('GATEHOUSE_PROTECTED_ORIGINS') !== undefined)
    reader.problem(
      'GATEHOUSE_RULES',
      ': GATEHOUSE_PROTECTED_ORIGINS must not be set beside it; write its origins as rules, which `rules check` prints without GATEHOUSE_RULES',
    )
  return file === undefined ? undefined : resolve(file)
}

/** A canonical text of a rule: equal for rules that allow the same users. */
const wordsOf = ({ people, secondFactor, phishingResistant }: ProtectedOrigin): string =>
  JSON.stringify([secondFactor, phishingResistant, [...new Set(people.map(one => JSON.stringify(one)))].sort()])

const readPeople = (word: string): People | undefined => {
  if (word === 'administrators') return { is: 'Administrators' }
  // A placeholder name makes `*@domain` a valid address.
  const userIdent = canonicalUsername(word.replace(/^\*@/, 'anybody@'))
  if (userIdent === undefined) return undefined
  return word.startsWith('*@') ? { is: 'Domain', domain: userIdent.slice('anybody@'.length) } : { is: 'Address', userIdent }
}

/**
 * Returns why browsers never send a session cookie to an origin: protecting it would only cause redirect loops. Undefined if they send one.
 */
export const coverProblem = (origin: string, publicUrl: PublicUrl, cookieDomain: string | undefined): string | undefined => {
  const host = hostOf(origin)
  if (!isCovered(host, publicUrl.origin, cookieDomain))
    return cookieDomain === undefined
      ? `browsers send the session cookie to ${hostOf(publicUrl.origin)} only and never to ${host}; set GATEHOUSE_COOKIE_DOMAIN to a domain that covers both`
      : `GATEHOUSE_COOKIE_DOMAIN=${cookieDomain} does not cover ${host}`
  if (publicUrl.https && origin.startsWith('http:'))
    return `${origin} uses http, where browsers do not send the Secure cookie of ${publicUrl.origin}; serve it over https`
  return undefined
}
