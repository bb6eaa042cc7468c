import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { limits } from '../limits.ts'
import { cookieName, cookieValues } from './cookie-names.ts'

/**
 * Cookies of one journey through sign-in. They are not secret. The server uses them only to decide where this browser continues, and
 * whether it is in a redirect loop.
 */
type JourneyCookie = 'return' | 'signed-in' | 'bounces' | 'again'

/** @returns functions that read, set and clear journey cookies */
export const createJourneyCookies = ({ publicUrl }: Pick<Config, 'publicUrl'>) => {
  const options = (which: JourneyCookie) => ({
    // Over https the prefix __Host- requires the path '/'.
    path: publicUrl.https ? '/' : publicUrl.path || '/',
    sameSite: 'lax' as const,
    // The sign-in page's script sets `return` again when the tab becomes visible.
    httpOnly: which !== 'return',
    secure: publicUrl.https,
  })
  const name = (which: JourneyCookie) => cookieName(which, { publicUrl })
  return {
    read: (request: FastifyRequest, which: JourneyCookie): string | undefined => {
      const [value, ...more] = cookieValues(request.headers.cookie, name(which))
      return more.length === 0 ? value : undefined
    },
    set: (reply: FastifyReply, which: JourneyCookie, value: string) => {
      reply.setCookie(name(which), value, { ...options(which), maxAge: lifetimes[which] / 1000 })
    },
    clear: (reply: FastifyReply, which: JourneyCookie) => {
      reply.clearCookie(name(which), options(which))
    },
  }
}

const lifetimes: Record<JourneyCookie, number> = {
  return: limits.returnAddress.lifetime,
  'signed-in': limits.signedInMark.lifetime,
  bounces: limits.loop.within,
  again: limits.signInAgain.lifetime,
}
