import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BadInput } from '../../bad-input.ts'
import { Refused } from '../bind.ts'
import type { Caller } from '../caller.ts'

export type Fields = ReadonlyMap<string, string>

const formType = /^application\/x-www-form-urlencoded\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/**
 * Parses a form as browsers send it: UTF-8, percent-encoded, no repeated field.
 * @throws BadInput
 */
const parseFormBody = (bytes: Buffer): Fields => {
  const fields = new Map<string, string>()
  const text = bytes.toString('latin1')
  if (/[^\x20-\x7e]/.test(text)) throw new BadInput('body: is not a form')
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)].map(decodePart)
    if (!pair.includes('=') || name === undefined || value === undefined) throw new BadInput('body: is not a form')
    if (fields.has(name)) throw new BadInput('body: contains a name twice')
    fields.set(name, value)
  }
  return fields
}

/** `URLSearchParams` would replace bytes that are not UTF-8, and so change a password. */
const decodePart = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/**
 * In this scope, pages accept only forms from pages of this server. Attack (CSRF): browsers send forms of other sites without asking (no
 * CORS preflight).
 */
export const takeFormsOnly = (app: FastifyInstance, caller: Caller) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(formType, { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) => parseFormBody(body))
  // Origins in GATEHOUSE_ORIGINS may make calls, but they have no pages with our forms.
  app.addHook('onRequest', async request => {
    if (request.method === 'POST' && !caller.isOwnPage(request)) throw new Refused(403, 'origin: this form comes from another site')
  })
}
