import { bestLanguage, type Language } from '@gatehouse/language/languages.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { limits } from '../limits.ts'
import type { Session } from '../sessions/session.ts'
import { isLanguage } from '../users/user-language.ts'
import { cookieName, cookieValues } from './cookie-names.ts'

/**
 * Chooses the language of a page: the one that the signed-in user chose, then that of the cookie,
 * then the best of the browser's, then the server's default. Accepts only values in the list of
 * languages, so that no other value reaches a file name or a header.
 */
export const createRequestLanguage = (config: Pick<Config, 'publicUrl' | 'language'>, languages: readonly Language[]) => {
  const tags = languages.map(({ tag }) => tag)
  const name = cookieName('language', config)
  // Cache the results: parsing an Accept-Language header is slow, and most browsers send one of a few values.
  const best = new Map<string, string | undefined>()
  const bestOf = (accepted: string) => {
    if (best.has(accepted)) return best.get(accepted)
    const found = bestLanguage(accepted, tags)
    if (best.size >= 200) best.clear()
    if (accepted.length < 200) best.set(accepted, found)
    return found
  }

  /** Two cookies with the name count as none: over http, another host of the domain can set one of them. */
  const ofCookie = (request: FastifyRequest): string | undefined => {
    const [value, ...more] = cookieValues(request.headers.cookie, name)
    return value !== undefined && more.length === 0 && isLanguage(value, languages) ? value : undefined
  }

  /** The language that a signed-in user chose, if the server has it. */
  const chosenBy = (session: Pick<Session, 'userLanguage'> | undefined): string | undefined => {
    const chosen = session?.userLanguage
    return isLanguage(chosen, languages) ? chosen : undefined
  }

  const languageOf = (request: FastifyRequest, session?: Pick<Session, 'userLanguage'> | undefined): string => {
    const { 'accept-language': accepted } = request.headers
    return chosenBy(session) ?? ofCookie(request) ?? (accepted === undefined ? undefined : bestOf(accepted)) ?? config.language
  }

  const attributes = {
    // Over https the prefix __Host- requires the path '/'.
    path: config.publicUrl.https ? '/' : config.publicUrl.path || '/',
    sameSite: 'lax' as const,
    httpOnly: true,
    secure: config.publicUrl.https,
  }
  /**
   * Call it only for a choice made in this browser, not for a user's stored setting: the next user of a shared browser may read another
   * language.
   * @param tag null for the browser's language
   */
  const setCookie = (reply: FastifyReply, tag: string | null) => {
    if (tag === null) reply.clearCookie(name, attributes)
    else reply.setCookie(name, tag, { ...attributes, maxAge: limits.languageCookie.lifetime / 1000 })
  }

  return { languageOf, setCookie }
}
