import { routes } from '@gatehouse/wire'
import type { FastifyInstance } from 'fastify'
import type { Administration } from '../../admin/administration.ts'
import type { Config } from '../../config/config.ts'
import type { SignIn } from '../../sign-in/sign-in.ts'
import { bind, type Call, Refused } from '../bind.ts'
import type { Caller } from '../caller.ts'
import type { Returns } from '../pages/return-addresses.ts'
import type { Rates } from '../rate-limits.ts'
import { administratorsOnly, passkeyFirst, secondFactorFirst } from './administration.ts'

/** Exchanging a hand-over code for a session, and signing out. */
export const addSessionCalls = (
  app: FastifyInstance,
  deps: { config: Config; caller: Caller; rates: Rates; signIn: SignIn; administration: Administration; returns: Pick<Returns, 'onward'> },
) => {
  const { config, caller, rates, signIn, administration, returns } = deps

  const refused = () => new Refused(401, 'authTokenToken: is unknown, used or expired, or belongs to another browser')

  const exchange = async (pair: { authTokenSelector: string; authTokenToken: string }, { request, reply }: Call) => {
    await rates.count('tokens', request.ip)
    const binding = caller.cookie(request, 'hand-over') ?? ''
    const claim = { authTokenSelector: pair.authTokenSelector, authTokenToken: pair.authTokenToken, binding }
    const session = await signIn.exchange(claim, caller.visitor(request), await caller.session(request))
    if (session === undefined) throw refused()
    caller.setCookie(reply, 'session', session)
    return {}
  }
  /** Does what the token page does, without leaving the calling page. Returns an absolute address: that page may be on another origin. */
  bind(app, routes.handOver, async (pair, { request, reply }) => {
    await rates.count('tokens', request.ip)
    const claim = { ...pair, binding: caller.cookie(request, 'hand-over') ?? '' }
    const arrived = await signIn.arrive(claim, caller.visitor(request), await caller.session(request), 'exchange')
    if (arrived === undefined) throw refused()
    caller.clearCookie(reply, 'hand-over')
    if (arrived.session) caller.setCookie(reply, 'session', arrived.session)
    const { to, address } = await returns.onward(request, reply, arrived)
    return { to, address: new URL(address, config.publicUrl.origin).href }
  })
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
