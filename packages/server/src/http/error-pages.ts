import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BadInput } from '../bad-input.ts'
import { isDatabaseFault } from '../database-fault.ts'
import { Busy } from '../passwords.ts'
import { Refused } from './bind.ts'
import type { BuiltPages } from './built-pages.ts'
import { html, wantsPage } from './headers.ts'
import { TooMany } from './rates.ts'

type Said = { status: number; wait?: number; title: string; text: string }

/** In this scope a person is told on a page what went wrong, whether by a form or on the way to a page. A program is told as everywhere. */
export const sayErrorsOnPages = (app: FastifyInstance, { pages, home }: { pages: BuiltPages; home: string }) => {
  app.setErrorHandler((error, request, reply) => {
    const isForm = request.method === 'POST'
    if (!isForm && !wantsPage(request.headers)) throw error
    const { status, wait, title, text } = explain(error, request, isForm)
    if (wait !== undefined) reply.header('retry-after', Math.ceil(wait / 1000))
    return html(reply.code(status), pages.notice({ title, text, action: { label: 'Back to sign-in', href: home } }))
  })
}

const explain = (error: unknown, request: FastifyRequest, isForm: boolean): Said => {
  if (error instanceof TooMany) {
    const text = 'This address has tried too often. Please try again later.'
    return { status: 429, wait: error.retryAfter, title: 'Too many tries', text }
  }
  if (error instanceof Busy) {
    const text = 'Too many people are signing in at this moment. Please try again.'
    return { status: 503, wait: error.retryAfter, title: 'Please try again', text }
  }
  if (error instanceof Refused) {
    const text = 'Nothing was done. Go to the sign-in page and fill it in there.'
    return { status: error.status, title: 'This form came from another address', text }
  }
  const unread = isForm
    ? { title: 'This form could not be read', text: 'Nothing was done. Go back and fill it in once more.' }
    : { title: 'This page cannot be shown', text: 'The address may be mistyped.' }
  if (error instanceof BadInput) return { status: 400, ...unread }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status >= 400 && status < 500) return { status, ...unread }
  request.log.error({ err: error }, isForm ? 'a form failed' : 'a page failed')
  const fault = {
    title: 'Something went wrong',
    text: `Try again in a moment. If it goes on, name this to your administrator: ${request.id}`,
  }
  return isDatabaseFault(error) ? { status: 503, wait: 2000, ...fault } : { status: 500, ...fault }
}
