import { pushRoutes, type Route, routes } from '@gatehouse/wire'
import type { FastifyInstance } from 'fastify'
import type { Administration } from '../../admin/administration.ts'
import type { Administered } from '../../admin/permission.ts'
import type { Users } from '../../admin/users.ts'
import type { PushAnswers } from '../../factors/push/answers.ts'
import type { Approver } from '../../factors/push/approver.ts'
import type { DeviceProof } from '../../factors/push/device-proof.ts'
import type { Metrics } from '../../metrics.ts'
import type { FactorReset } from '../../recovery/factor-reset.ts'
import type { Recovery } from '../../recovery/recovery.ts'
import type { Sessions } from '../../sessions/sessions.ts'
import type { Enrollment } from '../../sign-in/enrollment.ts'
import type { PhoneApproval } from '../../sign-in/phone-approval.ts'
import type { SecondFactor } from '../../sign-in/second-factor.ts'
import type { SignedIn, SignIn } from '../../sign-in/sign-in.ts'
import type { Sso } from '../../sso/sso.ts'
import { bind, type Call, Refused } from '../bind.ts'
import type { Caller } from '../caller.ts'
import type { Rates } from '../rate-limits.ts'
import { addAccountCalls, type Own } from './account.ts'
import { addAdministrationCalls, administratorsOnly, secondFactorFirst } from './administration.ts'
import { addApproverCalls } from './approver.ts'

type Deps = {
  caller: Caller
  rates: Rates
  metrics: Metrics
  signIn: SignIn
  secondFactor: SecondFactor
  enrollment: Enrollment
  factorReset: FactorReset
  phoneApproval: PhoneApproval
  proof: DeviceProof
  approver: Approver
  answers: PushAnswers
  recovery: Recovery
  sessions: Sessions
  users: Users
  own: Own
  sso: Sso
  administration: Administration
}

/** The JSON calls, each to the decider behind it. */
export const addCalls = (app: FastifyInstance, deps: Deps) => {
  const { caller, rates, signIn, secondFactor, enrollment, factorReset, phoneApproval, recovery, sessions } = deps
  const visitor = ({ request }: Call) => caller.visitor(request)

  const answer = (signedIn: SignedIn, route: Route, { request, reply }: Call) => {
    deps.metrics.signIn(route.path.slice(route.path.lastIndexOf('/') + 1), signedIn.outcome.tag)
    caller.setSignInCookies(request, reply, signedIn)
    return signedIn.outcome
  }

  /** A call that tries to sign in under a name. */
  const bindSignIn = <Input>(
    route: Route<Input, SignedIn['outcome']>,
    nameOf: (input: Input) => string,
    decide: (input: Input, from: ReturnType<typeof visitor>) => Promise<SignedIn>,
  ) =>
    bind(app, route, async (input, call) => {
      await rates.count('signIn', call.request.ip)
      await rates.countAccount(call.request.ip, nameOf(input))
      return answer(await decide(input, visitor(call)), route, call)
    })
  bindSignIn(routes.getAuthTokenWithError, login => login.username, signIn.withPassword)
  bindSignIn(routes.verifyOTP, otp => otp.otpUsername, secondFactor.verifyCode)
  bindSignIn(routes.setupOTP, otp => otp.otpUsername, enrollment.setUp)
  bindSignIn(routes.resetOTP, otp => otp.otpUsername, factorReset.start)
  bindSignIn(routes.recoveryCode, otp => otp.otpUsername, secondFactor.useRecoveryCode)

  bind(app, pushRoutes.pushChallenge, async (otp, call) => {
    await rates.count('signIn', call.request.ip)
    await rates.countAccount(call.request.ip, otp.otpUsername)
    const { outcome, binding } = await phoneApproval.ask(otp, visitor(call))
    deps.metrics.signIn('pushChallenge', outcome.tag)
    if (binding !== undefined) caller.setCookie(call.reply, 'push', binding)
    return outcome
  })
  bind(app, pushRoutes.pushStatus, async (_, call) => {
    await rates.count('polls', call.request.ip)
    const status = await phoneApproval.status(caller.cookie(call.request, 'push'))
    if (!status) throw new Refused(410, 'challenge: this browser waits for none')
    return status
  })

  const exchange = async (pair: { authTokenSelector: string; authTokenToken: string }, call: Call) => {
    const { request, reply } = call
    await rates.count('tokens', request.ip)
    const binding = caller.cookie(request, 'hand-over')
    const claim = { authTokenSelector: pair.authTokenSelector, authTokenToken: pair.authTokenToken, binding: binding ?? '' }
    const session = await signIn.exchange(claim, visitor(call), await caller.session(request))
    if (session === undefined) throw new Refused(401, 'authTokenToken: is unknown, used or expired, or belongs to another browser')
    caller.setCookie(reply, 'session', session)
    return {}
  }
  bind(app, routes.plowlogin, exchange)
  bind(app, routes.loginWithToken, exchange)

  bind(app, routes.sendPasswordResetEmail, async ({ userEmail }, call) => {
    await rates.count('mail', call.request.ip)
    await recovery.sendPasswordResetEmail(userEmail, visitor(call))
    return {}
  })
  bind(app, routes.magiclinkSend, async (requests, call) => {
    await rates.count('mail', call.request.ip, requests.length)
    await recovery.sendOneTimeLinks(requests, visitor(call))
    return { tag: 'Ok' as const }
  })
  bind(app, routes.mailLinkLook, async (claim, { request }) => {
    await rates.count('tokens', request.ip)
    return recovery.look(claim)
  })
  bind(app, routes.magiclinkRedeem, async (claim, call) => {
    await rates.count('tokens', call.request.ip)
    return answer(await recovery.redeemOneTimeLink(claim, visitor(call)), routes.magiclinkRedeem, call)
  })
  bind(app, routes.continueSignIn, async (_, call) => {
    await rates.count('tokens', call.request.ip)
    return answer(await signIn.withTicket(visitor(call)), routes.continueSignIn, call)
  })
  bind(app, routes.newFactor, async (claim, call) => {
    await rates.count('tokens', call.request.ip)
    return answer(await factorReset.open(claim, visitor(call)), routes.newFactor, call)
  })
  bind(app, routes.resetPassword, async (reset, call) => {
    await rates.count('tokens', call.request.ip)
    if (!(await recovery.resetPassword(reset, visitor(call)))) throw new Refused(410, 'resettoken: is unknown, used or expired')
    return {}
  })

  bind(app, routes.logoutBySelf, async (_, call) => {
    const session = await caller.session(call.request)
    if (session) await sessions.end(session, visitor(call))
    caller.clearCookie(call.reply, 'session')
    return 'Signed out'
  })
  bind(app, routes.logoutByUserId, async (userId, call) => {
    await rates.count('tokens', call.request.ip)
    const ended = await deps.administration.endSessions(userId, await caller.session(call.request), visitor(call))
    if ('done' in ended) return true
    if (ended.refused === 'unknown') return false
    throw ended.refused === 'without-factor' ? secondFactorFirst() : administratorsOnly()
  })

  addUserCalls(app, deps)
  addAccountCalls(app, deps)
  addApproverCalls(app, deps)
  addAdministrationCalls(app, deps)

  bind(app, routes.featuresCheck, async ({ name }) => {
    const features = availableFeatures(app)
    return name === undefined ? { features } : features[name] === true
  })
}

/** Calls on users, by administrators. */
const addUserCalls = (app: FastifyInstance, { caller, rates, users }: Deps) => {
  /** It counts for the address, for anybody may make such a call and be refused. */
  const administrator = async ({ request }: Call) => {
    await rates.count('tokens', request.ip)
    return [await caller.session(request), caller.visitor(request)] as const
  }

  const done = <T>(administered: Administered<T>, field: string): T => {
    if ('done' in administered) return administered.done
    switch (administered.refused) {
      case 'forbidden':
      case 'stale':
        throw administratorsOnly()
      case 'oneself':
        throw new Refused(409, `${field}: administrators cannot delete themselves`)
      case 'unknown':
        throw new Refused(404, `${field}: there is no such user`)
      case 'taken':
        throw new Refused(409, `${field}: there is a user of this name already`)
      case 'without-factor':
        throw secondFactorFirst()
    }
  }
  bind(app, routes.userAdd, async (add, call) => done(await users.add(add, ...(await administrator(call))), 'username'))
  bind(app, routes.userUpdate, async (update, call) => done(await users.update(update, ...(await administrator(call))), 'userid'))
  bind(app, routes.userByUsername, async (name, call) => done(await users.findByUsername(name, ...(await administrator(call))), 'username'))
  bind(app, routes.userDelete, async (remove, call) => {
    const binding = caller.cookie(call.request, 'hand-over') ?? ''
    done(await users.remove(remove, binding, ...(await administrator(call))), 'userident')
    caller.clearCookie(call.reply, 'hand-over')
    return {}
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
  secondFactor: routes.verifyOTP.path,
  recoveryCodes: routes.recoveryCode.path,
  passwordReset: routes.sendPasswordResetEmail.path,
  oneTimeLink: routes.magiclinkSend.path,
  logoutByUserId: routes.logoutByUserId.path,
}
