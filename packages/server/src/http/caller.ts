import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { isHere } from '../config-forms.ts'
import type { Visitor } from '../first-factor.ts'
import { limits } from '../limits.ts'
import type { Sessions } from '../sessions.ts'
import type { SignedIn } from '../sign-in.ts'
import { createJourneyCookies } from './journey-cookies.ts'

/** Who is calling: what the request shows, and the session its cookie stands for. */
export const createCaller = (config: Config, sessions: Sessions) => {
  const { https } = config.publicUrl
  // __Host- binds a cookie to this host and to https (RFC 6265bis §4.1.3.2); over plain http browsers refuse the prefix.
  // One that goes to several hosts may not have it: what is bound to https then is all that is left (§4.1.3.1).
  const domainOf = (cookie: Cookie) => (cookie === 'session' ? config.cookieDomain : undefined)
  const name = (cookie: Cookie) => `${https ? (domainOf(cookie) ? '__Secure-' : '__Host-') : ''}gatehouse-${cookie}`
  const journey = createJourneyCookies(config)

  const visitor = (request: FastifyRequest): Visitor => ({
    address: request.ip,
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
    userAgent: (request.headers['user-agent'] ?? '').replace(/[\x00-\x1f\x7f-\x9f]/g, ' ').slice(0, 512),
    requestId: request.id,
    browser: cookie(request, 'browser'),
    ticket: cookie(request, 'ticket'),
    push: cookie(request, 'push'),
  })

  /** One that we did not write is none: a database need not be asked for text that it may not even be able to read. */
  const cookie = (request: FastifyRequest, which: Cookie) => {
    const value = request.cookies[name(which)]
    return value !== undefined && /^[\w.-]+$/.test(value) ? value : undefined
  }

  const session = (request: FastifyRequest) => sessions.find(cookie(request, 'session'), visitor(request))

  const attributes = (which: Cookie) => {
    const domain = domainOf(which)
    return { path: '/', httpOnly: true, secure: https, sameSite: 'lax' as const, ...(domain && { domain }) }
  }

  const setCookie = (reply: FastifyReply, which: Cookie, value: string) => {
    const seconds = cookieLifetimes[which] / 1000
    // One of the same name that is this host's alone, from before there was a domain, would be sent first.
    if (domainOf(which) && !https) reply.clearCookie(name(which), { ...attributes(which), domain: '' })
    reply.setCookie(name(which), value, { ...attributes(which), ...(which !== 'session' && { maxAge: seconds }) })
  }

  /** The cookies that go with what came of a try to sign in. */
  const setSignInCookies = (request: FastifyRequest, reply: FastifyReply, { outcome, cookies }: SignedIn) => {
    if (cookies?.binding) setCookie(reply, 'hand-over', cookies.binding)
    if (cookies?.browser) setCookie(reply, 'browser', cookies.browser)
    if (cookies?.ticket) setCookie(reply, 'ticket', cookies.ticket)
    // Whoever is in needs none.
    else if (outcome.tag === 'AuthSuccessful' && cookie(request, 'ticket')) clearCookie(reply, 'ticket')
  }

  const clearCookie = (reply: FastifyReply, which: Cookie) => {
    reply.clearCookie(name(which), attributes(which))
    if (which === 'session') journey.clear(reply, 'signed-in')
  }

  /**
   * Whether an unsafe request comes from one of our own pages. Browsers always send one of the two headers with such a request; a
   * program that sends neither has no cookies of somebody else's to misuse.
   */
  const isOwnPage = (request: FastifyRequest): boolean => {
    const { origin, 'sec-fetch-site': site } = request.headers
    if (origin === config.publicUrl.origin) return true
    if (site === 'same-origin') return origin === undefined || isMachine(origin)
    return site === undefined && origin === undefined
  }

  /** The same, or from a listed origin. */
  const isOwnOrigin = (request: FastifyRequest): boolean =>
    isOwnPage(request) || config.origins.some(origin => origin === request.headers.origin)

  /**
   * Whether a request comes from this very machine, and is not passed on by a proxy. The name it was sent to must be this
   * machine's as well: anybody can let a name of his own point here (DNS rebinding).
   */
  const isOfThisMachine = (request: FastifyRequest): boolean => {
    const { headers, socket } = request
    const passedOn = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'].some(name => headers[name] !== undefined)
    const host = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? ''
    return !passedOn && isLoopback(socket.remoteAddress ?? '') && isHere(host)
  }

  return { journey, visitor, cookie, session, setCookie, setSignInCookies, clearCookie, isOwnPage, isOwnOrigin, isOfThisMachine }
}

/**
 * Whether an origin names a machine by address or as localhost: a page of ours that was opened in another way than by the
 * public address. A name would not do: anybody can let his own point to this machine (DNS rebinding).
 */
const isMachine = (origin: string) => {
  const host = URL.parse(origin)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  return host === 'localhost' || isIP(host) !== 0
}

const isLoopback = (address: string) => /^(::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/i.test(address)

export type Caller = ReturnType<typeof createCaller>

/** The session's cookie goes with the browser's window; how long the session lives is the server's to say. */
type Cookie = 'session' | 'hand-over' | 'browser' | 'ticket' | 'push' | 'sso' | 'note' | 'problem' | 'phone' | 'reset' | 'link'
/** Milliseconds. */
export const cookieLifetimes = {
  session: limits.session.absolute,
  'hand-over': limits.handOver.lifetime,
  browser: limits.knownBrowser.lifetime,
  ticket: limits.ticket.lifetime,
  push: limits.push.lifetime + limits.push.grace,
  sso: limits.ssoJourney.lifetime,
  note: limits.pageNote.lifetime,
  problem: limits.pageNote.lifetime,
  phone: limits.push.lifetime + limits.push.grace,
  reset: limits.mailLink.factorReset,
  link: limits.mailLink.oneTime,
}
