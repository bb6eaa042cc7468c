import { accountRoutes } from '@gatehouse/wire'
import type { FastifyInstance } from 'fastify'
import { bind, Refused } from '../bind.ts'
import { type AccountCalls, callerBy, notSignedIn, secondFactorNeeded } from './account-caller.ts'
import { staleSession } from './stale-session.ts'

export const addProviderCalls = (app: FastifyInstance, deps: AccountCalls) => {
  const { caller, sso } = deps
  const who = callerBy(deps)

  const refuseProvider = (why: 'not-signed-in' | 'wrong-password' | 'stale' | 'lower' | 'unavailable' | 'last-way'): Refused => {
    switch (why) {
      case 'not-signed-in':
        return notSignedIn()
      case 'wrong-password':
        return new Refused(403, 'password: is wrong')
      case 'stale':
        return staleSession()
      case 'lower':
        return secondFactorNeeded()
      case 'unavailable':
        return new Refused(409, 'provider: cannot be reached, or is not set up')
      case 'last-way':
        return new Refused(409, 'provider: is the only way to sign in that is left')
    }
  }
  bind(app, accountRoutes.userProviderLink, async ({ provider, ...again }, call) => {
    const started = await sso.startLink(provider, again, caller.cookie(call.request, 'sso'), ...(await who(call, 'signIn')))
    if (typeof started === 'string') throw refuseProvider(started)
    caller.setCookie(call.reply, 'sso', started.binding)
    return { location: started.location }
  })
  bind(app, accountRoutes.userProviderUnlink, async ({ provider, ...again }, call) => {
    const done = await sso.unlink(provider, again, ...(await who(call, 'signIn')))
    if (done !== 'done') throw refuseProvider(done)
    return {}
  })
}
