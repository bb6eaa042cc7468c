import { accountRoutes } from '@gatehouse/wire'
import type { FastifyInstance } from 'fastify'
import type { Changed, OwnAccount } from '../../account/account.ts'
import type { FactorRefusal, OwnFactors } from '../../account/factors.ts'
import type { OwnOverview } from '../../account/overview.ts'
import type { OwnPush } from '../../account/phones.ts'
import type { Reauthentication } from '../../account/reauthentication.ts'
import type { OwnSessions } from '../../account/sessions.ts'
import type { Sso } from '../../sso/sso.ts'
import { bind, type Call, Refused, WrongFactor } from '../bind.ts'
import type { Caller } from '../caller.ts'
import type { Rate, Rates } from '../rate-limits.ts'
import { staleSession } from './stale-session.ts'

/** What people may do to their own account. */
export type Own = {
  account: OwnAccount
  reauthentication: Reauthentication
  factors: OwnFactors
  push: OwnPush
  overview: OwnOverview
  sessions: OwnSessions
}

const notSignedIn = () => new Refused(401, 'Sign in first')
/** For a session that a provider's second factor opened, where the user has one of ours. */
const secondFactorNeeded = () => new Refused(403, 'factor: sign in with your second factor first', 'SecondFactorRequired')

/** Who asks, and from where. Each call counts for the address once: as what it tries, or as a token that is shown. */
const askerBy =
  ({ caller, rates }: { caller: Caller; rates: Rates }) =>
  async ({ request }: Call, as: Rate = 'tokens') => {
    await rates.count(as, request.ip)
    return [await caller.session(request), caller.visitor(request)] as const
  }

/** Calls on one's own account, each to the decider behind it. */
export const addAccountCalls = (app: FastifyInstance, deps: { caller: Caller; rates: Rates; own: Own; sso: Sso }) => {
  const { caller, own } = deps
  const who = askerBy(deps)

  /** The session goes on under another value. */
  const renewed = ({ session }: { session: string }, { reply }: Call) => {
    caller.setCookie(reply, 'session', session)
    return {}
  }

  bind(app, accountRoutes.userAccount, async (_, call) => {
    const [session] = await who(call)
    const account = session && (await own.overview.show(session, call.request.ip))
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

  addPasswordCalls(app, deps)
  addFactorCalls(app, deps)
  addProviderCalls(app, deps)
}

type Deps = Parameters<typeof addAccountCalls>[1]

/** Calls on one's own password and address. */
const addPasswordCalls = (app: FastifyInstance, deps: Deps) => {
  const { caller, rates } = deps
  const { account } = deps.own
  const who = askerBy(deps)

  /** The change ended every session; the caller's goes on under another value. */
  const changed = (change: Changed, { reply }: Call) => {
    if ('session' in change) {
      caller.setCookie(reply, 'session', change.session)
      return {}
    }
    switch (change.refused) {
      case 'not-signed-in':
        throw notSignedIn()
      case 'another-user':
        throw new Refused(403, 'useridentity: is not who is signed in')
      case 'wrong-password':
        throw new Refused(403, 'oldpassword: is wrong')
      case 'has-password':
        throw new Refused(409, 'useridentity: has a password already')
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

/** Calls on one's own second factors and recovery codes. */
const addFactorCalls = (app: FastifyInstance, deps: Deps) => {
  const { caller } = deps
  const { account, factors, push } = deps.own
  const who = askerBy(deps)

  const refusal = (why: FactorRefusal): Refused | WrongFactor => {
    if (typeof why !== 'string') return new WrongFactor(why.wrongFactor)
    switch (why) {
      case 'not-signed-in':
        return notSignedIn()
      case 'stale':
        return staleSession()
      case 'another-user':
        return new Refused(403, 'factorCreationRequestIdentity: is not who is signed in')
      case 'lower':
        return secondFactorNeeded()
      case 'wrong-code':
        return new Refused(403, 'verifyTOTPFactorRequestCode: is wrong')
      case 'unknown':
        return new Refused(404, 'factorUUID: there is no such factor')
      case 'name-taken':
        return new Refused(409, 'name: is already in use')
      case 'too-many':
        return new Refused(409, 'factor: the maximum number has been reached')
      case 'last-stays':
        return new Refused(409, 'factor: is the last one, and one is required')
      case 'no-factor':
        return new Refused(409, 'factor: there is none yet')
      case 'over':
        return new Refused(410, 'verifyTOTPFactorRequestFactorUUID: is unknown or has waited too long')
    }
  }
  bind(app, accountRoutes.userFactorAdd, async (asked, call) => {
    const started = await factors.start(asked, ...(await who(call)))
    if (typeof started === 'string' || 'wrongFactor' in started) throw refusal(started)
    return started.factor
  })
  bind(app, accountRoutes.userFactorVerify, async (code, call) => {
    const verified = await factors.verify(code, ...(await who(call, 'signIn')))
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
      throw new Refused(403, 'Recovery codes can be created only right after a sign-in with a second factor, and only if there are none')
    return { recoveryCodes }
  })
  bind(app, accountRoutes.userRecoveryCodesAnew, async (_, call) => {
    const made = await factors.makeCodesAnew(...(await who(call, 'mail')))
    if (typeof made === 'string' || 'wrongFactor' in made) throw refusal(made)
    return { recoveryCodes: made.codes }
  })
}

/** Calls on the providers that sign one in. */
const addProviderCalls = (app: FastifyInstance, deps: Deps) => {
  const { caller, sso } = deps
  const who = askerBy(deps)

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
  bind(app, accountRoutes.userProviderLink, async ({ provider, password }, call) => {
    const started = await sso.startLink(provider, password, caller.cookie(call.request, 'sso'), ...(await who(call, 'signIn')))
    if (typeof started === 'string') throw refuseProvider(started)
    caller.setCookie(call.reply, 'sso', started.binding)
    return { location: started.location }
  })
  bind(app, accountRoutes.userProviderUnlink, async ({ provider, password }, call) => {
    const done = await sso.unlink(provider, password, ...(await who(call, 'signIn')))
    if (done !== 'done') throw refuseProvider(done)
    return {}
  })
}
