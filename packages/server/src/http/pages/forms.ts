import { type AuthOutcome, pages as addresses, plainPages as at } from '@gatehouse/wire'
import type { AreaPage, FormResult, Step } from '@gatehouse/wire/page-props'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import type { Metrics } from '../../metrics.ts'
import type { SignedIn } from '../../sign-in/sign-in.ts'
import { type Call, refuseOtherMethods } from '../bind.ts'
import type { Caller } from '../caller.ts'
import { type FormHeaders, html } from '../headers.ts'
import type { Rates } from '../rate-limits.ts'
import type { BuiltPages } from './built-pages.ts'
import type { Fields } from './form-body.ts'
import type { PageNotes } from './page-notes.ts'

/** What pages have in common whose forms are sent by browsers without a script. */
export const createForms = (deps: {
  config: Config
  caller: Caller
  rates: Rates
  metrics: Metrics
  notes: PageNotes
  formHeaders: FormHeaders
  pages: BuiltPages
}) => {
  const { caller, rates, metrics, notes, formHeaders, pages } = deps
  const base = deps.config.publicUrl.path

  /** A page with a form: how it is shown, and what is done with what was sent. */
  const bind = (
    app: FastifyInstance,
    path: string,
    show: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
    take: (fields: Fields, call: Call) => Promise<FastifyReply>,
  ) => {
    app.route({ method: ['GET', 'HEAD'], url: path, handler: show })
    app.route({
      method: 'POST',
      url: path,
      handler: (request, reply) => take(request.body instanceof Map ? request.body : new Map(), { request, reply }),
    })
    refuseOtherMethods(app, path, ['GET', 'HEAD', 'POST'])
  }

  /** Every form leads to another address: a reload of where it leads sends nothing twice. */
  const goTo = (reply: FastifyReply, path: string) => reply.redirect(base + path, 303)

  /** Back to the page of the form, which says what came of it. */
  const say = (reply: FastifyReply, path: string, said: FormResult, email?: string) => {
    notes.leave(reply, 'note', { at: path, said, ...(email !== undefined && { email }) })
    return goTo(reply, path)
  }

  const takeNote = (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const note = notes.read(request, 'note')
    if (note) notes.clear(reply, 'note')
    return note?.at === path ? note : undefined
  }

  const showArea = (request: FastifyRequest, reply: FastifyReply, path: string, page: AreaPage) => {
    const note = takeNote(request, reply, path)
    const named = page.at === 'forgot-password' && note?.email !== undefined ? { ...page, email: note.email } : page
    return html(formHeaders(reply), pages.area({ page: named, said: note?.said }))
  }

  /** Where the widget's own step leads, from the page at `path`. */
  const follow = (step: Step, { reply }: Call, path: string, email?: string): FastifyReply => {
    if ('leave' in step) return goTo(reply, addresses.token(step.leave.authTokenSelector, step.leave.authTokenToken))
    if ('go' in step) return goTo(reply, at.secondFactor)
    if ('show' in step) return say(reply, path, { show: step.show }, email)
    return 'explain' in step ? say(reply, path, { explain: step.explain }) : goTo(reply, path)
  }

  /** The outcome of a try to sign in; its cookies go along, and it counts as that of the call of this name. */
  const outcomeOf = (call: string, signedIn: SignedIn, { request, reply }: Call): AuthOutcome => {
    metrics.signIn(call, signedIn.outcome.tag)
    caller.setSignInCookies(request, reply, signedIn)
    return signedIn.outcome
  }

  /** A try to sign in under a name, with the limits that the call has. */
  const attempt = async (name: string, username: string, call: Call, decide: () => Promise<SignedIn>) => {
    await rates.count('signIn', call.request.ip)
    await rates.countAccount(call.request.ip, username)
    return outcomeOf(name, await decide(), call)
  }

  return { bind, goTo, say, takeNote, showArea, follow, outcomeOf, attempt }
}
export type Forms = ReturnType<typeof createForms>
