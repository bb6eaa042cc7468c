import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { KeptMail, Mailbox } from '../../mail/mailbox.ts'
import { type Call, refuseOtherMethods } from '../bind.ts'
import type { Caller } from '../caller.ts'
import { html } from '../headers.ts'
import type { PagesFor } from './localized.ts'

/** The development mailbox at `/mail`, for this machine only. Others get 404. */
export const addMailbox = (app: FastifyInstance, deps: { mailbox: Mailbox; caller: Caller; pagesFor: PagesFor }) => {
  const { mailbox, caller, pagesFor } = deps

  const page = (path: string, show: (id: string, call: Call) => Promise<FastifyReply | undefined>) => {
    app.get(path, async (request: FastifyRequest, reply) => {
      const shown = caller.isOfThisMachine(request) ? await show(String(Object(request.params).id ?? ''), { request, reply }) : undefined
      return shown ?? reply.callNotFound()
    })
    refuseOtherMethods(app, path, ['GET', 'HEAD'])
  }
  const listed = ({ id, to, subject, at }: KeptMail) => ({ id, to, subject, at })
  const all = async () => (await mailbox.list()).map(listed)

  page('/mail', async (_, { request, reply }) => html(reply, pagesFor(request, reply).mailbox({ messages: await all() })))

  page('/mail/:id', async (id, { request, reply }) => {
    const mail = await mailbox.find(id)
    if (!mail) return undefined
    const open = { ...listed(mail), from: mail.from, text: mail.text }
    return html(reply, pagesFor(request, reply).mailbox({ messages: await all(), open }))
  })

  page('/mail/:id/html', async (id, { reply }) => {
    const mail = await mailbox.find(id)
    if (!mail) return undefined
    // Like a mail program: allow only the mail's own styles, and open links outside the frame.
    const policy =
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox allow-popups allow-top-navigation-by-user-activation"
    reply.header('content-security-policy', policy).header('x-frame-options', 'SAMEORIGIN')
    return html(reply, mail.html.replace(/<head>/i, '<head><base target="_top">'))
  })
}
