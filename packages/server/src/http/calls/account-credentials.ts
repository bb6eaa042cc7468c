import { accountRoutes } from '@gatehouse/wire'
import type { FastifyInstance } from 'fastify'
import type { Changed, OwnAccount } from '../../account/account.ts'
import { bind, type Call, Refused } from '../bind.ts'
import { type AccountCalls, callerBy, notSignedIn, secondFactorNeeded } from './account-caller.ts'
import { staleSession } from './stale-session.ts'

export const addCredentialCalls = (app: FastifyInstance, deps: AccountCalls) => {
  const { caller, rates } = deps
  const { account } = deps.own
  const who = callerBy(deps)

  /** Returns the response to a change. The change ended all sessions of the user, so this browser gets the cookie of a new session. */
  const changed = (change: Changed, { reply }: Call) => {
    if ('session' in change) {
      caller.setCookie(reply, 'session', change.session)
      return {}
    }
    switch (change.refused) {
      case 'not-signed-in':
        throw notSignedIn()
      case 'another-user':
        throw new Refused(403, 'useridentity: is not who is signed in', 'AnotherUser')
      case 'wrong-password':
        throw new Refused(403, 'oldpassword: is wrong')
      case 'has-password':
        throw new Refused(409, 'useridentity: has a password already', 'PasswordExists')
      case 'stale':
        throw staleSession()
    }
  }
  const changePassword = async (change: Parameters<OwnAccount['changePassword']>[0], call: Call) => {
    return changed(await account.changePassword(change, ...(await who(call, 'signIn'))), call)
  }
  bind(app, accountRoutes.userPasswordReset, changePassword)
  bind(app, accountRoutes.userPasswordUpdate, changePassword)
  bind(app, accountRoutes.userPasswordCreate, async (create, call) => {
    return changed(await account.createPassword(create, ...(await who(call, 'signIn'))), call)
  })

  bind(app, accountRoutes.userEmailChange, async (change, call) => {
    const asked = await account.changeEmail(change, ...(await who(call, 'signIn')))
    if (asked === 'not-signed-in') throw notSignedIn()
    if (asked === 'wrong-password') throw new Refused(403, 'password: is wrong')
    if (asked === 'stale') throw staleSession()
    if (asked === 'lower') throw secondFactorNeeded()
    return {}
  })
  bind(app, accountRoutes.userEmailConfirm, async (claim, call) => {
    await rates.count('tokens', call.request.ip)
    if (!(await account.confirmEmail(claim, caller.visitor(call.request)))) throw new Refused(410, 'token: is unknown, used or expired')
    return {}
  })
}
