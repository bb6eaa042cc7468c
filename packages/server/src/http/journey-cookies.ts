import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { limits } from '../limits.ts'

/**
 * Cookies of a way through sign-in. None is a secret, and none is believed in anything but where its own browser goes on
 * to and whether that is going in circles.
 */
type JourneyCookie = 'return' | 'signed-in' | 'bounces'

/** @returns reading, setting and clearing them */
export const createJourneyCookies = ({ publicUrl }: Pick<Config, 'publicUrl'>) => {
  const path = publicUrl.path || '/'
  const options = (which: JourneyCookie) => ({
    path,
    sameSite: 'lax' as const,
    // The sign-in page's own script sets it anew for the tab that is looked at.
    httpOnly: which !== 'return',
    // Its task is to be there when the session's cookie is not.
    secure: publicUrl.https && which !== 'signed-in',
  })
  return {
    read: (request: FastifyRequest, which: JourneyCookie): string | undefined => request.cookies[`gatehouse-${which}`] || undefined,
    set: (reply: FastifyReply, which: JourneyCookie, value: string) => {
      reply.setCookie(`gatehouse-${which}`, value, { ...options(which), maxAge: lifetimes[which] / 1000 })
    },
    clear: (reply: FastifyReply, which: JourneyCookie) => {
      reply.clearCookie(`gatehouse-${which}`, options(which))
    },
  }
}

const lifetimes: Record<JourneyCookie, number> = {
  return: limits.returnAddress.lifetime,
  'signed-in': limits.signedInMark.lifetime,
  bounces: limits.loop.within,
}
