import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BadInput } from '../../bad-input.ts'
import { isDatabaseFault } from '../../database-fault.ts'
import { minutes } from '../../limits.ts'
import { Busy } from '../../passwords/passwords.ts'
import { Refused } from '../bind.ts'
import { html, wantsPage } from '../headers.ts'
import { TooMany } from '../rate-limits.ts'
import type { BuiltPages } from './built-pages.ts'

type Said = { status: number; wait?: number; title: string; text: string }

/** In this scope, forms and navigations get errors as a page. Other requests get JSON. */
export const showErrorsAsPages = (app: FastifyInstance, { pages, home }: { pages: BuiltPages; home: string }) => {
  app.setErrorHandler((error, request, reply) => {
    const isForm = request.method === 'POST'
    if (!isForm && !wantsPage(request.headers)) throw error
    const { status, wait, title, text } = explain(error, request, isForm)
    if (wait !== undefined) reply.header('retry-after', Math.ceil(wait / 1000))
    return html(reply.code(status), pages.notice({ status: 'attention', title, text, action: { label: 'Back to sign-in', href: home } }))
  })
}

const explain = (error: unknown, request: FastifyRequest, isForm: boolean): Said => {
  if (error instanceof TooMany) {
    const wait = Math.max(1, Math.ceil(error.retryAfter / minutes(1)))
    const text = `Too many attempts from your network. Try again in ${wait === 1 ? '1 minute' : `${wait} minutes`}.`
    return { status: 429, wait: error.retryAfter, title: 'Too many attempts', text }
  }
  if (error instanceof Busy) {
    const text = 'Too many people are signing in right now. Try again in a moment.'
    return { status: 503, wait: error.retryAfter, title: 'The server is busy', text }
  }
  if (error instanceof Refused) {
    const text = 'Nothing was changed. Go to the sign-in page and fill in the form there.'
    return { status: error.status, title: 'This form was sent from another site', text }
  }
  const unread = isForm
    ? { title: 'This form couldn’t be read', text: 'Nothing was changed. Go back and fill it in again.' }
    : { title: 'This page can’t be shown', text: 'Check the address and try again.' }
  if (error instanceof BadInput) return { status: 400, ...unread }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status >= 400 && status < 500) return { status, ...unread }
  request.log.error({ err: error }, isForm ? 'form request failed' : 'page request failed')
  const fault = {
    title: 'Something went wrong',
    text: `Try again in a moment. If it keeps happening, give your administrator this ID: ${request.id}`,
  }
  return isDatabaseFault(error) ? { status: 503, wait: 2000, ...fault } : { status: 500, ...fault }
}
