import { pages as addresses, plainPages as at } from '@gatehouse/wire'
import type { AreaPage, FormResult, Step } from '@gatehouse/wire/page-props'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { type Call, refuseOtherMethods } from '../bind.ts'
import { type FormHeaders, html } from '../headers.ts'
import type { Fields } from './form-body.ts'
import type { PagesFor } from './localized.ts'
import type { PageNotes } from './page-notes.ts'

/** The common part of all pages whose forms work without a script. */
export const createForms = (deps: { config: Config; notes: PageNotes; formHeaders: FormHeaders; pagesFor: PagesFor }) => {
  const { notes, formHeaders, pagesFor } = deps
  const base = deps.config.publicUrl.path

  /** Binds a page with a form: `show` answers GET, `take` answers what the form posts. */
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

  /** Redirects after a form, so that a reload posts nothing twice. */
  const goTo = (reply: FastifyReply, path: string) => reply.redirect(base + path, 303)

  /** Redirects back to the page of the form, which then shows the result. */
  const redirectWithResult = (reply: FastifyReply, path: string, said: FormResult, email?: string) => {
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
    return html(formHeaders(reply), pagesFor(request, reply).area({ page: named, said: note?.said }))
  }

  /** Redirects to the page that follows the widget's step. Errors return to the form's page, which is at `path`. */
  const follow = (step: Step, { reply }: Call, path: string, email?: string): FastifyReply => {
    if ('leave' in step) return goTo(reply, addresses.token(step.leave.authTokenSelector, step.leave.authTokenToken))
    if ('go' in step) return goTo(reply, at.secondFactor)
    if ('show' in step) return redirectWithResult(reply, path, { show: step.show }, email)
    return 'explain' in step ? redirectWithResult(reply, path, { explain: step.explain }) : goTo(reply, path)
  }

  return { bind, goTo, redirectWithResult, takeNote, showArea, follow }
}
export type Forms = ReturnType<typeof createForms>
