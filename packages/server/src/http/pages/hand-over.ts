import { type NoticeProps, pagePaths } from '@gatehouse/wire/page-props'
import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { Administration } from '../../admin/administration.ts'
import type { Config } from '../../config/config.ts'
import type { PasskeyDue, PasskeyDueOf } from '../../sessions/phishing-resistance.ts'
import type { SignIn } from '../../sign-in/sign-in.ts'
import { type Call, refuseOtherMethods } from '../bind.ts'
import type { Caller } from '../caller.ts'
import { html, wantsPage } from '../headers.ts'
import type { Rates } from '../rate-limits.ts'
import type { SignInAgain } from '../sign-in-again.ts'
import type { TextsOf } from '../texts-of.ts'
import type { BuiltPages } from './built-pages.ts'
import type { PagesFor } from './localized.ts'
import type { Returns } from './return-addresses.ts'

/** Addresses that browsers navigate to: administration, required passkey, repeated sign-in, approver and token page. */
export const addJourneys = (
  app: FastifyInstance,
  deps: {
    config: Config
    caller: Caller
    rates: Rates
    signIn: SignIn
    administration: Administration
    passkeyDue: PasskeyDueOf
    returns: Returns
    again: SignInAgain
    pages: BuiltPages
    pagesFor: PagesFor
    textsOf: TextsOf
  },
) => {
  const { config, caller, signIn, returns, pages, pagesFor, textsOf } = deps
  const home = `${config.publicUrl.path}/`

  const page = (path: string, handler: RouteHandlerMethod) => {
    app.route({ method: ['GET', 'HEAD'], url: path, handler })
    refuseOtherMethods(app, path, ['GET', 'HEAD'])
  }

  const administrationNotice = ({ request, reply }: Call, opened: 'withoutFactor' | 'withoutPasskey') => {
    const { access, administration } = textsOf(request)
    return pagesFor(request, reply).notice({
      status: 'attention',
      ...administration[opened],
      action: { label: access.toAccount, href: `${config.publicUrl.path}/account` },
    })
  }
  // One page under several addresses. Users who are not administrators get 404, as for any unknown address.
  for (const path of pagePaths.administration) {
    page(path, async (request, reply) => {
      const session = await caller.session(request)
      if (!session) return reply.redirect(home, 303)
      const opened = await deps.administration.open(session)
      if (opened === 'without-factor') return html(reply.code(403), administrationNotice({ request, reply }, 'withoutFactor'))
      if (opened === 'without-passkey') return html(reply.code(403), administrationNotice({ request, reply }, 'withoutPasskey'))
      return opened ? html(reply, pagesFor(request, reply).administration(opened)) : reply.callNotFound()
    })
  }

  /** The page for users who signed in without the passkey that the policy requires. They can open the account page and add one. */
  page('/passkey-required', async (request, reply) => {
    const session = await caller.session(request)
    if (!session) return reply.redirect(home, 303)
    const due = deps.passkeyDue(session)
    const onward = await returns.next(request)
    if (!due) return reply.redirect(onward, 303)
    return html(reply, pagesFor(request, reply).notice(passkeyNotice(request, due, onward)))
  })
  const passkeyNotice = (request: FastifyRequest, due: PasskeyDue, onward: string): NoticeProps => {
    const texts = textsOf(request).passkeyDue
    const { title } = texts
    const action = { label: texts.add, href: `${config.publicUrl.path}/account#passkeys` }
    switch (due.is) {
      case 'Soon': {
        const inLanguage = new Intl.DateTimeFormat(caller.language(request), {
          dateStyle: 'long',
          timeZone: 'UTC',
          numberingSystem: 'latn',
        })
        const day = inLanguage.format(due.from)
        return { status: 'attention', title, text: texts.soon(day), action, other: { label: texts.later, href: onward } }
      }
      case 'Now':
        return { status: 'attention', title, text: texts.now, action }
    }
  }

  /** Opens the sign-in page to a signed-in user. Other sites may link here: the session stays until the user has signed in again. */
  page('/sign-in-again', async (request, reply) => {
    const session = await caller.session(request)
    if (session) deps.again.begin(reply, session.sessionSelector)
    const returnId = returns.idIn(request)
    return reply.redirect(`${home}${returnId ? `?return=${returnId}` : ''}`, 303)
  })

  // The app on an enrolled phone. The service worker's address is next to the page's, because a
  // worker's scope (here /approve) must be in the worker's folder.
  page('/approve', async (request, reply) => html(reply, pagesFor(request, reply).approve()))
  page('/approve-worker.js', async (_, reply) => reply.type('text/javascript; charset=utf-8').send(pages.approveWorker()))
  page('/approve.webmanifest', async (request, reply) =>
    reply
      .type('application/manifest+json; charset=utf-8')
      .send(pagesFor(request, reply, 'once').approveManifest(textsOf(request).approver)),
  )

  // Only GET: a HEAD request must not use the token up.
  const tokenPage = '/auth/page/plow/:selector/:token'
  refuseOtherMethods(app, tokenPage, ['GET'])
  app.get(tokenPage, { exposeHeadRoute: false }, async (request, reply) => {
    await deps.rates.count('tokens', request.ip)
    const { selector = '', token = '' } = request.params as Record<string, string>
    const claim = { authTokenSelector: selector, authTokenToken: token, binding: caller.cookie(request, 'hand-over') ?? '' }
    const before = await caller.session(request)
    const arrived = await signIn.arrive(claim, caller.visitor(request), before)
    if (!arrived) {
      if (!claim.binding && returns.isOnPlainHttp(request))
        return returns.explainTo({ request, reply }, 'secure-cookie-on-http', returns.originOf(request))
      const { linkUsed, toDashboard, toSignIn } = textsOf(request).signIn
      const action = before ? { label: toDashboard, href: config.dashboardUrl } : { label: toSignIn, href: home }
      // The address holds the code, so the page sends no Referer.
      return html(reply.code(410), pagesFor(request, reply, 'once').notice({ status: 'expired', ...linkUsed, action }))
    }
    caller.clearCookie(reply, 'hand-over')
    if (arrived.session) caller.setCookie(reply, 'session', arrived.session)
    const { address } = await returns.onward(request, reply, arrived)
    return reply.redirect(address, 303)
  })
}

/** Responds 404 to unknown addresses, below the public path and elsewhere, without repeating them. */
export const answerNothingHere = (
  app: FastifyInstance,
  basePath: string,
  { pagesFor, returns, textsOf }: { pagesFor: PagesFor; returns: Returns; textsOf: TextsOf },
) => {
  const notice = ({ request, reply }: Call) => {
    const { nothingHere, backToSignIn } = textsOf(request)
    return pagesFor(request, reply).notice({ status: 'absent', ...nothingHere, action: { label: backToSignIn, href: `${basePath}/` } })
  }
  app.setNotFoundHandler(async (request, reply) => {
    reply.code(404)
    if (!wantsPage(request.headers)) return reply.send({ error: 'address: there is nothing here' })
    return html(reply, (await returns.explainNothingHere({ request, reply })) ?? notice({ request, reply }))
  })
}
