import { isIP } from 'node:net'
import type { Language } from '@gatehouse/language/languages.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { isHere } from '../config/value-formats.ts'
import { checkCookieOf, hashSecret, randomSecret } from '../keys/secrets.ts'
import { limits } from '../limits.ts'
import { isMailWait } from '../recovery/mail-code.ts'
import type { Session } from '../sessions/session.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { SignedIn } from '../sign-in/sign-in.ts'
import type { Visitor } from '../visitors/visitor.ts'
import { type CheckedCookie, cookieName, cookieOfChecks, cookieValues, domainsAbove, formerSessionName } from './cookie-names.ts'
import { createJourneyCookies } from './journey-cookies.ts'
import { createRequestLanguage } from './request-language.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The session of this request, once a look-up has found it. Keep it a property of the request: a `WeakMap` would make each check
     * noticeably slower.
     */
    foundSession: Session | undefined
  }
}

/** Reads and sets the cookies of a request, and finds its session. */
export const createCaller = (config: Config, sessions: Sessions, languages: readonly Language[]) => {
  const { https } = config.publicUrl
  const names = new Map((Object.keys(cookieLifetimes) as Cookie[]).map(cookie => [cookie, cookieName(cookie, config)]))
  const name = (cookie: Cookie) => names.get(cookie) ?? cookie
  const journey = createJourneyCookies(config)
  const requestLanguage = createRequestLanguage(config, languages)

  /** @param knowsPasskeys whether the page handles passkeys, according to its request */
  const visitor = (request: FastifyRequest, { passkeys: knowsPasskeys }: { passkeys?: boolean | null | undefined } = {}): Visitor => ({
    address: request.ip,
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes control characters
    userAgent: (request.headers['user-agent'] ?? '').replace(/[\x00-\x1f\x7f-\x9f]/g, ' ').slice(0, 512),
    requestId: request.id,
    browser: cookie(request, 'browser'),
    ticket: cookie(request, 'ticket'),
    push: cookie(request, 'push'),
    mailWait: mailWait(request),
    passkey: cookie(request, 'passkey'),
    knowsPasskeys: knowsPasskeys === true,
  })

  /** The ids of the sign-ins that the requests in progress belong to. */
  const begun = new WeakMap<FastifyRequest, string>()

  /**
   * The visitor of a request that is a step of a sign-in. All steps of one sign-in in a browser have the id that the first step created.
   */
  const signInVisitor = (request: FastifyRequest, page?: Parameters<typeof visitor>[1]): Visitor => {
    const id = cookie(request, 'sign-in') ?? randomSecret(128)
    begun.set(request, id)
    return { ...visitor(request, page), signIn: signInOf(id), language: requestLanguage.languageOf(request) }
  }

  /**
   * Stores the id of the sign-in in the browser, for the next step. If the browser has no such cookie, every response except that of a
   * successful sign-in sets it, whether the account exists or not. Otherwise the cookie would reveal more than the response.
   */
  const keepSignIn = (request: FastifyRequest, reply: FastifyReply) => {
    const id = begun.get(request)
    if (id !== undefined && cookie(request, 'sign-in') === undefined) setCookie(reply, 'sign-in', id)
  }

  /**
   * Reads a cookie. Ignores values that the server cannot have set, so that the database never gets
   * them. If two cookies have the name, ignores both: another host of the domain may have set one
   * of them.
   */
  const read = (request: FastifyRequest, which: Cookie) => {
    const [value, ...more] = cookieValues(request.headers.cookie, name(which))
    const isOne = value !== undefined && more.length === 0 && /^[\w.-]+$/.test(value)
    return { value: isOne ? value : undefined, isDuplicate: more.length > 0 }
  }
  const cookie = (request: FastifyRequest, which: Cookie) => read(request, which).value
  const hasDuplicates = (request: FastifyRequest, which: Cookie) => read(request, which).isDuplicate

  /** The cookie of a browser that waits for a one-time link. */
  const mailWait = (request: FastifyRequest) => {
    const value = cookie(request, 'mail-wait')
    return isMailWait(value) ? value : undefined
  }
  /**
   * Sets or renews the cookie of `mailWait`. The cookie keeps its value, so emails that this browser requested before stay bound to the
   * browser.
   */
  const beginMailWait = (request: FastifyRequest, reply: FastifyReply): string => {
    const value = mailWait(request) ?? randomSecret(256)
    setCookie(reply, 'mail-wait', value)
    return value
  }

  const remember = (request: FastifyRequest, session: Session | undefined) => {
    request.foundSession = session
    return session
  }

  const session = async (request: FastifyRequest) =>
    remember(request, await sessions.find(cookie(request, 'session'), () => visitor(request)))

  /** The language of the page that answers a request. Queries no database: call `session` first if the user's own language matters. */
  const language = (request: FastifyRequest): string => requestLanguage.languageOf(request, request.foundSession)

  const checkedAt = new Map<string, CheckedCookie>()
  /** Reads the cookie that decides a check. @param origin an origin that the rules name, because the cache never forgets one */
  const readCheckCookie = (request: FastifyRequest, origin: string) => {
    const which = checkedAt.get(origin) ?? cookieOfChecks(origin, config)
    checkedAt.set(origin, which)
    return { which, ...read(request, which) }
  }
  type CheckCookie = ReturnType<typeof readCheckCookie>
  const checkedSession = async (request: FastifyRequest, { which, value }: CheckCookie) => {
    const checked = await sessions.check(value, which, () => visitor(request))
    remember(request, checked.session)
    return checked
  }

  const signOut = (request: FastifyRequest) => sessions.signOut(cookie(request, 'session'), visitor(request))

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

  /** Sets the check cookie if the browser does not have it: the browser lost it, or the domain was configured after the sign-in. */
  const keepCheckCookie = async (request: FastifyRequest, reply: FastifyReply, session: Session) => {
    const own = cookie(request, 'session')
    if (!config.cookieDomain || !own) return
    const value = await sessions.checkCookie(session, own)
    if (cookie(request, 'check') !== value) setCheckCookie(reply, value)
  }

  /** Clears cookies that other hosts of the domain may have set for our host, under the names of our cookies. */
  const clearForeignCookies = (reply: FastifyReply) => {
    for (const domain of domainsAbove(new URL(config.publicUrl.origin).hostname))
      for (const which of https ? (['check'] as const) : (['check', 'session'] as const))
        reply.clearCookie(name(which), { ...attributes(which), domain })
  }

  /** Sets the cookies of a sign-in attempt's result. */
  const setSignInCookies = (request: FastifyRequest, reply: FastifyReply, { outcome, cookies }: SignedIn) => {
    if (cookies?.binding) setCookie(reply, 'hand-over', cookies.binding)
    if (cookies?.passkey) setCookie(reply, 'passkey', cookies.passkey)
    if (cookies?.browser) setCookie(reply, 'browser', cookies.browser)
    if (outcome.tag !== 'AuthSuccessful') keepSignIn(request, reply)
    else if (cookie(request, 'sign-in')) clearCookie(reply, 'sign-in')
    if (cookies?.ticket) setCookie(reply, 'ticket', cookies.ticket)
    // A completed sign-in needs no ticket.
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
   * Whether an unsafe request comes from a page of this server. Browsers always send Origin or Sec-Fetch-Site with such requests. A program
   * that sends neither carries no user's cookies.
   */
  const isOwnPage = (request: FastifyRequest): boolean => {
    const { origin, 'sec-fetch-site': site } = request.headers
    if (origin === config.publicUrl.origin) return true
    if (site === 'same-origin') return origin === undefined || isMachine(origin)
    return site === undefined && origin === undefined
  }

  /** Like `isOwnPage`, but also accepts the origins in GATEHOUSE_ORIGINS. */
  const isOwnOrigin = (request: FastifyRequest): boolean =>
    isOwnPage(request) || config.origins.some(origin => origin === request.headers.origin)

  /**
   * Whether a request comes from this machine and not through a proxy. The Host header must name this machine too: attackers can point
   * their own names at it (DNS rebinding).
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
    signInVisitor,
    keepSignIn,
    beginMailWait,
    cookie,
    hasDuplicates,
    session,
    language,
    setLanguageCookie: requestLanguage.setCookie,
    readCheckCookie,
    checkedSession,
    signOut,
    setCookie,
    keepCheckCookie,
    clearForeignCookies,
    setSignInCookies,
    clearCookie,
    isOwnPage,
    isOwnOrigin,
    isOfThisMachine,
  }
}

/**
 * Whether an origin is an IP address or localhost: the user opened the page at an address other than the public one. Names do not count,
 * because attackers can point their own names at this machine (DNS rebinding).
 */
const isMachine = (origin: string) => {
  const host = URL.parse(origin)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  return host === 'localhost' || isIP(host) !== 0
}

const isLoopback = (address: string) => /^(::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/i.test(address)

/** How the audit log names a sign-in. It must not contain the cookie itself. */
const signInOf = (id: string) => hashSecret(id).slice(0, 22)

export type Caller = ReturnType<typeof createCaller>

/**
 * A browser deletes the cookies `session` and `check` when it closes; the server decides how long the
 * session lasts.
 */
type Cookie =
  | 'session'
  | 'check'
  | 'hand-over'
  | 'browser'
  | 'ticket'
  | 'push'
  | 'passkey'
  | 'mail-wait'
  | 'sso'
  | 'note'
  | 'problem'
  | 'phone'
  | 'reset'
  | 'link'
  | 'sign-in'
/** Milliseconds. */
export const cookieLifetimes = {
  session: limits.session.absolute,
  check: limits.session.absolute,
  'hand-over': limits.handOver.lifetime,
  browser: limits.knownBrowser.lifetime,
  ticket: limits.ticket.lifetime,
  push: limits.push.lifetime + limits.push.grace,
  passkey: limits.passkey.setUp,
  'mail-wait': limits.mailLink.oneTime,
  sso: limits.ssoJourney.lifetime,
  note: limits.pageNote.lifetime,
  problem: limits.pageNote.lifetime,
  phone: limits.push.lifetime + limits.push.grace,
  reset: limits.mailLink.factorReset,
  link: limits.mailLink.oneTime,
  'sign-in': limits.signInId.lifetime,
}
