import { routes } from '@gatehouse/wire'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { isDatabaseFault } from '../database-fault.ts'
import { type Assertions, factsOfSession } from '../forward-auth/assertions/assertions.ts'
import { type ForwardAuth, nothingKept } from '../forward-auth/forward-auth.ts'
import { probeHeader, readProbe } from '../forward-auth/open-door/probe-token.ts'
import type { Passes } from '../forward-auth/passes.ts'
import type { StepUp } from '../forward-auth/rules/decision.ts'
import { countDuration } from '../forward-auth/rules/describe.ts'
import type { Keyring } from '../keys/keyring.ts'
import { readPass } from '../passes/pass-secret.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { type Asked, isFormPost, isKeepable, isNavigation, readAsked, readAskedPath } from './asked-address.ts'
import { bind, type Call, refuseOtherMethods } from './bind.ts'
import type { Caller } from './caller.ts'
import { groupsOf, identityHeaders } from './identity-headers.ts'
import { explain, isLedTo, isOurs, type Misconfiguration, misconfigurationOf, misconfigurationUrl, setUpOf } from './misconfiguration.ts'
import type { BuiltPages } from './pages/built-pages.ts'
import { misconfigurationProps } from './pages/misconfiguration.ts'
import { createPassCheck } from './pass-check.ts'
import type { Rates } from './rate-limits.ts'
import type { SignInAgain } from './sign-in-again.ts'
import type { TextsOf } from './texts-of.ts'

/**
 * The checks that proxies call before each request: `/auth/forward` for Caddy, `/auth/forward/omit-empty` for Traefik, and `/auth/request`
 * for nginx's auth_request.
 */
export const addForwardAuth = (
  app: FastifyInstance,
  deps: {
    config: Config
    caller: Caller
    rates: Rates
    sessions: Sessions
    forwardAuth: ForwardAuth
    assertions: Assertions
    again: SignInAgain
    passes: Passes
    pages: BuiltPages
    textsOf: TextsOf
    keyring: Keyring
  },
) => {
  const { config, caller, rates, forwardAuth, assertions, pages, textsOf } = deps
  const setUp = setUpOf(config)
  const { publicUrl } = setUp
  const checkPass = createPassCheck(deps)

  /** The handler of one check. nginx does not pass a redirect on, but its configuration can read the Location header. */
  const answers = (style: 'by-redirect' | 'by-location', visitorsHeaders: 'empty' | 'absent' = 'empty') => {
    const refuse = (reply: FastifyReply, status: 401 | 403, error: string, location: string | undefined) => {
      if (location !== undefined && style === 'by-redirect') return reply.redirect(location, 302)
      if (location !== undefined) reply.header('location', location)
      return reply.code(status).send({ error })
    }
    /**
     * Refuses the request, and redirects navigations. If the target of the redirect is behind this check as well, the browser would loop,
     * so the response is a page that explains this.
     */
    const refuseOrRedirect = async (
      request: FastifyRequest,
      reply: FastifyReply,
      refusal: { status: 401 | 403; error: string; asked: Asked | undefined; locationOf: () => Promise<string> | string },
    ) => {
      const { status, error, asked, locationOf } = refusal
      if (!isNavigation(request.headers)) return refuse(reply, status, error, undefined)
      const path = readAskedPath(request.headers)
      const wouldLoop = (asked && isOurs(asked.target, publicUrl)) || (mayBeOurs(asked) && isLedTo(path))
      if (!wouldLoop) return refuse(reply, status, error, await locationOf())
      const { html, policy } = pagesInPlace({ request, reply }).misconfigurationInPlace(
        misconfigurationProps('sign-in-guarded', setUp, asked?.target, textsOf(request).misconfiguration),
      )
      reply.header('gatehouse-trouble', 'sign-in-guarded').header('content-security-policy', policy)
      return reply.code(403).type('text/html; charset=utf-8').send(html)
    }
    /** Returns the pages in the request's language, for responses that the browser shows under the requested address. */
    const pagesInPlace = ({ request, reply }: Call) => {
      const language = caller.language(request)
      reply.header('content-language', language)
      return pages.in(language)
    }
    /** Whether the requested address may be a page of this server. The proxy may use another name for the server than browsers do. */
    const mayBeOurs = (asked: Asked | undefined) =>
      asked === undefined || asked.origin === config.publicUrl.origin || !forwardAuth.isProtected(asked.origin)
    /** Refuses because of a misconfiguration. Navigations get the page that explains it. */
    const refuseFor = (request: FastifyRequest, reply: FastifyReply, name: Misconfiguration, asked: Asked | undefined, error: string) => {
      reply.header('gatehouse-trouble', name)
      return refuseOrRedirect(request, reply, {
        status: 403,
        error,
        asked,
        locationOf: () => misconfigurationUrl(publicUrl, name, asked?.origin),
      })
    }
    /**
     * A redirect to sign-in would lose the submitted form, so this page tells the user what to do
     * first. nginx cannot show the page.
     */
    const explainPost = ({ request, reply }: Call, { origin, target }: Asked, { maxAge }: Extract<StepUp, { is: 'Fresh' }>) => {
      const { tooOldForForm, signInAgain, back } = textsOf(request).access
      const { count, unit } = countDuration(maxAge)
      const { html, policy } = pagesInPlace({ request, reply }).noticeInPlace({
        status: 'attention',
        title: tooOldForForm.title,
        text: tooOldForForm.text[unit](new URL(origin).host, count),
        action: { label: signInAgain, href: `${publicUrl}/sign-in-again`, newTab: true },
        other: { label: back, href: target },
      })
      return reply.code(401).header('content-security-policy', policy).type('text/html; charset=utf-8').send(html)
    }
    /**
     * The address of the page where visitors sign in, or read why access is refused. It contains the id of the requested address, if the
     * server could store that address.
     */
    const signInLocation = async (request: FastifyRequest, { target }: Asked, hadCookie: boolean, proof: string | undefined) => {
      // The open-door alarm's own requests get the proof instead of a return id. Attack: clients exhaust the limit of stored addresses, so
      // that the alarm gets no proof.
      if (proof !== undefined) return `${publicUrl}/?return=${proof}`
      const returnId =
        isKeepable(target) && (await rates.mayKeepReturn(request.ip)) ? await forwardAuth.keepReturn(target, hadCookie) : undefined
      return `${publicUrl}/?return=${returnId ?? nothingKept}`
    }

    /**
     * The proof, for the open-door alarm, that a proxy called this check. Attack: an application that the proxy does not protect calls the
     * check itself, with the token of the alarm's request. If trusted proxies are configured, only they get the proof.
     */
    const proofOf = (request: FastifyRequest, asked: Asked): string | undefined => {
      if (config.trustedProxies.length > 0 && (request.ips?.length ?? 1) < 2) return undefined
      return readProbe(request.headers[probeHeader], asked, { keyring: deps.keyring, now: forwardAuth.now })
    }

    return async (request: FastifyRequest, reply: FastifyReply) => {
      const asked = readAsked(request.headers, forwardAuth.isProtected)
      if ('unreadable' in asked) return refuseFor(request, reply, 'forwarded-headers', undefined, asked.unreadable)
      const { origin } = asked
      if (!forwardAuth.isProtected(origin)) {
        const name = misconfigurationOf(origin, setUp, forwardAuth.origins(), request.headers['sec-fetch-mode'] !== undefined)
        return refuseFor(request, reply, name, asked, `${name}: ${explain(name, setUp, origin).cause}`)
      }
      const toCheck = { ...askedRequest(request, asked), origin }
      const found = forwardAuth.findRule(toCheck)
      if (found.is === 'Unclear') return refuse(reply, 403, found.why, undefined)
      const { authorization } = request.headers
      const shownPass = readPass(authorization)
      if (shownPass && found.is === 'Rule') return checkPass(request, reply, shownPass, { rule: found.rule, asked: toCheck })
      const shown = caller.readCheckCookie(request, origin)
      const lead = (status: 401 | 403, error: string) => {
        const proof = proofOf(request, asked)
        if (proof !== undefined) reply.header(probeHeader, proof)
        const locationOf = () => signInLocation(request, asked, shown.value !== undefined, proof)
        return refuseOrRedirect(request, reply, { status, error, asked, locationOf })
      }
      if (found.is === 'NoRule') return lead(403, 'address: no rule allows it')
      const isPublic = found.rule.effect.is === 'Everyone'
      // The browser sent two cookies with this name, so another host set one of them. Attack: it makes this browser use the attacker's
      // session.
      if (shown.isDuplicate && !isPublic)
        return refuseFor(request, reply, 'cookie-twice', asked, `cookie-twice: ${explain('cookie-twice', setUp, origin).cause}`)
      const { rule } = found
      const identify = async () => {
        const { session, bridged } = await caller.checkedSession(request, shown)
        if (bridged === undefined) return { session, subject: forwardAuth.subjectOf(session) }
        const subject = forwardAuth.bridgedSubjectOf(session)
        if (!forwardAuth.mayBridge(rule, session, subject)) throw bridged.fault
        bridged.passed()
        return { session, subject }
      }
      const { session, subject } = await identify().catch((error: unknown) => {
        // A public rule needs no session: while the database is down, allow the request without an identity.
        if (isPublic && isDatabaseFault(error)) return { session: undefined, subject: forwardAuth.subjectOf(undefined) }
        throw error
      })
      const decision = forwardAuth.judge(rule, subject)
      switch (decision.is) {
        case 'AllowedToEveryone':
        case 'Allowed':
          if (session && subject.is === 'SignedIn') {
            const names = identityHeaders(subject)
            const facts = { ...factsOfSession(session), origin, groups: groupsOf(subject) }
            const assertion = await assertions.assertionFor(facts)
            reply.headers({ ...names, 'gatehouse-assertion': assertion })
          } else if (visitorsHeaders === 'empty') reply.headers(noIdentity)
          // Traefik copies this header from the response, or removes it if the response has none. No pass gets here, so these are the
          // application's own credentials: keep them.
          if (authorization !== undefined && style === 'by-redirect') reply.header('authorization', authorization)
          return reply.send()
        case 'NeedsSignIn':
          return lead(401, 'session: sign in first')
        case 'NeedsStepUp': {
          const { stepUp } = decision
          if (stepUp.is !== 'Fresh') return lead(403, stepUpError(stepUp))
          reply.header('www-authenticate', challengeFor(stepUp))
          if (isFormPost(request.headers)) return explainPost({ request, reply }, asked, stepUp)
          return lead(401, stepUpError(stepUp))
        }
        case 'Refused':
          return lead(403, 'session: not allowed here')
      }
    }
  }

  for (const [path, handler] of [
    ['/auth/forward', answers('by-redirect')],
    // The variant is a path, not a query parameter. Attack: Caddy passes a client's own query on to the check, so the client could choose
    // the variant.
    ['/auth/forward/omit-empty', answers('by-redirect', 'absent')],
    ['/auth/request', answers('by-location')],
  ] as const) {
    app.route({ method: ['GET', 'HEAD'], url: path, handler })
    refuseOtherMethods(app, path, ['GET', 'HEAD'])
  }

  bind(app, routes.returnFragment, async (fragment, { request }) => {
    await rates.count('tokens', request.ip)
    await forwardAuth.keepFragment(fragment)
    return {}
  })
  bind(app, routes.sessionCheck, async (_, { request }) => {
    await rates.count('polls', request.ip)
    const selector = await deps.sessions.selectorOf(caller.cookie(request, 'session'))
    if (selector === undefined) return { signedIn: false }
    // A tab that makes the user sign in again must not continue with the old session. For all other
    // pages that session is valid.
    return { signedIn: true, ...(deps.again.isBegun(request, selector) && { signingInAgain: true }) }
  })
}

const askedRequest = (request: FastifyRequest, { uri }: Asked) => {
  const method = request.headers['x-forwarded-method']
  return { uri, method: typeof method === 'string' ? method : undefined, address: request.ip }
}

/** The challenge of RFC 9470 §3. A program can show its text to the user, who then signs in again in a browser. */
const challengeFor = ({ maxAge }: Extract<StepUp, { is: 'Fresh' }>) =>
  `Bearer error="insufficient_user_authentication", error_description="A more recent sign-in is required", max_age="${maxAge / 1000}"`

const stepUpError = (stepUp: StepUp): string => {
  switch (stepUp.is) {
    case 'SecondFactor':
      return 'session: a second factor is required here'
    case 'Passkey':
      return 'session: a passkey is required here'
    case 'Fresh':
      return 'session: a recent sign-in is required here'
  }
}

/**
 * The identity headers for a visitor without a session. If the check does not send a header, Caddy 2.6 passes on its own placeholder
 * instead. Traefik calls `omit-empty`, because it would pass the empty headers on to the application.
 */
const noIdentity = { 'remote-user': '', 'remote-email': '', 'remote-groups': '', 'x-webauth-user': '', 'gatehouse-assertion': '' }
