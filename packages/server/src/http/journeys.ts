import type { FastifyInstance, FastifyReply, RouteHandlerMethod } from 'fastify'
import type { Config } from '../config.ts'
import type { SignIn } from '../sign-in.ts'
import { refuseOtherMethods } from './bind.ts'
import type { BuiltPages, Notice } from './built-pages.ts'
import type { Caller } from './caller.ts'

/** What a browser navigates to: the pages, the token page, the way to single sign-on. */
export const addJourneys = (app: FastifyInstance, deps: { config: Config; caller: Caller; signIn: SignIn; pages: BuiltPages }) => {
  const { config, caller, signIn } = deps
  const home = `${config.publicUrl.path}/`
  const toSignIn = { label: 'Back to sign-in', href: home }

  const page = (path: string, handler: RouteHandlerMethod) => {
    app.route({ method: 'GET', url: path, handler })
    refuseOtherMethods(app, path, ['GET', 'HEAD'])
  }
  const html = (reply: FastifyReply, text: string) => reply.type('text/html; charset=utf-8').send(text)
  const notice = (reply: FastifyReply, status: number, props: Notice) => html(reply.code(status), deps.pages.notice(props))

  page('/', async (request, reply) => {
    const session = await caller.session(request)
    return session ? reply.redirect(config.dashboardUrl, 303) : html(reply, deps.pages.signIn())
  })

  page('/account', async (request, reply) => {
    const session = await caller.session(request)
    if (!session) return reply.redirect(home, 303)
    return html(reply, deps.pages.account({ username: session.userIdent, administrator: config.admins.has(session.userIdent) }))
  })

  page('/auth/page/plow/:selector/:token', async (request, reply) => {
    const { selector = '', token = '' } = request.params as Record<string, string>
    const claim = { authTokenSelector: selector, authTokenToken: token, binding: caller.cookie(request, 'hand-over') ?? '' }
    const before = await caller.session(request)
    const arrived = await signIn.arrive(claim, caller.visitor(request), before)
    if (!arrived) {
      return notice(reply, 410, {
        title: 'This sign-in is over',
        text: 'The address you opened works once, for one minute, in the browser that signed in. It has been used, has expired or belongs to another browser.',
        action: before ? { label: 'Continue to the dashboard', href: config.dashboardUrl } : { label: 'Sign in', href: home },
      })
    }
    caller.clearCookie(reply, 'hand-over')
    if (arrived.session) caller.setCookie(reply, 'session', arrived.session)
    return reply.redirect(config.dashboardUrl, 303)
  })

  page('/auth/page/plow/ssoLogin', async (request, reply) => {
    const { provider } = request.query as Record<string, unknown>
    const name =
      typeof provider === 'string' && Object.hasOwn(providerNames, provider)
        ? providerNames[provider as keyof typeof providerNames]
        : undefined
    return notice(reply, 404, {
      title: name ? `${name} is not set up` : 'This way of signing in is not known',
      text: 'Nobody has connected it to this Gatehouse. Sign in with your email address and password, or ask your administrator.',
      action: toSignIn,
    })
  })

  app.setNotFoundHandler((request, reply) => {
    if (!request.headers.accept?.includes('text/html')) return reply.code(404).send({ error: 'address: there is nothing here' })
    return notice(reply, 404, {
      title: 'There is nothing here',
      text: 'The address may be mistyped, or the page has moved.',
      action: toSignIn,
    })
  })
}

const providerNames = { google: 'Google', azure: 'Microsoft', pak: 'Pak Platform' }
