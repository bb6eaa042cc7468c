import { decode, type MailLinkLookRequest, routes } from '@gatehouse/wire'
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
import type { BuiltPages, MailLinkBegin, Problem } from './built-pages.ts'
import type { Fields } from './form-body.ts'
import type { Forms } from './forms.ts'
import type { PageNotes } from './page-notes.ts'

type Kind = MailLinkLookRequest['kind']
type Claim = { kind: Kind; selector: string; token: string }

/** However much of an address stands before it: the two halves of a link are its end. */
const pasted = /(?:^|[#\s])([\w-]{1,128})\.([\w-]{1,128})\s*$/

/**
 * The pages of mailed links. What is in a link's fragment no server sees, so without a script it is pasted: it comes in a body, which no
 * log and no Referer ever has, and stays in a sealed cookie until a press uses it up.
 */
export const addMailLinkPages = (
  app: FastifyInstance,
  deps: {
    config: Config
    caller: Caller
    rates: Rates
    recovery: Recovery
    factorReset: FactorReset
    ownAccount: OwnAccount
    notes: PageNotes
    forms: Forms
    formHeaders: FormHeaders
    pages: BuiltPages
  },
) => {
  const { config, caller, rates, recovery, factorReset, ownAccount, notes, forms, formHeaders, pages } = deps
  const { goTo } = forms

  const bindLink = (
    path: string,
    kind: Kind,
    draw: (begin?: MailLinkBegin) => string,
    use: (fields: Fields, claim: Claim, call: Call, email: string) => Promise<FastifyReply>,
  ) => {
    const claimOf = (request: FastifyRequest): Claim | undefined => {
      const link = notes.read(request, 'link')
      return link?.kind === kind ? { ...link, kind } : undefined
    }
    /** What the link is good for; uses nothing up. */
    const look = async (request: FastifyRequest, claim: Claim): Promise<MailLinkBegin & { is: 'Dead' | 'Good' }> => {
      await rates.count('tokens', request.ip)
      const { state, email } = await recovery.look(claim)
      return state === 'Good' ? { is: 'Good', email: email ?? '' } : { is: 'Dead', why: state }
    }
    const begin = async (request: FastifyRequest, reply: FastifyReply): Promise<MailLinkBegin | undefined> => {
      const note = notes.read(request, 'problem')
      if (note) notes.clear(reply, 'problem')
      if (note?.at === path && 'done' in note) return { is: 'Done', email: note.done }
      const claim = claimOf(request)
      const found = claim && (await look(request, claim))
      // A link that is dead is named once; whoever comes again may have another to paste.
      if (found?.is === 'Dead') notes.clear(reply, 'link')
      return found?.is === 'Good' && note?.at === path && 'problem' in note
        ? { ...found, is: 'GoodWithError', problem: note.problem }
        : found
    }
    forms.bind(
      app,
      path,
      async (request, reply) => html(formHeaders(reply), draw(await begin(request, reply))),
      async (fields, call) => {
        const { request, reply } = call
        const typed = fields.get('link')
        if (typed !== undefined) {
          const [, selector = '', token = ''] = pasted.exec(typed) ?? []
          notes.leave(reply, 'link', { kind, selector, token })
          // An address without a fragment of its own would take over that of the form's page, and the token would stay in sight.
          return goTo(reply, `${path}#`)
        }
        const claim = claimOf(request)
        const found = claim && (await look(request, claim))
        return claim && found?.is === 'Good' ? use(fields, claim, call, found.email) : goTo(reply, path)
      },
    )
  }

  bindLink('/one-time-link', 'OneTimeLink', pages.oneTimeLink, async (_, { selector, token }, { request, reply }) => {
    const call = { request, reply }
    const outcome = forms.outcomeOf('redeem', await recovery.redeemOneTimeLink({ selector, token }, caller.visitor(request)), call)
    // Used or over by now: a look tells which.
    if (outcome.tag === 'AuthFailureFailedLogin') return goTo(reply, '/one-time-link')
    notes.clear(reply, 'link')
    return forms.follow(pages.afterLogin(outcome, { username: '', password: '' }), call, '/')
  })

  bindLink(
    '/new-password',
    'PasswordReset',
    begin => pages.newPassword(config.minPasswordLength, begin),
    async (fields, { selector, token }, { request, reply }, username) => {
      const [newpassword, again] = [fields.get('newpassword') ?? '', fields.get('newpasswordverification') ?? '']
      const wrong = (problem: Problem) => {
        notes.leave(reply, 'problem', { at: '/new-password', problem })
        return goTo(reply, '/new-password')
      }
      const problem = pages.newPasswordProblem(newpassword, again, config.minPasswordLength)
      if (problem) return wrong(problem)
      const reset = { username, resettoken: `${selector}.${token}`, newpassword, newpasswordverification: again }
      const decoded = decode(routes.resetPassword.request, reset)
      try {
        if (!decoded.ok) throw new BadInput(decoded.error.replace(/^.*\/newpassword: /, 'newpassword: '))
        if (await recovery.resetPassword(decoded.value, caller.visitor(request))) {
          notes.clear(reply, 'link')
          notes.leave(reply, 'problem', { at: '/new-password', done: username })
        }
        return goTo(reply, '/new-password')
      } catch (error) {
        const refused = error instanceof BadInput ? pages.refusedPassword(error.message) : undefined
        if (refused) return wrong(refused)
        throw error
      }
    },
  )

  bindLink('/confirm-email', 'EmailChange', pages.confirmEmail, async (_, { selector, token }, { request, reply }, email) => {
    if (await ownAccount.confirmEmail({ selector, token }, caller.visitor(request))) {
      notes.clear(reply, 'link')
      notes.leave(reply, 'problem', { at: '/confirm-email', done: email })
    }
    return goTo(reply, '/confirm-email')
  })

  bindLink('/new-factor', 'FactorReset', pages.newFactor, async (_, { selector, token }, { request, reply }, email) => {
    const outcome = forms.outcomeOf('newFactor', await factorReset.open({ selector, token }, caller.visitor(request)), {
      request,
      reply,
    })
    if (outcome.tag !== 'AuthRequiresFactorCreation') return goTo(reply, '/new-factor')
    notes.clear(reply, 'link')
    // Shown this once, so there is no page to lead to: whoever sends it again is told that the link has been used.
    return html(formHeaders(reply), pages.newFactor({ is: 'Done', email, result: outcome.contents }))
  })
}
