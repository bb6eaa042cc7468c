import type { NoticeProps } from '@gatehouse/wire/page-props'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { isCovered } from '../../config/protected-origins.ts'
import { isHere } from '../../config/value-formats.ts'
import type { CameBack, ForwardAuth, Lack } from '../../forward-auth/forward-auth.ts'
import { isSelector } from '../../keys/secrets.ts'
import { limits } from '../../limits.ts'
import type { Sessions } from '../../sessions/sessions.ts'
import type { Caller } from '../caller.ts'
import { cookieOfChecks } from '../cookie-names.ts'
import { html } from '../headers.ts'
import { isOurs, type Misconfiguration, setUpOf } from '../misconfiguration.ts'
import type { BuiltPages } from './built-pages.ts'
import { misconfigurationProps } from './misconfiguration.ts'

type Lacking = { lack: Lack; userIdent: string; origin: string }
type Session = NonNullable<Awaited<ReturnType<Sessions['find']>>>

/** The way back to what somebody wanted to open before signing in; and what is said where it leads in circles. */
export const createReturns = (deps: { config: Config; caller: Caller; forwardAuth: ForwardAuth; pages: BuiltPages }) => {
  const { config, caller, forwardAuth, pages } = deps
  const setUp = setUpOf(config)
  const { journey: cookies } = caller
  const account = { label: 'Go to your account', href: `${config.publicUrl.path}/account` }

  /** The id in the address. Whatever else stands there leads nowhere. */
  const idIn = (request: FastifyRequest): string | undefined => {
    const { return: id } = Object(request.query)
    return typeof id === 'string' && isSelector(id) ? id : undefined
  }

  const explainTo = (reply: FastifyReply, name: Misconfiguration, seen: string | undefined) =>
    html(reply.code(409), pages.misconfiguration(misconfigurationProps(name, setUp, seen)))

  /** The start page, for one who is signed in. */
  const goOn = async (request: FastifyRequest, reply: FastifyReply, session: Session) => {
    await caller.keepCheckCookie(request, reply, session)
    const onward = await forwardAuth.goOn(idIn(request), session)
    if (!onward) return goToDashboard(request, reply, session)
    switch (onward.is) {
      case 'Lacking':
        return tellLack(reply, onward)
      case 'Allowed': {
        const turn = onward.cameBack ? countTurn(request, reply) : 0
        if (!onward.cameBack || turn < limits.loop.most) return reply.redirect(onward.location, 303)
        cookies.clear(reply, 'bounces')
        return explainTo(reply, whyInCircles(request, onward.cameBack), onward.cameBack.origin)
      }
    }
  }

  const tellLack = (reply: FastifyReply, lack: Lacking) => html(reply.code(403), pages.notice({ ...lacking(lack), action: account }))

  /**
   * Nothing was kept. Whoever a check has led here all the same, though the session is known here, may be led here again from the dashboard:
   * it asks another Gatehouse, or there were too many of late.
   */
  const goToDashboard = (request: FastifyRequest, reply: FastifyReply, session: Session) => {
    const { href, origin } = new URL(config.dashboardUrl, config.publicUrl.origin)
    const verdict = forwardAuth.judge(origin, session)
    // No check stands before a page of ours.
    const wasLed = 'return' in Object(request.query) && !isOurs(href, setUp.publicUrl)
    if (wasLed && verdict.is === 'Lacking') return tellLack(reply, { ...verdict, origin })
    const turn = wasLed && verdict.is === 'Allowed' ? countTurn(request, reply) : 0
    if (turn < limits.loop.most) return reply.redirect(config.dashboardUrl, 303)
    cookies.clear(reply, 'bounces')
    return explainTo(reply, 'session-unknown', origin)
  }

  /** Counts in a cookie: it is the one browser's own circle, and whoever forges it shows himself a page. */
  const countTurn = (request: FastifyRequest, reply: FastifyReply): number => {
    const [, first, turns] = /^(\d{1,15})\.(\d)$/.exec(cookies.read(request, 'bounces') ?? '') ?? []
    const now = forwardAuth.now()
    const goesOn = first !== undefined && Number(first) <= now && now < Number(first) + limits.loop.within
    const turn = goesOn ? Number(turns) + 1 : 1
    cookies.set(reply, 'bounces', `${goesOn ? first : now}.${turn}`)
    return turn
  }

  const whyInCircles = (request: FastifyRequest, { hadCookie, origin }: CameBack): Misconfiguration => {
    if (!isCovered(new URL(origin).hostname, config.publicUrl.origin, config.cookieDomain)) return 'cookie-domain'
    // Set on each turn and never sent, not even to our own host: browsers refuse a cookie for this domain.
    if (cookieOfChecks(origin, config) === 'check' && !caller.cookie(request, 'check')) return 'cookie-domain'
    return hadCookie ? 'session-unknown' : 'cookie-not-passed-on'
  }

  /** The start page, for everybody else: the sign-in page. */
  const signIn = (request: FastifyRequest, reply: FastifyReply, show: () => FastifyReply) => {
    const returnId = idIn(request)
    if (returnId) cookies.set(reply, 'return', returnId)
    // A moment ago this browser was given a session's cookie, and has not even a dead one now.
    if (markOf(request) && !caller.cookie(request, 'session')) {
      cookies.clear(reply, 'signed-in')
      return explainTo(reply, whyNotStored(request), originOf(request))
    }
    return show()
  }

  /**
   * The mark that a sign-in left a moment ago, with the id of where it led back to. It holds its time: another host of the domain
   * could plant one that stays, and keep people from the sign-in page.
   */
  const markOf = (request: FastifyRequest): { returnId: string | undefined } | undefined => {
    const [, at, returnId] = /^(\d{1,15})(?:\.([\w-]{22}))?$/.exec(cookies.read(request, 'signed-in') ?? '') ?? []
    const now = forwardAuth.now()
    return at !== undefined && Number(at) <= now && now < Number(at) + limits.signedInMark.lifetime ? { returnId } : undefined
  }

  // Over http another host of the domain can plant a session's cookie. It opens nothing, and hides the browser's own.
  const whyNotStored = (request: FastifyRequest): Misconfiguration =>
    caller.hasTwo(request, 'session') ? 'cookie-twice' : 'cookie-not-stored'

  /** Whether the browser is on plain http though we are set up for https: then it keeps no Secure cookie. */
  const cameByHttp = ({ headers }: FastifyRequest): boolean => {
    // By https every browser sends Sec-Fetch-*.
    if (!config.publicUrl.https || headers['sec-fetch-mode'] !== undefined) return false
    const proto = headers['x-forwarded-proto']
    return (proto === undefined || proto === 'http') && !isHere(new URL(originOf({ headers }) ?? 'http://localhost').hostname)
  }

  /** From the token page on: to what was asked for before the sign-in, else to the dashboard. */
  const leave = async (request: FastifyRequest, reply: FastifyReply, recoveryCodesDue: boolean) => {
    const returnId = cookies.read(request, 'return')
    if (returnId) cookies.clear(reply, 'return')
    const location = await forwardAuth.locationOf(returnId)
    cookies.set(reply, 'signed-in', location ? `${forwardAuth.now()}.${returnId}` : String(forwardAuth.now()))
    // On the way: who has a second factor and no way in without it is offered recovery codes.
    if (recoveryCodesDue) return reply.redirect(`${config.publicUrl.path}/recovery-codes${location ? `?return=${returnId}` : ''}`, 303)
    return reply.redirect(location ?? config.dashboardUrl, 303)
  }

  /**
   * Why somebody comes to an address of ours where there is nothing: a sign-in has just led back to it, so it is what the check took for
   * the dashboard's, and a part of its path was gone by then.
   */
  const explainNothingHere = async (request: FastifyRequest) => {
    const returnId = markOf(request)?.returnId
    const target = URL.parse((returnId && (await forwardAuth.locationOf(returnId))) ?? '')
    if (target?.origin !== config.publicUrl.origin || target.pathname + target.search !== request.url) return undefined
    return pages.misconfiguration(misconfigurationProps('prefix-stripped', setUp, target.origin + target.pathname))
  }

  /** Where a page on the way leads that has the id in its address. */
  const next = async (request: FastifyRequest): Promise<string> => (await forwardAuth.locationOf(idIn(request))) ?? config.dashboardUrl

  return { goOn, signIn, leave, next, idIn, explainNothingHere, explainTo, cameByHttp, originOf }
}
export type Returns = ReturnType<typeof createReturns>

/** Where the browser is, as far as the request tells. */
const originOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined => {
  const proto = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'
  const host = headers['x-forwarded-host'] ?? headers.host
  return URL.parse(`${proto}://${String(host)}`)?.origin
}

/** What somebody is told who is signed in and may not enter. */
const lacking = ({ lack, userIdent, origin }: Lacking): Omit<NoticeProps, 'action'> => {
  const host = new URL(origin).host
  switch (lack) {
    case 'people':
      return {
        status: 'stopped',
        title: 'You don’t have access',
        text: `You’re signed in as ${userIdent}, who has no access to ${host}. Ask your administrator, or sign out and use another account.`,
      }
    case 'second-factor':
      return {
        status: 'attention',
        title: 'Second factor required',
        text: `You’re signed in as ${userIdent} without a second factor, but ${host} requires one. Sign out, then sign in again with a second factor or set one up.`,
      }
  }
}
