import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashSecret } from '../keys/secrets.ts'
import type { Caller } from './caller.ts'

/**
 * Lets a signed-in user sign in again, because a rule requires it. The old session stays until the new one replaces it. A cookie names the
 * old session. While the browser has that session, the sign-in page does not redirect the user away.
 */
export const createSignInAgain = ({ journey }: Pick<Caller, 'journey'>) => {
  const nameOf = (sessionSelector: string) => hashSecret(`again ${sessionSelector}`).slice(0, 22)
  return {
    begin: (reply: FastifyReply, sessionSelector: string) => journey.set(reply, 'again', nameOf(sessionSelector)),
    isBegun: (request: FastifyRequest, sessionSelector: string) => journey.read(request, 'again') === nameOf(sessionSelector),
  }
}
export type SignInAgain = ReturnType<typeof createSignInAgain>
