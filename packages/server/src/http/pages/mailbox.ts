import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { KeptMail, Mailbox } from '../../mail/mailbox.ts'
import { refuseOtherMethods } from '../bind.ts'
import type { Caller } from '../caller.ts'
import { html } from '../headers.ts'
import type { BuiltPages } from './built-pages.ts'

/** The development mailbox at `/mail`, for this machine only. Others get 404. */
export const addMailbox = (app: FastifyInstance, deps: { mailbox: Mailbox; caller: Caller; pages: BuiltPages }) => {
  const { mailbox, caller, pages } = deps

  const page = (path: string, show: (id: string, reply: FastifyReply) => Promise<FastifyReply | undefined>) => {
    app.get(path, async (request: FastifyRequest, reply) => {
      const shown = caller.isOfThisMachine(request) ? await show(String(Object(request.params).id ?? ''), reply) : undefined
      return shown ?? reply.callNotFound()
    })
    refuseOtherMethods(app, path, ['GET', 'HEAD'])
  }
  const listed = ({ id, to, subject, at }: KeptMail) => ({ id, to, subject, at })
  const all = async () => (await mailbox.list()).map(listed)

  page('/mail', async (_, reply) => html(reply, pages.mailbox({ messages: await all() })))

  page('/mail/:id', async (id, reply) => {
    const mail = await mailbox.find(id)
    if (!mail) return undefined
    const open = { ...listed(mail), from: mail.from, text: mail.text }
    return html(reply, pages.mailbox({ messages: await all(), open }))
  })

  page('/mail/:id/html', async (id, reply) => {
    const mail = await mailbox.find(id)
    if (!mail) return undefined
    // Like a mail program: allow only the mail's own styles, and open links outside the frame.
    const policy =
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox allow-popups allow-top-navigation-by-user-activation"
    reply.header('content-security-policy', policy).header('x-frame-options', 'SAMEORIGIN')
    return html(reply, mail.html.replace(/<head>/i, '<head><base target="_top">'))
  })
}
