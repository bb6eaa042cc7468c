import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BadInput } from '../bad-input.ts'
import { isDatabaseFault } from '../database-fault.ts'
import { Busy } from '../passwords.ts'
import type { BuiltPages } from './built-pages.ts'
import { html } from './headers.ts'
import { TooMany } from './rates.ts'

/** The fields of a form that was sent. */
export type Fields = ReadonlyMap<string, string>

const formType = /^application\/x-www-form-urlencoded\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/** Reads a form as browsers send it: UTF-8, no field twice. @throws BadInput */
const parseFormBody = (bytes: Buffer): Fields => {
  const fields = new Map<string, string>()
  for (const pair of bytes.toString('latin1').split('&')) {
    if (pair === '') continue
    const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)].map(decodePart)
    if (!pair.includes('=') || name === undefined || value === undefined) throw new BadInput('body: is no form')
    if (fields.has(name)) throw new BadInput('body: has the same name twice')
    fields.set(name, value)
  }
  return fields
}

/** `URLSearchParams` would put another character in place of what is no UTF-8, and a password would be another one. */
const decodePart = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** In this scope pages take their own forms and nothing else; whatever goes wrong with one is said on a page. */
export const takeFormsOnly = (app: FastifyInstance, { pages, home }: { pages: BuiltPages; home: string }) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(formType, { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) => parseFormBody(body))
  app.setErrorHandler((error, request, reply) => {
    // Throws on: to look at a page fails as it does everywhere.
    if (request.method !== 'POST') throw error
    const { status, wait, title, text } = explain(error, request)
    if (wait !== undefined) reply.header('retry-after', Math.ceil(wait / 1000))
    return sayWrong(reply.code(status), pages, { title, text, home })
  })
}

const sayWrong = (reply: FastifyReply, pages: BuiltPages, { title, text, home }: { title: string; text: string; home: string }) =>
  html(reply, pages.notice({ title, text, action: { label: 'Back to sign-in', href: home } }))

const explain = (error: unknown, request: FastifyRequest): { status: number; wait?: number; title: string; text: string } => {
  if (error instanceof TooMany) {
    const text = 'This address has tried too often. Please try again later.'
    return { status: 429, wait: error.retryAfter, title: 'Too many tries', text }
  }
  if (error instanceof Busy) {
    const text = 'Too many people are signing in at this moment. Please try again.'
    return { status: 503, wait: error.retryAfter, title: 'Please try again', text }
  }
  const unread = { title: 'This form could not be read', text: 'Nothing was done. Go back and fill it in once more.' }
  if (error instanceof BadInput) return { status: 400, ...unread }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status >= 400 && status < 500) return { status, ...unread }
  request.log.error({ err: error }, 'a form failed')
  const fault = {
    title: 'Something went wrong',
    text: `Try again in a moment. If it goes on, name this to your administrator: ${request.id}`,
  }
  return isDatabaseFault(error) ? { status: 503, wait: 2000, ...fault } : { status: 500, ...fault }
}
