import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BadInput } from '../../bad-input.ts'
import { isDatabaseFault } from '../../database-fault.ts'
import { minutes } from '../../limits.ts'
import { Busy } from '../../passwords/passwords.ts'
import type { ErrorTexts } from '../../texts/page-texts.ts'
import { Refused } from '../bind.ts'
import { html, wantsPage } from '../headers.ts'
import { TooMany } from '../rate-limits.ts'
import type { TextsOf } from '../texts-of.ts'
import type { PagesFor } from './localized.ts'

type Said = { status: number; wait?: number; title: string; text: string }

/** In this scope, forms and navigations get errors as a page. Other requests get JSON. */
export const showErrorsAsPages = (
  app: FastifyInstance,
  { pagesFor, home, textsOf }: { pagesFor: PagesFor; home: string; textsOf: TextsOf },
) => {
  app.setErrorHandler((error, request, reply) => {
    const isForm = request.method === 'POST'
    if (!isForm && !wantsPage(request.headers)) throw error
    const { errors, backToSignIn } = textsOf(request)
    const { status, wait, title, text } = explain(error, request, isForm, errors)
    if (wait !== undefined) reply.header('retry-after', Math.ceil(wait / 1000))
    return html(
      reply.code(status),
      pagesFor(request, reply).notice({ status: 'attention', title, text, action: { label: backToSignIn, href: home } }),
    )
  })
}

const explain = (error: unknown, request: FastifyRequest, isForm: boolean, texts: ErrorTexts): Said => {
  if (error instanceof TooMany) {
    const wait = Math.max(1, Math.ceil(error.retryAfter / minutes(1)))
    return { status: 429, wait: error.retryAfter, title: texts.tooMany.title, text: texts.tooMany.text(wait) }
  }
  if (error instanceof Busy) return { status: 503, wait: error.retryAfter, ...texts.busy }
  if (error instanceof Refused) return { status: error.status, ...texts.otherSite }
  const unread = isForm ? texts.formUnread : texts.pageUnread
  if (error instanceof BadInput) return { status: 400, ...unread }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status >= 400 && status < 500) return { status, ...unread }
  request.log.error({ err: error }, isForm ? 'form request failed' : 'page request failed')
  const fault = { title: texts.fault.title, text: texts.fault.text(request.id) }
  return isDatabaseFault(error) ? { status: 503, wait: 2000, ...fault } : { status: 500, ...fault }
}
