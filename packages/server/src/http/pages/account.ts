import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OwnAccount } from '../../account/account.ts'
import type { OwnOverview } from '../../account/overview.ts'
import type { Config } from '../../config/config.ts'
import type { Caller } from '../caller.ts'
import { type FormHeaders, html } from '../headers.ts'
import { isOurs } from '../misconfiguration.ts'
import type { Rates } from '../rate-limits.ts'
import type { Forms } from './forms.ts'
import type { PagesFor } from './localized.ts'
import type { Returns } from './return-addresses.ts'

/** The pages of signed-in users, and their forms that work without a script. */
export const addAccountPages = (
  app: FastifyInstance,
  deps: {
    caller: Caller
    rates: Rates
    ownAccount: OwnAccount
    ownOverview: OwnOverview
    config: Config
    now: () => number
    returns: Returns
    forms: Forms
    formHeaders: FormHeaders
    pagesFor: PagesFor
  },
) => {
  const { caller, rates, ownAccount, ownOverview, config, now, returns, forms, formHeaders, pagesFor } = deps
  const dashboard = dashboardOf(config)
  const toSignIn = (reply: FastifyReply) => forms.goTo(reply, '/')

  forms.bind(
    app,
    '/account',
    async (request, reply) => {
      const session = await caller.session(request)
      const account = session && (await ownOverview.show(session, caller.visitor(request)))
      return account
        ? html(formHeaders(reply), pagesFor(request, reply).account({ account, now: new Date(now()).toISOString(), dashboard }))
        : toSignIn(reply)
    },
    // The page's only form signs out.
    async (_, { request, reply }) => {
      await caller.signOut(request)
      caller.clearCookie(reply, 'session')
      return toSignIn(reply)
    },
  )

  /**
   * If the user may create recovery codes, returns the session and the address to continue to.
   * Otherwise returns the response.
   */
  const offer = async (request: FastifyRequest, reply: FastifyReply) => {
    const session = await caller.session(request)
    if (!session) return { answer: toSignIn(reply) }
    const dashboardUrl = await returns.next(request)
    return (await ownAccount.mayMakeRecoveryCodes(session)) ? { session, dashboardUrl } : { answer: reply.redirect(dashboardUrl, 303) }
  }

  forms.bind(
    app,
    '/recovery-codes',
    async (request, reply) => {
      const offered = await offer(request, reply)
      if ('answer' in offered) return offered.answer
      return html(formHeaders(reply), pagesFor(request, reply).recoveryCodes({ dashboardUrl: offered.dashboardUrl }))
    },
    async (_, { request, reply }) => {
      await rates.count('tokens', request.ip)
      const offered = await offer(request, reply)
      if ('answer' in offered) return offered.answer
      const { session, dashboardUrl } = offered
      const codes = await ownAccount.makeRecoveryCodes(session, caller.visitor(request))
      // The codes are shown only now, so there is no redirect.
      return codes
        ? html(formHeaders(reply), pagesFor(request, reply).recoveryCodes({ dashboardUrl, codes }))
        : reply.redirect(dashboardUrl, 303)
    },
  )
}

/** Where users go after signing in, if that is not a page of this server. */
const dashboardOf = ({ dashboardUrl, publicUrl }: Config) => {
  const { href, host } = new URL(dashboardUrl, publicUrl.origin)
  return isOurs(href, publicUrl.origin + publicUrl.path) ? undefined : { name: host, href }
}
