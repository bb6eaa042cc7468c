import type { Onward } from '@gatehouse/wire'
import type { NoticeProps } from '@gatehouse/wire/page-props'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { isCovered } from '../../config/protected-origins.ts'
import { isHere } from '../../config/value-formats.ts'
import { isDatabaseFault } from '../../database-fault.ts'
import type { CameBack, ForwardAuth, Obstacle } from '../../forward-auth/forward-auth.ts'
import { countDuration } from '../../forward-auth/rules/describe.ts'
import { isSelector } from '../../keys/secrets.ts'
import { limits } from '../../limits.ts'
import type { PasskeyDue, PasskeyDueOf } from '../../sessions/phishing-resistance.ts'
import type { Sessions } from '../../sessions/sessions.ts'
import type { AccessTexts } from '../../texts/page-texts.ts'
import type { Call } from '../bind.ts'
import type { Caller } from '../caller.ts'
import { cookieOfChecks } from '../cookie-names.ts'
import { html } from '../headers.ts'
import { isOurs, type Misconfiguration, setUpOf } from '../misconfiguration.ts'
import type { TextsOf } from '../texts-of.ts'
import type { PagesFor } from './localized.ts'
import { misconfigurationProps } from './misconfiguration.ts'

type Stopped = { obstacle: Obstacle; userIdent: string; origin: string; returnId?: string | undefined }
type Session = NonNullable<Awaited<ReturnType<Sessions['find']>>>

/**
 * The return id that leads to the password on the account page, for password managers (`/.well-known/change-password`). It has the form
 * of the random ids of stored addresses, so it needs no other handling.
 */
export const returnToPassword = 'account-password-page0'

/** Redirects users back to the address that they requested before signing in, and explains redirect loops. */
export const createReturns = (deps: {
  config: Config
  caller: Caller
  forwardAuth: ForwardAuth
  passkeyDue: PasskeyDueOf
  pagesFor: PagesFor
  textsOf: TextsOf
}) => {
  const { config, caller, forwardAuth, pagesFor, textsOf } = deps
  const setUp = setUpOf(config)
  const { journey: cookies } = caller

  /** Returns the return id in the address, if it is well formed. */
  const idIn = (request: FastifyRequest): string | undefined => {
    const { return: id } = Object(request.query)
    return typeof id === 'string' && isSelector(id) ? id : undefined
  }

  const passwordAt = `${config.publicUrl.path}/account#password`
  const locationOf = async (returnId: string | undefined) => (returnId === returnToPassword ? passwordAt : forwardAuth.locationOf(returnId))

  const explainTo = ({ request, reply }: Call, name: Misconfiguration, seen: string | undefined) =>
    html(
      reply.code(409),
      pagesFor(request, reply).misconfiguration(misconfigurationProps(name, setUp, seen, textsOf(request).misconfiguration)),
    )

  /** The start page for signed-in users. */
  const continueSignedIn = async (request: FastifyRequest, reply: FastifyReply, session: Session) => {
    await caller.keepCheckCookie(request, reply, session)
    if (idIn(request) === returnToPassword) return reply.redirect(passwordAt, 303)
    if (deps.passkeyDue(session)?.is === 'Now') {
      const returnId = idIn(request)
      return reply.redirect(`${config.publicUrl.path}/passkey-required${returnId ? `?return=${returnId}` : ''}`, 303)
    }
    const onward = await forwardAuth.goOn(idIn(request), session, request.ip)
    if (!onward) return goToDashboard(request, reply, session)
    switch (onward.is) {
      case 'Stopped':
        return onward.obstacle.is === 'NeedsStepUp' && onward.obstacle.stepUp.is === 'Fresh'
          ? reply.redirect(signInAgainAt(idIn(request)), 303)
          : refuseAccess({ request, reply }, { ...onward, returnId: idIn(request) })
      case 'Allowed': {
        const turn = onward.cameBack ? countTurn(request, reply) : 0
        if (!onward.cameBack || turn < limits.loop.most) return reply.redirect(onward.location, 303)
        cookies.clear(reply, 'bounces')
        return explainTo({ request, reply }, causeOfLoop(request, onward.cameBack), onward.cameBack.origin)
      }
    }
  }

  const signInAgainAt = (returnId: string | undefined) => `${config.publicUrl.path}/sign-in-again${returnId ? `?return=${returnId}` : ''}`

  /** The next step of a user without access. If a passkey is required, the account page comes first, because the user may have none. */
  const actionsFor = ({ obstacle, returnId }: Stopped, { toAccount, signInAgain }: AccessTexts) => {
    const account = { label: toAccount, href: `${config.publicUrl.path}/account` }
    if (obstacle.is === 'Refused') return { action: account }
    const again = { label: signInAgain, href: signInAgainAt(returnId) }
    return obstacle.stepUp.is === 'Passkey' ? { action: account, other: again } : { action: again, other: account }
  }

  const refuseAccess = ({ request, reply }: Call, stopped: Stopped) => {
    const { access } = textsOf(request)
    return html(reply.code(403), pagesFor(request, reply).notice({ ...stopping(stopped, access), ...actionsFor(stopped, access) }))
  }

  /**
   * Continues to the dashboard if no return address was stored. The dashboard's check may redirect to this page again, although the session
   * is valid here: the check asks another Gatehouse, or too many return addresses were stored recently. So count the redirects.
   */
  const goToDashboard = (request: FastifyRequest, reply: FastifyReply, session: Session) => {
    const { href, origin } = new URL(config.dashboardUrl, config.publicUrl.origin)
    // This server's pages have no check.
    const wasRedirected = 'return' in Object(request.query) && !isOurs(href, setUp.publicUrl) && forwardAuth.isProtected(origin)
    const obstacle = wasRedirected ? forwardAuth.obstacleAt(href, session, request.ip) : undefined
    if (obstacle) return refuseAccess({ request, reply }, { obstacle, userIdent: session.userIdent, origin })
    const turn = wasRedirected ? countTurn(request, reply) : 0
    if (turn < limits.loop.most) return reply.redirect(config.dashboardUrl, 303)
    cookies.clear(reply, 'bounces')
    return explainTo({ request, reply }, 'session-unknown', origin)
  }

  /** Counts redirects in a cookie. The loop concerns this browser only, and forging the cookie only shows the forger a page. */
  const countTurn = (request: FastifyRequest, reply: FastifyReply): number => {
    const [, first, turns] = /^(\d{1,15})\.(\d)$/.exec(cookies.read(request, 'bounces') ?? '') ?? []
    const now = forwardAuth.now()
    const isSameLoop = first !== undefined && Number(first) <= now && now < Number(first) + limits.loop.within
    const turn = isSameLoop ? Number(turns) + 1 : 1
    cookies.set(reply, 'bounces', `${isSameLoop ? first : now}.${turn}`)
    return turn
  }

  const causeOfLoop = (request: FastifyRequest, { hadCookie, origin }: CameBack): Misconfiguration => {
    if (!isCovered(new URL(origin).hostname, config.publicUrl.origin, config.cookieDomain)) return 'cookie-domain'
    // The server set the check cookie in each turn of the loop, and the browser never sent it: browsers refuse a cookie for this domain.
    if (cookieOfChecks(origin, config) === 'check' && !caller.cookie(request, 'check')) return 'cookie-domain'
    return hadCookie ? 'session-unknown' : 'cookie-not-passed-on'
  }

  /** The start page without a session: the sign-in page. */
  const signIn = (request: FastifyRequest, reply: FastifyReply, show: () => FastifyReply) => {
    const returnId = idIn(request)
    if (returnId) cookies.set(reply, 'return', returnId)
    // This browser got a session cookie a moment ago, and now sends none.
    if (markOf(request) && !caller.cookie(request, 'session')) {
      cookies.clear(reply, 'signed-in')
      return explainTo({ request, reply }, whyNotStored(request), originOf(request))
    }
    return show()
  }

  /**
   * The mark of a recent sign-in, with the return id. It contains its time: otherwise another host of the domain could set a permanent
   * one and keep users from the sign-in page.
   */
  const markOf = (request: FastifyRequest): { returnId: string | undefined } | undefined => {
    const [, at, returnId] = /^(\d{1,15})(?:\.([\w-]{22}))?$/.exec(cookies.read(request, 'signed-in') ?? '') ?? []
    const now = forwardAuth.now()
    return at !== undefined && Number(at) <= now && now < Number(at) + limits.signedInMark.lifetime ? { returnId } : undefined
  }

  // Over http another host of the domain can set a session cookie. It opens no session, but hides the browser's own.
  const whyNotStored = (request: FastifyRequest): Misconfiguration =>
    caller.hasDuplicates(request, 'session') ? 'cookie-twice' : 'cookie-not-stored'

  /** Whether the browser uses http although the public URL is https. Then it stores no Secure cookie. */
  const isOnPlainHttp = ({ headers }: FastifyRequest): boolean => {
    // Over https every browser sends Sec-Fetch-*.
    if (!config.publicUrl.https || headers['sec-fetch-mode'] !== undefined) return false
    const proto = headers['x-forwarded-proto']
    return (proto === undefined || proto === 'http') && !isHere(new URL(originOf({ headers }) ?? 'http://localhost').hostname)
  }

  /** Where a browser goes after a sign-in: to the address requested before, or to the dashboard. */
  const onward = async (
    request: FastifyRequest,
    reply: FastifyReply,
    due: { recoveryCodesDue: boolean; passkeyDue?: PasskeyDue | undefined },
  ): Promise<Onward> => {
    const returnId = cookies.read(request, 'return')
    if (returnId) cookies.clear(reply, 'return')
    const location = await locationOf(returnId)
    cookies.set(reply, 'signed-in', location ? `${forwardAuth.now()}.${returnId}` : String(forwardAuth.now()))
    const { path } = config.publicUrl
    const andBack = location ? `?return=${returnId}` : ''
    if (due.passkeyDue?.is === 'Now') return { to: 'Passkey', address: `${path}/passkey-required${andBack}` }
    // Users with a second factor and no recovery codes are offered codes first.
    if (due.recoveryCodesDue) return { to: 'RecoveryCodes', address: `${path}/recovery-codes${andBack}` }
    if (due.passkeyDue) return { to: 'Passkey', address: `${path}/passkey-required${andBack}` }
    return location ? { to: 'ReturnAddress', address: location } : { to: 'Dashboard', address: config.dashboardUrl }
  }

  /**
   * If a sign-in has just redirected to this 404, explains the cause: the proxy stripped part of
   * the path before the check.
   */
  const explainNothingHere = async ({ request, reply }: Call) => {
    const returnId = markOf(request)?.returnId
    const target = URL.parse((returnId && (await forwardAuth.locationOf(returnId))) ?? '')
    if (target?.origin !== config.publicUrl.origin || target.pathname + target.search !== request.url) return undefined
    return pagesFor(request, reply).misconfiguration(
      misconfigurationProps('prefix-stripped', setUp, target.origin + target.pathname, textsOf(request).misconfiguration),
    )
  }

  /** Where a page with a return id in its address continues. */
  const next = async (request: FastifyRequest): Promise<string> => (await locationOf(idIn(request))) ?? config.dashboardUrl

  /** The host that the user requested before, for the sign-in page. The page works without it while the database is down. */
  const destination = async (request: FastifyRequest): Promise<string | undefined> => {
    try {
      const location = await forwardAuth.locationOf(idIn(request))
      return location && new URL(location).host
    } catch (error) {
      if (isDatabaseFault(error)) return undefined
      throw error
    }
  }

  return { continueSignedIn, signIn, onward, next, destination, idIn, explainNothingHere, explainTo, isOnPlainHttp, originOf }
}
export type Returns = ReturnType<typeof createReturns>

/** The origin in the browser's address bar, as far as the request reveals it. */
const originOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined => {
  const proto = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'
  const host = headers['x-forwarded-host'] ?? headers.host
  return URL.parse(`${proto}://${String(host)}`)?.origin
}

/** The text for a signed-in user without access. */
const stopping = ({ obstacle, userIdent, origin }: Stopped, texts: AccessTexts): Omit<NoticeProps, 'action'> => {
  const { host } = new URL(origin)
  if (obstacle.is === 'Refused') return { status: 'stopped', title: texts.refused.title, text: texts.refused.text(userIdent, host) }
  switch (obstacle.stepUp.is) {
    case 'Passkey':
      return { status: 'attention', title: texts.withoutPasskey.title, text: texts.withoutPasskey.text(userIdent, host) }
    case 'SecondFactor':
      return { status: 'attention', title: texts.withoutFactor.title, text: texts.withoutFactor.text(userIdent, host) }
    case 'Fresh': {
      const { count, unit } = countDuration(obstacle.stepUp.maxAge)
      return { status: 'attention', title: texts.tooOld.title, text: texts.tooOld.text[unit](userIdent, host, count) }
    }
  }
}
