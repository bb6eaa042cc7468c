import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../caller.ts'
import type { BuiltPages, LocalizedPages } from './built-pages.ts'

/**
 * Returns the pages in the language of a request, and sets the response headers that depend on the language. Look up the session first: the
 * user may have chosen a language.
 * @param how `once` for a page that the browser cannot load again, such as the response to a form (the default for POST)
 */
export type PagesFor = (request: FastifyRequest, reply: FastifyReply, how?: 'once') => LocalizedPages

export const createPagesFor =
  ({ caller, pages }: { caller: Caller; pages: BuiltPages }): PagesFor =>
  (request, reply, how = request.method === 'POST' ? 'once' : undefined) => {
    const language = caller.language(request)
    // Attack: a cache that ignores Cache-Control gives one user's language to others.
    const vary = [reply.getHeader('vary'), 'Cookie', 'Accept-Language'].filter(Boolean).join(', ')
    reply.headers({ 'content-language': language, vary, 'x-robots-tag': 'noindex' })
    // The language page learns from the Referer header which page linked to it. Other sites do not
    // get that address.
    if (pages.hasSwitch && how !== 'once') reply.header('referrer-policy', 'same-origin')
    return pages.in(language, how)
  }
