import type { NoticeProps } from '@gatehouse/wire/page-props'
import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import type { Administration } from '../../admin/administration.ts'
import type { Config } from '../../config/config.ts'
import type { PasskeyDue, PasskeyDueOf } from '../../sessions/phishing-resistance.ts'
import type { SignIn } from '../../sign-in/sign-in.ts'
import { refuseOtherMethods } from '../bind.ts'
import type { Caller } from '../caller.ts'
import { html, wantsPage } from '../headers.ts'
import type { Rates } from '../rate-limits.ts'
import type { SignInAgain } from '../sign-in-again.ts'
import type { BuiltPages } from './built-pages.ts'
import type { Returns } from './return-addresses.ts'

/** Addresses that browsers navigate to: administration, approver and token pages. */
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
  },
) => {
  const { config, caller, signIn, returns, pages } = deps
  const home = `${config.publicUrl.path}/`

  const page = (path: string, handler: RouteHandlerMethod) => {
    app.route({ method: ['GET', 'HEAD'], url: path, handler })
    refuseOtherMethods(app, path, ['GET', 'HEAD'])
  }

  const factorFirst = {
    status: 'attention' as const,
    title: 'Sign in with a second factor',
    text: 'Administration needs a second factor, and you signed in without one. Sign out, sign in again and set one up.',
    action: { label: 'Go to your account', href: `${config.publicUrl.path}/account` },
  }
  const passkeyFirst = {
    ...factorFirst,
    title: 'Sign in with a passkey',
    text: 'Administration needs a passkey. Add one on your account page. If you have one, confirm it there, or sign out and sign in with it.',
  }
  // One page under several addresses. Users who are not administrators get 404, as for any unknown address.
  for (const place of ['', '/sign-ins', '/users', '/user', '/second-factors', '/mails', '/passes']) {
    page(`/administration${place}`, async (request, reply) => {
      const session = await caller.session(request)
      if (!session) return reply.redirect(home, 303)
      const opened = await deps.administration.open(session)
      if (opened === 'without-factor') return html(reply.code(403), pages.notice(factorFirst))
      if (opened === 'without-passkey') return html(reply.code(403), pages.notice(passkeyFirst))
      return opened ? html(reply, pages.administration(opened)) : reply.callNotFound()
    })
  }

  /** Where users go who signed in without the passkey that the policy asks for. The account page is open to them. */
  page('/passkey-required', async (request, reply) => {
    const session = await caller.session(request)
    if (!session) return reply.redirect(home, 303)
    const due = deps.passkeyDue(session)
    const onward = await returns.next(request)
    if (!due) return reply.redirect(onward, 303)
    return html(reply, pages.notice(passkeyNotice(due, onward)))
  })
  const addPasskey = { label: 'Add a passkey', href: `${config.publicUrl.path}/account#passkeys` }
  const passkeyNotice = (due: PasskeyDue, onward: string): NoticeProps => {
    const title = 'Add a passkey'
    switch (due.is) {
      case 'Soon': {
        const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(due.from)
        const text = `From ${day} on, you need a passkey here: a code or an approval no longer suffices. Add one now on your account page. It takes a minute.`
        return { status: 'attention', title, text, action: addPasskey, other: { label: 'Not now', href: onward } }
      }
      case 'Now': {
        const text =
          'You need a passkey here. You’re signed in and can add one on your account page. If you already have a passkey, confirm it there, or sign out and sign in with it.'
        return { status: 'attention', title, text, action: addPasskey }
      }
    }
  }

  /** Opens the sign-in page to a user who is signed in. Other sites may link here: the session stays until the user has signed in. */
  page('/sign-in-again', async (request, reply) => {
    const session = await caller.session(request)
    if (session) deps.again.begin(reply, session.sessionSelector)
    const returnId = returns.idIn(request)
    return reply.redirect(`${home}${returnId ? `?return=${returnId}` : ''}`, 303)
  })

  // The app on an enrolled phone. Its service worker's address decides its scope: everything that begins with /approve.
  page('/approve', async (_, reply) => html(reply, pages.approve()))
  page('/approve-worker.js', async (_, reply) => reply.type('text/javascript; charset=utf-8').send(pages.approveWorker()))
  page('/approve.webmanifest', async (_, reply) => reply.type('application/manifest+json; charset=utf-8').send(pages.approveManifest()))

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
        return returns.explainTo(reply, 'secure-cookie-on-http', returns.originOf(request))
      const text = 'This sign-in link has been used, has expired or belongs to another browser.'
      const action = before ? { label: 'Continue to the dashboard', href: config.dashboardUrl } : { label: 'Sign in', href: home }
      return html(reply.code(410), pages.notice({ status: 'expired', title: 'This link no longer works', text, action }))
    }
    caller.clearCookie(reply, 'hand-over')
    if (arrived.session) caller.setCookie(reply, 'session', arrived.session)
    const { address } = await returns.onward(request, reply, arrived)
    return reply.redirect(address, 303)
  })
}

/** Responds 404 to unknown addresses, below the public path and elsewhere, without repeating them. */
export const answerNothingHere = (app: FastifyInstance, basePath: string, pages: BuiltPages, returns: Returns) => {
  const notice = {
    status: 'attention' as const,
    title: 'There is nothing here',
    text: 'Check the address, or go back to sign-in.',
    action: { label: 'Back to sign-in', href: `${basePath}/` },
  }
  app.setNotFoundHandler(async (request, reply) => {
    reply.code(404)
    if (!wantsPage(request.headers)) return reply.send({ error: 'address: there is nothing here' })
    return html(reply, (await returns.explainNothingHere(request)) ?? pages.notice(notice))
  })
}
