import { pages as addresses, type SSOProvider } from '@gatehouse/wire'
import type { EndStatus, NoticeProps, ProviderNotes } from '@gatehouse/wire/page-props'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import type { ProviderConfig } from '../../sso/provider-config.ts'
import type { Outage } from '../../sso/provider-outages.ts'
import type { Arrival, Sso } from '../../sso/sso.ts'
import type { ProviderTexts } from '../../texts/page-texts.ts'
import { providerNames } from '../../texts/provider-names.ts'
import { type Call, refuseOtherMethods } from '../bind.ts'
import type { Caller } from '../caller.ts'
import { html } from '../headers.ts'
import type { Rates } from '../rate-limits.ts'
import type { SignInAttempts } from '../sign-in-attempts.ts'
import type { TextsOf } from '../texts-of.ts'
import type { PagesFor } from './localized.ts'

type Why = Extract<Arrival, { is: 'Refused' }>['why']

/** The redirect to a provider and back. Every failure of the provider is explained on a page; none causes a 500. */
export const addSsoJourneys = (
  app: FastifyInstance,
  deps: { config: Config; caller: Caller; rates: Rates; attempts: SignInAttempts; sso: Sso; pagesFor: PagesFor; textsOf: TextsOf },
) => {
  const { config, caller, sso, pagesFor, textsOf } = deps
  const base = config.publicUrl.path

  const page = (path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) => {
    // GET only: HEAD would start or end a journey.
    app.get(path, { exposeHeadRoute: false }, handler)
    refuseOtherMethods(app, path, ['GET'])
  }

  const toSignIn = (request: FastifyRequest) => ({ label: textsOf(request).backToSignIn, href: `${base}/` })

  const showNotice = ({ request, reply }: Call, code: number, notice: Omit<NoticeProps, 'action'>, back: NoticeProps['action']) =>
    html(reply.code(code), pagesFor(request, reply).notice({ ...notice, action: back }))

  page('/auth/page/plow/ssoLogin', async (request, reply) => {
    const { provider: name } = Object(request.query)
    const known = typeof name === 'string' ? providers.get(name) : undefined
    if (!known)
      return showNotice({ request, reply }, 404, { status: 'attention', ...textsOf(request).providers.unknown }, toSignIn(request))
    const provider = sso.find(known)
    if (!provider) return absent({ request, reply }, known, 'atSignIn')
    await deps.rates.count('signIn', request.ip)
    // A signed-in user must sign in at the provider again. The provider must not answer from its own old session.
    const isAgain = (await caller.session(request)) !== undefined
    const departure = await sso.depart(provider, null, caller.cookie(request, 'sso'), isAgain)
    if (!departure) return refused({ request, reply }, provider, 'unavailable')
    caller.setCookie(reply, 'sso', departure.binding)
    return reply.redirect(departure.location, 303)
  })

  for (const [name, known] of providers) {
    page(`/auth/sso/${name}/callback`, async (request, reply) => {
      const provider = sso.find(known)
      if (!provider) return absent({ request, reply }, known, 'onReturn')
      await deps.rates.count('tokens', request.ip)
      const query = new URL(request.url, 'http://localhost').searchParams
      const before = await caller.session(request)
      // With a session, the return usually completes the linking of a provider, which is not a step of a sign-in.
      const visitor = before ? caller.visitor(request) : deps.attempts.visitor({ request, reply })
      const arrival = await sso.arrive(provider, query, caller.cookie(request, 'sso') ?? '', before, visitor)
      switch (arrival.is) {
        case 'Refused':
          return refused({ request, reply }, provider, arrival.why)
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

  const absent = ({ request, reply }: Call, provider: SSOProvider, when: 'atSignIn' | 'onReturn') => {
    const { title, [when]: text } = textsOf(request).providers.absent
    return showNotice({ request, reply }, 404, { status: 'attention', title: title(providerNames[provider]), text }, toSignIn(request))
  }

  const refused = ({ request, reply }: Call, { provider }: ProviderConfig, why: Why) => {
    const { providers: texts } = textsOf(request)
    const { code, status } = refusals[why]
    const notice = { status, ...wordsOf(texts, why, providerNames[provider]) }
    if (why === 'forced-reset')
      return showNotice({ request, reply }, code, notice, { label: texts[why].action, href: `${base}/forgot-password` })
    if (why === 'taken') return showNotice({ request, reply }, code, notice, { label: texts.toAccount, href: `${base}/account` })
    return showNotice({ request, reply }, code, notice, toSignIn(request))
  }
}

const providers: ReadonlyMap<string, SSOProvider> = new Map([
  ['google', 'Google'],
  ['azure', 'Azure'],
  ['pak', 'Pak'],
])

/** The text below the buttons of providers that did not respond. */
export const notesOf = (outages: readonly Outage[], { notes }: ProviderTexts): ProviderNotes | undefined =>
  outages.length === 0
    ? undefined
    : Object.fromEntries(
        outages.map(({ provider, isRecent }) => {
          const known = providers.get(provider)
          return [provider, (isRecent ? notes.aMomentAgo : notes.aMinuteAgo)(known ? providerNames[known] : provider)]
        }),
      )

/** Pages that say what happened and what to do. */
const refusals: Record<Why, { code: number; status: EndStatus }> = {
  unavailable: { code: 409, status: 'attention' },
  over: { code: 400, status: 'expired' },
  cancelled: { code: 400, status: 'attention' },
  failed: { code: 400, status: 'stopped' },
  'unknown-identity': { code: 403, status: 'attention' },
  'name-taken': { code: 403, status: 'attention' },
  taken: { code: 409, status: 'stopped' },
  'forced-reset': { code: 403, status: 'attention' },
}

const wordsOf = (texts: ProviderTexts, why: Why, provider: string): { title: string; text: string } => {
  switch (why) {
    case 'forced-reset':
      return texts[why]
    case 'over':
    case 'cancelled':
      return { title: texts[why].title, text: texts[why].text(provider) }
    case 'unavailable':
    case 'failed':
    case 'unknown-identity':
    case 'name-taken':
    case 'taken':
      return { title: texts[why].title(provider), text: texts[why].text(provider) }
  }
}
