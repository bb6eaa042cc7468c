import { approverRoutes } from '@gatehouse/wire'
import type { FastifyInstance } from 'fastify'
import type { PushAnswers } from '../../factors/push/answers.ts'
import type { Approver } from '../../factors/push/approver.ts'
import type { DeviceProof, DeviceRefusal } from '../../factors/push/device-proof.ts'
import { bind, type Call, Refused } from '../bind.ts'
import type { Caller } from '../caller.ts'
import type { Rate, Rates } from '../rate-limits.ts'

/** The calls of enrolled phones. Signatures authenticate them; cookies are ignored. */
export const addApproverCalls = (
  app: FastifyInstance,
  deps: { caller: Caller; rates: Rates; proof: DeviceProof; approver: Approver; answers: PushAnswers },
) => {
  const { caller, rates, proof, approver, answers } = deps
  const visitor = async ({ request }: Call, as: Rate = 'tokens') => {
    await rates.count(as, request.ip)
    return caller.visitor(request)
  }

  const refusal = (why: DeviceRefusal): Refused => {
    switch (why) {
      case 'gone':
        return new Refused(410, 'factorUUID: is no longer enrolled')
      case 'unproven':
        return new Refused(403, 'signature: does not match this device, or is too old')
    }
  }

  bind(app, approverRoutes.enrol, async (request, call) => {
    const enrolled = await approver.enrol(request, await visitor(call))
    if (enrolled === 'gone') throw new Refused(410, 'token: is unknown, used or expired')
    if (enrolled === 'taken') throw new Refused(409, 'publicKey: belongs to another factor')
    return enrolled
  })
  bind(app, approverRoutes.nonce, async (_, call) => {
    await visitor(call, 'polls')
    return { nonce: proof.nonce() }
  })
  bind(app, approverRoutes.pending, async (shown, call) => {
    const pending = await approver.pending(shown, await visitor(call, 'polls'))
    if (typeof pending === 'string') throw refusal(pending)
    return pending
  })
  bind(app, approverRoutes.answer, async (answer, call) => {
    const answered = await answers.answer(answer, await visitor(call))
    if (answered === 'unknown') throw new Refused(404, 'challengeUUID: is unknown')
    if (answered === 'answered') throw new Refused(409, 'challengeUUID: has already been answered')
    if (typeof answered === 'string') throw refusal(answered)
    return answered
  })
  bind(app, approverRoutes.subscribe, async (subscription, call) => {
    const subscribed = await approver.subscribe(subscription, await visitor(call))
    if (subscribed !== 'done') throw refusal(subscribed)
    return {}
  })
  bind(app, approverRoutes.leave, async (shown, call) => {
    const left = await approver.leave(shown, await visitor(call))
    if (left === 'last-stays') throw new Refused(409, 'factor: is the last one, and one is required')
    if (left !== 'done') throw refusal(left)
    return {}
  })
}
