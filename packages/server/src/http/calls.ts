import { routes } from '@gatehouse/wire'
import type { FastifyInstance } from 'fastify'
import type { Sessions } from '../sessions.ts'
import type { SignIn } from '../sign-in.ts'
import { bind, type Call, Refused } from './bind.ts'
import type { Caller } from './caller.ts'

/** The JSON calls, each to the decider behind it. */
export const addCalls = (app: FastifyInstance, deps: { caller: Caller; signIn: SignIn; sessions: Sessions }) => {
  const { caller, signIn, sessions } = deps

  bind(app, routes.getAuthTokenWithError, async (login, { request, reply }) => {
    const { outcome, cookies } = await signIn.withPassword(login, caller.visitor(request))
    if (cookies) {
      caller.setCookie(reply, 'hand-over', cookies.binding)
      caller.setCookie(reply, 'browser', cookies.browser)
    }
    return outcome
  })

  const exchange = async (pair: { authTokenSelector: string; authTokenToken: string }, { request, reply }: Call) => {
    const binding = caller.cookie(request, 'hand-over')
    const claim = { authTokenSelector: pair.authTokenSelector, authTokenToken: pair.authTokenToken, binding: binding ?? '' }
    const session = await signIn.exchange(claim, caller.visitor(request), await caller.session(request))
    if (session === undefined) throw new Refused(401, 'authTokenToken: is unknown, used or expired, or belongs to another browser')
    caller.setCookie(reply, 'session', session)
    return {}
  }
  bind(app, routes.plowlogin, exchange)
  bind(app, routes.loginWithToken, exchange)

  bind(app, routes.logoutBySelf, async (_, { request, reply }) => {
    const session = await caller.session(request)
    if (session) await sessions.end(session, caller.visitor(request))
    caller.clearCookie(reply, 'session')
    return 'Signed out'
  })

  bind(app, routes.logoutByUserId, async (userId, { request }) => {
    const ended = await sessions.endAllOf(userId, await caller.session(request), caller.visitor(request))
    if (ended === 'forbidden') throw new Refused(403, 'Only an administrator who signed in within the last 15 minutes may do this')
    return ended
  })

  bind(app, routes.featuresCheck, async ({ name }) => {
    const features = availableFeatures(app)
    return name === undefined ? { features } : features[name] === true
  })
}

/** A feature is there when the call behind it is. */
const availableFeatures = (app: FastifyInstance): Record<string, boolean> =>
  Object.fromEntries(
    Object.entries(behindFeature).map(([feature, path]) => [
      feature,
      app.hasRoute({ method: 'POST', url: `${app.prefix}${path}`, constraints: {} }),
    ]),
  )

const behindFeature = {
  passwordSignIn: routes.getAuthTokenWithError.path,
  logoutByUserId: routes.logoutByUserId.path,
}
