import { pages as addresses, type SSOProvider } from '@gatehouse/wire'
import type { NoticeProps, ProviderNotes } from '@gatehouse/wire/page-props'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import type { ProviderConfig } from '../../sso/provider-config.ts'
import type { Outage } from '../../sso/provider-outages.ts'
import type { Arrival, Sso } from '../../sso/sso.ts'
import { refuseOtherMethods } from '../bind.ts'
import type { Caller } from '../caller.ts'
import { html } from '../headers.ts'
import type { Rates } from '../rate-limits.ts'
import type { SignInAttempts } from '../sign-in-attempts.ts'
import type { BuiltPages } from './built-pages.ts'

type Why = Extract<Arrival, { is: 'Refused' }>['why']

/** The redirect to a provider and back. Every failure of the provider is explained on a page; none causes a 500. */
export const addSsoJourneys = (
  app: FastifyInstance,
  deps: { config: Config; caller: Caller; rates: Rates; attempts: SignInAttempts; sso: Sso; pages: BuiltPages },
) => {
  const { config, caller, sso, pages } = deps
  const base = config.publicUrl.path

  const page = (path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) => {
    // GET only: HEAD would start or end a journey.
    app.get(path, { exposeHeadRoute: false }, handler)
    refuseOtherMethods(app, path, ['GET'])
  }

  const showNotice = (
    reply: FastifyReply,
    code: number,
    notice: Omit<NoticeProps, 'action'>,
    back = { label: 'Back to sign-in', href: `${base}/` },
  ) => html(reply.code(code), pages.notice({ ...notice, action: back }))

  page('/auth/page/plow/ssoLogin', async (request, reply) => {
    const { provider: name } = Object(request.query)
    const known = typeof name === 'string' ? providers.get(name) : undefined
    if (!known) {
      const text = 'Sign in with your email address and password, or ask your administrator.'
      return showNotice(reply, 404, { status: 'attention', title: 'Unknown sign-in provider', text })
    }
    const provider = sso.find(known)
    if (!provider) {
      const text = 'Sign in with your email address and password, or ask your administrator.'
      return showNotice(reply, 404, { status: 'attention', title: `${words[known]} is not set up here`, text })
    }
    await deps.rates.count('signIn', request.ip)
    // A user who signs in again proves it: the provider must not answer for its own old session.
    const isAgain = (await caller.session(request)) !== undefined
    const departure = await sso.depart(provider, null, caller.cookie(request, 'sso'), isAgain)
    if (!departure) return refused(reply, provider, 'unavailable')
    caller.setCookie(reply, 'sso', departure.binding)
    return reply.redirect(departure.location, 303)
  })

  for (const [name, known] of providers) {
    page(`/auth/sso/${name}/callback`, async (request, reply) => {
      const provider = sso.find(known)
      if (!provider)
        return showNotice(reply, 404, {
          status: 'attention',
          title: `${words[known]} is not set up here`,
          text: 'Sign in another way, or ask your administrator.',
        })
      await deps.rates.count('tokens', request.ip)
      const query = new URL(request.url, 'http://localhost').searchParams
      const before = await caller.session(request)
      // A browser with a session usually links a provider.
      const visitor = before ? caller.visitor(request) : deps.attempts.visitor({ request, reply })
      const arrival = await sso.arrive(provider, query, caller.cookie(request, 'sso') ?? '', before, visitor)
      switch (arrival.is) {
        case 'Refused':
          return refused(reply, provider, arrival.why)
        case 'Linked':
          return reply.redirect(`${base}/account`, 303)
        case 'SignedIn': {
          const outcome = deps.attempts.answer('sso', arrival.signedIn, { request, reply })
          if (outcome.tag !== 'AuthSuccessful') return reply.redirect(`${base}/second-factor`, 303)
          const { authTokenSelector, authTokenToken } = outcome.contents
          return reply.redirect(base + addresses.token(authTokenSelector, authTokenToken), 303)
        }
      }
    })
  }

  const refused = (reply: FastifyReply, provider: ProviderConfig, why: Why) => {
    const { code, ...notice } = refusals(words[provider.provider])[why]
    if (why === 'forced-reset') return showNotice(reply, code, notice, { label: 'Reset your password', href: `${base}/forgot-password` })
    if (why === 'taken') return showNotice(reply, code, notice, { label: 'Back to your account', href: `${base}/account` })
    return showNotice(reply, code, notice)
  }
}

const providers: ReadonlyMap<string, SSOProvider> = new Map([
  ['google', 'Google'],
  ['azure', 'Azure'],
  ['pak', 'Pak'],
])
const words: Record<SSOProvider, string> = { Google: 'Google', Azure: 'Microsoft', Pak: 'Pak Platform' }

/** The text below the buttons of providers that did not respond. */
export const notesOf = (outages: readonly Outage[]): ProviderNotes | undefined =>
  outages.length === 0
    ? undefined
    : Object.fromEntries(
        outages.map(({ provider, isRecent }) => {
          const known = providers.get(provider)
          return [provider, `${known ? words[known] : provider} didn’t respond ${isRecent ? 'a moment' : 'a minute'} ago`]
        }),
      )

/** Pages that say what happened and what to do. */
const refusals = (name: string): Record<Why, { code: number } & Omit<NoticeProps, 'action'>> => ({
  unavailable: {
    code: 409,
    status: 'attention',
    title: `${name} isn’t responding`,
    text: `We couldn’t reach ${name}. Try again in a moment, or sign in with your password.`,
  },
  over: {
    code: 400,
    status: 'expired',
    title: 'This sign-in expired',
    text: `Your sign-in with ${name} took too long or was opened in another browser. Start again.`,
  },
  cancelled: {
    code: 400,
    status: 'attention',
    title: 'Sign-in canceled',
    text: `The sign-in with ${name} was canceled. Nothing has changed.`,
  },
  failed: {
    code: 400,
    status: 'stopped',
    title: `Sign-in with ${name} failed`,
    text: `${name}’s reply couldn’t be verified. Start again. If it keeps happening, tell your administrator.`,
  },
  'unknown-identity': {
    code: 403,
    status: 'attention',
    title: `This ${name} account is not linked`,
    text: `No user here is linked to the ${name} account that you chose. Sign in with your email address and password, then link it on your account page. Or ask your administrator.`,
  },
  'name-taken': {
    code: 403,
    status: 'attention',
    title: `Link your ${name} account first`,
    text: `A user with this email address already exists but is not linked to ${name}. Sign in with your password, then link ${name} on your account page.`,
  },
  taken: {
    code: 409,
    status: 'stopped',
    title: `This ${name} account can’t be linked`,
    text: `Either it is already linked to another user, or your account is linked to another ${name} account. Unlink that one first.`,
  },
  'forced-reset': {
    code: 403,
    status: 'attention',
    title: 'Reset your password first',
    text: 'Your password has been reset by an administrator. Please reset your password.',
  },
})
