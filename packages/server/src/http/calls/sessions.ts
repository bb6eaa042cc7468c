import { routes } from '@gatehouse/wire'
import type { FastifyInstance } from 'fastify'
import type { Administration } from '../../admin/administration.ts'
import type { SignIn } from '../../sign-in/sign-in.ts'
import { bind, type Call, Refused } from '../bind.ts'
import type { Caller } from '../caller.ts'
import type { Rates } from '../rate-limits.ts'
import { administratorsOnly, passkeyFirst, secondFactorFirst } from './administration.ts'

/** Exchanging a hand-over code for a session, and signing out. */
export const addSessionCalls = (
  app: FastifyInstance,
  deps: { caller: Caller; rates: Rates; signIn: SignIn; administration: Administration },
) => {
  const { caller, rates, signIn, administration } = deps

  const exchange = async (pair: { authTokenSelector: string; authTokenToken: string }, { request, reply }: Call) => {
    await rates.count('tokens', request.ip)
    const binding = caller.cookie(request, 'hand-over') ?? ''
    const claim = { authTokenSelector: pair.authTokenSelector, authTokenToken: pair.authTokenToken, binding }
    const session = await signIn.exchange(claim, caller.visitor(request), await caller.session(request))
    if (session === undefined) throw new Refused(401, 'authTokenToken: is unknown, used or expired, or belongs to another browser')
    caller.setCookie(reply, 'session', session)
    return {}
  }
  bind(app, routes.plowlogin, exchange)
  bind(app, routes.loginWithToken, exchange)

  bind(app, routes.logoutBySelf, async (_, { request, reply }) => {
    await caller.signOut(request)
    caller.clearCookie(reply, 'session')
    return 'Signed out'
  })
  bind(app, routes.logoutByUserId, async (userId, { request }) => {
    await rates.count('tokens', request.ip)
    const ended = await administration.endSessions(userId, await caller.session(request), caller.visitor(request))
    if ('done' in ended) return true
    if (ended.refused === 'unknown') return false
    if (ended.refused === 'without-passkey') throw passkeyFirst()
    throw ended.refused === 'without-factor' ? secondFactorFirst() : administratorsOnly()
  })
}
