import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { isHere } from '../config/value-formats.ts'
import { checkCookieOf } from '../keys/secrets.ts'
import { limits } from '../limits.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { SignedIn } from '../sign-in/sign-in.ts'
import type { Visitor } from '../visitors/visitor.ts'
import { cookieName, cookieOfChecks, cookieValues, domainsAbove, formerSessionName } from './cookie-names.ts'
import { createJourneyCookies } from './journey-cookies.ts'

/** Who is calling: what the request shows, and the session its cookie stands for. */
export const createCaller = (config: Config, sessions: Sessions) => {
  const { https } = config.publicUrl
  const names = new Map((Object.keys(cookieLifetimes) as Cookie[]).map(cookie => [cookie, cookieName(cookie, config)]))
  const name = (cookie: Cookie) => names.get(cookie) ?? cookie
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

  /**
   * Reads a cookie. A value that we did not write is none: a database need not be asked for text that it may not even be able to read.
   * Neither are two of a name: another host of the domain may have planted one of them, and which is ours cannot be told.
   */
  const read = (request: FastifyRequest, which: Cookie) => {
    const [value, ...more] = cookieValues(request.headers.cookie, name(which))
    const isOne = value !== undefined && more.length === 0 && /^[\w.-]+$/.test(value)
    return { value: isOne ? value : undefined, isTwice: more.length > 0 }
  }
  const cookie = (request: FastifyRequest, which: Cookie) => read(request, which).value
  const hasTwo = (request: FastifyRequest, which: Cookie) => read(request, which).isTwice

  const session = (request: FastifyRequest) => sessions.find(cookie(request, 'session'), visitor(request))

  const checkedAt = new Map(config.protectedOrigins.map(({ origin }) => [origin, cookieOfChecks(origin, config)]))
  /** The cookie that a check of a protected origin goes by. */
  const shownTo = (request: FastifyRequest, origin: string) => {
    const which = checkedAt.get(origin) ?? 'session'
    return { which, ...read(request, which) }
  }
  type Shown = ReturnType<typeof shownTo>
  /** The session that a check finds. */
  const checkedSession = (request: FastifyRequest, { which, value }: Shown) =>
    which === 'session' ? sessions.find(value, visitor(request)) : sessions.findChecked(value)

  const attributes = (which: Cookie) => ({
    path: '/',
    httpOnly: true,
    secure: https,
    sameSite: 'lax' as const,
    ...(which === 'check' && { domain: config.cookieDomain ?? '' }),
  })

  const setCookie = (reply: FastifyReply, which: Exclude<Cookie, 'check'>, value: string) => {
    const seconds = cookieLifetimes[which] / 1000
    if (which === 'session') clearFormerSession(reply)
    reply.setCookie(name(which), value, { ...attributes(which), ...(which !== 'session' && { maxAge: seconds }) })
    if (which === 'session') setCheckCookie(reply, checkCookieOf(value).cookie)
  }

  const setCheckCookie = (reply: FastifyReply, value: string) => {
    if (config.cookieDomain) reply.setCookie(name('check'), value, attributes('check'))
  }

  /** Earlier versions sent the session's cookie to every host of the domain. */
  const clearFormerSession = (reply: FastifyReply) => {
    if (config.cookieDomain) reply.clearCookie(formerSessionName(config), { ...attributes('session'), domain: config.cookieDomain })
  }

  /** Gives a browser the check cookie of its session if it has not got it: it lost it, or the domain was configured after its sign-in. */
  const keepCheckCookie = async (request: FastifyRequest, reply: FastifyReply, session: Session) => {
    const own = cookie(request, 'session')
    if (!config.cookieDomain || !own) return
    const value = await sessions.checkCookie(session, own)
    if (cookie(request, 'check') !== value) setCheckCookie(reply, value)
  }

  /** Removes what other hosts may have planted in place of the cookies that checks go by, as far as our host can. */
  const clearPlanted = (reply: FastifyReply) => {
    for (const domain of domainsAbove(new URL(config.publicUrl.origin).hostname))
      for (const which of https ? (['check'] as const) : (['check', 'session'] as const))
        reply.clearCookie(name(which), { ...attributes(which), domain })
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
    if (which !== 'session') return
    if (config.cookieDomain) reply.clearCookie(name('check'), attributes('check'))
    clearFormerSession(reply)
    journey.clear(reply, 'signed-in')
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

  return {
    journey,
    visitor,
    cookie,
    hasTwo,
    session,
    shownTo,
    checkedSession,
    setCookie,
    keepCheckCookie,
    clearPlanted,
    setSignInCookies,
    clearCookie,
    isOwnPage,
    isOwnOrigin,
    isOfThisMachine,
  }
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

type Session = NonNullable<Awaited<ReturnType<Sessions['find']>>>

/** The session's two cookies go with the browser's window; how long the session lives is the server's to say. */
type Cookie = 'session' | 'check' | 'hand-over' | 'browser' | 'ticket' | 'push' | 'sso' | 'note' | 'problem' | 'phone' | 'reset' | 'link'
/** Milliseconds. */
export const cookieLifetimes = {
  session: limits.session.absolute,
  check: limits.session.absolute,
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
