import { routes } from '@gatehouse/wire'
import type { FastifyInstance } from 'fastify'
import type { FactorReset } from '../../recovery/factor-reset.ts'
import { waitNumber } from '../../recovery/mail-code.ts'
import type { Recovery } from '../../recovery/recovery.ts'
import { bind, type Call, Refused } from '../bind.ts'
import type { Caller } from '../caller.ts'
import type { Rates } from '../rate-limits.ts'
import type { SignInAttempts } from '../sign-in-attempts.ts'

/** Requests for mail, and the links in those mails. */
export const addRecoveryCalls = (
  app: FastifyInstance,
  deps: { caller: Caller; rates: Rates; attempts: SignInAttempts; recovery: Recovery; factorReset: FactorReset },
) => {
  const { caller, rates, attempts, recovery, factorReset } = deps
  const visitor = ({ request }: Call) => caller.visitor(request)

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
  bind(app, routes.magiclinkWait, async (_, { request, reply }) => {
    await rates.count('tokens', request.ip)
    return { number: waitNumber(caller.beginMailWait(request, reply)) }
  })
  bind(app, routes.magiclinkCode, async (typed, call) => {
    await rates.count('tokens', call.request.ip)
    return attempts.answer('mailCode', await recovery.redeemMailCode(typed.code, attempts.visitor(call, typed)), call)
  })
  bind(app, routes.mailLinkLook, async (claim, call) => {
    await rates.count('tokens', call.request.ip)
    return recovery.look(claim, visitor(call))
  })
  bind(app, routes.magiclinkRedeem, async (claim, call) => {
    await rates.count('tokens', call.request.ip)
    return attempts.answer('redeem', await recovery.redeemOneTimeLink(claim, attempts.visitor(call, claim)), call)
  })
  bind(app, routes.newFactor, async (claim, call) => {
    await rates.count('tokens', call.request.ip)
    return attempts.answer('newFactor', await factorReset.open(claim, attempts.visitor(call)), call)
  })
  bind(app, routes.resetPassword, async (reset, call) => {
    await rates.count('tokens', call.request.ip)
    const done = await recovery.resetPassword(reset, visitor(call))
    if (!done) throw new Refused(410, 'resettoken: is unknown, used or expired')
    return done
  })
}
