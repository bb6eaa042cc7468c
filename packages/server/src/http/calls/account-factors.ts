import { accountRoutes } from '@gatehouse/wire'
import type { FastifyInstance } from 'fastify'
import type { FactorRefusal } from '../../account/factors.ts'
import { bind, type Call, Refused, WrongFactor } from '../bind.ts'
import { type AccountCalls, callerBy, notSignedIn, secondFactorNeeded } from './account-caller.ts'
import { staleSession } from './stale-session.ts'

/** Adds the calls for second factors and recovery codes. */
export const addFactorCalls = (app: FastifyInstance, deps: AccountCalls) => {
  const { caller } = deps
  const { account, factors, totp, push } = deps.own
  const who = callerBy(deps)

  const refusal = (why: FactorRefusal): Refused | WrongFactor => {
    if (typeof why !== 'string') return new WrongFactor(why.wrongFactor)
    switch (why) {
      case 'not-signed-in':
        return notSignedIn()
      case 'stale':
        return staleSession()
      case 'another-user':
        return new Refused(403, 'factorCreationRequestIdentity: is not who is signed in', 'AnotherUser')
      case 'lower':
        return secondFactorNeeded()
      case 'wrong-code':
        return new Refused(403, 'verifyTOTPFactorRequestCode: is wrong')
      case 'unknown':
        return new Refused(404, 'factorUUID: there is no such factor')
      case 'name-taken':
        return new Refused(409, 'name: is already in use')
      case 'too-many':
        return new Refused(409, 'factor: the maximum number has been reached', 'FactorsFull')
      case 'last-stays':
        return new Refused(409, 'factor: is the last one, and one is required', 'FactorLast')
      case 'last-way':
        return new Refused(409, 'passkey: is the only way to sign in that is left')
      case 'no-factor':
        return new Refused(409, 'factor: set up a second factor first', 'FactorMissing')
      case 'over':
        return new Refused(410, 'verifyTOTPFactorRequestFactorUUID: is unknown or has waited too long')
    }
  }
  bind(app, accountRoutes.userFactorAdd, async (asked, call) => {
    const started = await totp.start(asked, ...(await who(call)))
    if (typeof started === 'string' || 'wrongFactor' in started) throw refusal(started)
    return started.factor
  })
  bind(app, accountRoutes.userFactorVerify, async (code, call) => {
    const verified = await totp.verify(code, ...(await who(call, 'signIn')))
    if (typeof verified === 'string' || 'wrongFactor' in verified) throw refusal(verified)
    caller.setCookie(call.reply, 'session', verified.session)
    return {}
  })
  bind(app, accountRoutes.userFactorAddPush, async (asked, call) => {
    const started = await push.start(asked, ...(await who(call)))
    if (typeof started === 'string' || 'wrongFactor' in started) throw refusal(started)
    return started.link
  })
  const advance = async (factorUUID: string, again: boolean, call: Call) => {
    const came = await push.advance(factorUUID, again, ...(await who(call, 'polls')))
    if (typeof came === 'string' || 'wrongFactor' in came) throw refusal(came)
    if (came.session !== undefined) caller.setCookie(call.reply, 'session', came.session)
    return came.progress
  }
  bind(app, accountRoutes.userFactorPushProgress, ({ factorUUID }, call) => advance(factorUUID, false, call))
  bind(app, accountRoutes.userFactorPushAgain, ({ factorUUID }, call) => advance(factorUUID, true, call))
  bind(app, accountRoutes.userFactorRename, async (named, call) => {
    const renamed = await factors.rename(named, ...(await who(call)))
    if (renamed !== 'done') throw refusal(renamed)
    return {}
  })
  bind(app, accountRoutes.userFactorRemove, async ({ factorUUID }, call) => {
    const removed = await factors.remove(factorUUID, ...(await who(call)))
    if (removed !== 'done') throw refusal(removed)
    return {}
  })
  bind(app, accountRoutes.userRecoveryCodes, async (_, call) => {
    const recoveryCodes = await account.makeRecoveryCodes(...(await who(call)))
    if (!recoveryCodes)
      throw new Refused(
        403,
        'Recovery codes can be created only right after a sign-in with a second factor, and only if there are none',
        'RecoveryCodesClosed',
      )
    return { recoveryCodes }
  })
  bind(app, accountRoutes.userRecoveryCodesAnew, async (_, call) => {
    const made = await factors.replaceRecoveryCodes(...(await who(call, 'mail')))
    if (typeof made === 'string' || 'wrongFactor' in made) throw refusal(made)
    return { recoveryCodes: made.codes }
  })
}
