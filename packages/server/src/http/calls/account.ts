import { accountRoutes } from '@gatehouse/wire'
import type { FastifyInstance } from 'fastify'
import { bind, type Call, Refused } from '../bind.ts'
import { type AccountCalls, callerBy, notSignedIn, secondFactorNeeded } from './account-caller.ts'
import { addCredentialCalls } from './account-credentials.ts'
import { addFactorCalls } from './account-factors.ts'
import { addPassCalls } from './account-passes.ts'
import { addProviderCalls } from './account-providers.ts'

/** Adds the calls by which users read and change their own account. */
export const addAccountCalls = (app: FastifyInstance, deps: AccountCalls) => {
  const { caller, own } = deps
  const who = callerBy(deps)

  const renewed = ({ session }: { session: string }, { reply }: Call) => {
    caller.setCookie(reply, 'session', session)
    return {}
  }

  bind(app, accountRoutes.userAccount, async (_, call) => {
    const [session, visitor] = await who(call)
    const account = session && (await own.overview.show(session, visitor))
    if (!account) throw notSignedIn()
    return account
  })
  bind(app, accountRoutes.userActivity, async ({ more }, call) => {
    const [session] = await who(call)
    const activity = await own.overview.earlier(more, session, call.request.ip)
    if (!activity) throw notSignedIn()
    return activity
  })
  bind(app, accountRoutes.userTimeZone, async ({ userTZLabel }, call) => {
    if (!(await own.account.setTimeZone(userTZLabel, ...(await who(call))))) throw notSignedIn()
    return {}
  })
  bind(app, accountRoutes.userLanguage, async ({ userLanguage }, call) => {
    if (!(await own.account.setLanguage(userLanguage, ...(await who(call))))) throw notSignedIn()
    caller.setLanguageCookie(call.reply, userLanguage)
    return {}
  })

  bind(app, accountRoutes.userPasswordConfirm, async ({ password }, call) => {
    const confirmed = await own.reauthentication.confirmPassword(password, ...(await who(call, 'signIn')))
    if (confirmed === 'not-signed-in') throw notSignedIn()
    if (confirmed === 'wrong-password') throw new Refused(403, 'password: is wrong')
    if (confirmed === 'lower') throw secondFactorNeeded()
    return renewed(confirmed, call)
  })

  bind(app, accountRoutes.userSessionEnd, async ({ sessionId }, call) => {
    const ended = await own.sessions.endOne(sessionId, ...(await who(call)))
    if (ended === 'not-signed-in') throw notSignedIn()
    if (ended === 'unknown') throw new Refused(404, 'sessionId: there is no such session')
    if (ended === 'own') caller.clearCookie(call.reply, 'session')
    return {}
  })
  bind(app, accountRoutes.userSessionEndOthers, async (_, call) => {
    if ((await own.sessions.endOthers(...(await who(call)))) === 'not-signed-in') throw notSignedIn()
    return {}
  })

  bind(app, accountRoutes.userBrowserForget, async ({ browserId }, call) => {
    const forgotten = await own.browsers.forgetOne(browserId, ...(await who(call)))
    if (forgotten === 'not-signed-in') throw notSignedIn()
    if (forgotten === 'unknown') throw new Refused(404, 'browserId: there is no such browser')
    return {}
  })
  bind(app, accountRoutes.userBrowserForgetOthers, async (_, call) => {
    if ((await own.browsers.forgetOthers(...(await who(call)))) === 'not-signed-in') throw notSignedIn()
    return {}
  })

  addCredentialCalls(app, deps)
  addFactorCalls(app, deps)
  addProviderCalls(app, deps)
  addPassCalls(app, deps)
}
