import { asciiDigits } from '@gatehouse/language/digits.ts'
import { decode, type MailLinkLookRequest, routes } from '@gatehouse/wire'
import type { FieldProblem, PastedLink } from '@gatehouse/wire/page-props'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OwnAccount } from '../../account/account.ts'
import { BadInput } from '../../bad-input.ts'
import type { Config } from '../../config/config.ts'
import type { FactorReset } from '../../recovery/factor-reset.ts'
import type { Recovery } from '../../recovery/recovery.ts'
import type { Call } from '../bind.ts'
import type { Caller } from '../caller.ts'
import { type FormHeaders, html } from '../headers.ts'
import type { Rates } from '../rate-limits.ts'
import type { SignInAttempts } from '../sign-in-attempts.ts'
import type { BuiltPages, LocalizedPages } from './built-pages.ts'
import type { Fields } from './form-body.ts'
import type { Forms } from './forms.ts'
import type { PagesFor } from './localized.ts'
import type { PageNotes } from './page-notes.ts'

type Kind = MailLinkLookRequest['kind']
type Claim = { kind: Kind; selector: string; token: string }

/** Matches the selector and token at the end of a link. The user may paste any part of the address before them. */
const pasted = /(?:^|[#\s])([\w-]{1,128})\.([\w-]{1,128})\s*$/

/**
 * The pages of mailed links. A link's token is in its fragment, which no server sees, so without a script the user pastes the link. The
 * form sends it in its body, which appears in no log and no Referer. A sealed cookie stores it until a button redeems it.
 */
export const addMailLinkPages = (
  app: FastifyInstance,
  deps: {
    config: Config
    caller: Caller
    rates: Rates
    attempts: SignInAttempts
    recovery: Recovery
    factorReset: FactorReset
    ownAccount: OwnAccount
    notes: PageNotes
    forms: Forms
    formHeaders: FormHeaders
    pages: BuiltPages
    pagesFor: PagesFor
  },
) => {
  const { config, caller, rates, attempts, recovery, factorReset, ownAccount, notes, forms, formHeaders, pages, pagesFor } = deps
  const { goTo } = forms
  const { minPasswordLength } = config

  const bindLink = (
    path: string,
    kind: Kind,
    draw: (pages: LocalizedPages, begin?: PastedLink<never>) => string,
    use: (fields: Fields, claim: Claim, call: Call, email: string) => Promise<FastifyReply>,
    /** Renders the page that a redirect leads to after the link was used, if this page has one. */
    drawDone?: (pages: LocalizedPages, email: string, passkeys: readonly string[]) => string,
  ) => {
    const claimOf = (request: FastifyRequest): Claim | undefined => {
      const link = notes.read(request, 'link')
      return link?.kind === kind ? { ...link, kind } : undefined
    }
    /** Checks a link without using it up. */
    const look = async (request: FastifyRequest, claim: Claim): Promise<PastedLink<never> & { is: 'Dead' | 'Good' }> => {
      await rates.count('tokens', request.ip)
      const { state, email, asksNumber } = await recovery.look(claim, caller.visitor(request))
      return state === 'Good' ? { is: 'Good', email: email ?? '', ...(asksNumber && { asksNumber }) } : { is: 'Dead', why: state }
    }
    const show = async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
      const note = notes.read(request, 'problem')
      if (note) notes.clear(reply, 'problem')
      if (note?.at === path && 'done' in note && drawDone) return drawDone(pagesFor(request, reply), note.done, note.passkeys ?? [])
      const claim = claimOf(request)
      const found = claim && (await look(request, claim))
      // Report a dead link once: at the next visit, the user may have another link to paste.
      if (found?.is === 'Dead') notes.clear(reply, 'link')
      const problem = found?.is === 'Good' && note?.at === path && 'problem' in note ? note.problem : undefined
      return draw(pagesFor(request, reply), problem && found?.is === 'Good' ? { ...found, is: 'GoodWithError', problem } : found)
    }
    forms.bind(
      app,
      path,
      async (request, reply) => html(formHeaders(reply), await show(request, reply)),
      async (fields, call) => {
        const { request, reply } = call
        const typed = fields.get('link')
        if (typed !== undefined) {
          const [, selector = '', token = ''] = pasted.exec(typed) ?? []
          notes.leave(reply, 'link', { kind, selector, token })
          // Without a fragment in the new address, browsers keep the old one, and the token would stay in the address bar.
          return goTo(reply, `${path}#`)
        }
        const claim = claimOf(request)
        const found = claim && (await look(request, claim))
        return claim && found?.is === 'Good' ? use(fields, claim, call, found.email) : goTo(reply, path)
      },
    )
  }

  bindLink(
    '/one-time-link',
    'OneTimeLink',
    (localized, begin) => localized.oneTimeLink({ begin }),
    async (fields, { selector, token }, call) => {
      const { request, reply } = call
      const number = fields.get('number')?.slice(0, 8)
      const claim = { selector, token, ...(number !== undefined && { number: asciiDigits(number) }) }
      const outcome = attempts.answer('redeem', await recovery.redeemOneTimeLink(claim, attempts.visitor(call)), call)
      // The page then shows whether the link was used or has expired.
      if (outcome.tag === 'AuthFailureFailedLogin') {
        if (number !== undefined) notes.leave(reply, 'problem', { at: '/one-time-link', problem: pagesFor(request, reply).wrongNumber })
        return goTo(reply, '/one-time-link')
      }
      notes.clear(reply, 'link')
      return forms.follow(pages.afterLogin(outcome, { username: '', password: '' }), call, '/')
    },
  )

  bindLink(
    '/new-password',
    'PasswordReset',
    (localized, begin) => localized.newPassword({ minPasswordLength, begin }),
    async (fields, { selector, token }, { request, reply }, username) => {
      const [newpassword, again] = [fields.get('newpassword') ?? '', fields.get('newpasswordverification') ?? '']
      const wrong = (problem: FieldProblem) => {
        notes.leave(reply, 'problem', { at: '/new-password', problem })
        return goTo(reply, '/new-password')
      }
      const problem = pagesFor(request, reply).newPasswordProblem(newpassword, again, minPasswordLength)
      if (problem) return wrong(problem)
      const reset = { username, resettoken: `${selector}.${token}`, newpassword, newpasswordverification: again }
      const decoded = decode(routes.resetPassword.request, reset)
      try {
        if (!decoded.ok) throw new BadInput(decoded.error.replace(/^.*\/newpassword: /, 'newpassword: '))
        const changed = await recovery.resetPassword(decoded.value, caller.visitor(request))
        if (changed) {
          notes.clear(reply, 'link')
          notes.leave(reply, 'problem', { at: '/new-password', done: username, passkeys: changed.passkeys })
        }
        return goTo(reply, '/new-password')
      } catch (error) {
        const refused = error instanceof BadInput ? pagesFor(request, reply).refusedPassword(error.message, error.code) : undefined
        if (refused) return wrong(refused)
        throw error
      }
    },
    (localized, email, passkeys) => localized.newPassword({ minPasswordLength, begin: { is: 'Done', email, result: passkeys } }),
  )

  bindLink(
    '/confirm-email',
    'EmailChange',
    (localized, begin) => localized.confirmEmail({ begin }),
    async (_, { selector, token }, { request, reply }, email) => {
      if (await ownAccount.confirmEmail({ selector, token }, caller.visitor(request))) {
        notes.clear(reply, 'link')
        notes.leave(reply, 'problem', { at: '/confirm-email', done: email })
      }
      return goTo(reply, '/confirm-email')
    },
    (localized, email) => localized.confirmEmail({ begin: { is: 'Done', email, result: undefined } }),
  )

  bindLink(
    '/new-factor',
    'FactorReset',
    (localized, begin) => localized.newFactor({ begin }),
    async (_, { selector, token }, call, email) => {
      const { request, reply } = call
      const outcome = attempts.answer('newFactor', await factorReset.open({ selector, token }, attempts.visitor(call)), call)
      if (outcome.tag !== 'AuthRequiresFactorCreation') return goTo(reply, '/new-factor')
      notes.clear(reply, 'link')
      // The secret is shown only this once, so there is no redirect. A reload shows that the link has been used.
      return html(formHeaders(reply), pagesFor(request, reply).newFactor({ begin: { is: 'Done', email, result: outcome.contents } }))
    },
  )
}
