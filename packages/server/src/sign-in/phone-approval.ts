import { randomUUID } from 'node:crypto'
import type { OTPRequest, PushOutcome, PushStatus } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { AuditResult } from '../audit/audit-events.ts'
import { BadInput } from '../bad-input.ts'
import type { News } from '../change-events.ts'
import type { Db, Tables } from '../db/schema.ts'
import * as challenges from '../factors/challenges.store.ts'
import * as failedCodes from '../factors/failed-codes.store.ts'
import { newNumber, statusOf } from '../factors/push/push.ts'
import * as pushCounts from '../factors/push/push-counts.store.ts'
import * as pushFactors from '../factors/push/push-devices.store.ts'
import * as pushWakes from '../factors/push/push-wakes.store.ts'
import { limits } from '../limits.ts'
import * as pushWaits from '../sessions/approval-waits.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { CheckFirstFactor } from './authenticate.ts'

/** What a wish to ask a device came to, and the cookie that ties the answer to the browser. */
export type PushAsked = { outcome: PushOutcome; binding?: string }

/** Decides on asking somebody's devices to approve a sign-in. */
export const createPushSignIn = (deps: { db: Kysely<Tables>; firstFactor: CheckFirstFactor; news: News; now: () => number }) => {
  const { db, firstFactor, news, now } = deps

  /** pushChallenge: asks the devices of one whose first factor is right. */
  const ask = async (request: OTPRequest, visitor: Visitor): Promise<PushAsked> => {
    if (request.otpVerification != null) throw new BadInput('otpVerification: is not taken here')
    if (request.otpFactorUUID != null) throw new BadInput('otpFactorUUID: is not taken here')
    const claim = { username: request.otpUsername, password: request.otpPassword }
    const step = { event: 'push-requested', field: 'otpUsername' } as const
    const asked = await firstFactor.check(claim, visitor, step, first =>
      db.transaction().execute(async (tx): Promise<PushAsked | undefined> => {
        const account = await first.confirm(tx)
        if (!account) return undefined
        const { userId } = account
        const said = (result: AuditResult) =>
          audit.record(tx, { event: 'push-requested', result, actor: userId, target: userId, now: now() }, visitor)
        if (account.userForcedReset) {
          await said('forced-reset')
          return { outcome: { tag: 'AuthFailureForcedReset' } }
        }
        const [device] = await pushFactors.listVerifiedPush(tx, userId)
        if (device === undefined) {
          await said('no-factor')
          const contents = { tag: 'DatabaseError', contents: { tag: 'NoVerifiedFactors' } } as const
          return { outcome: { tag: 'AuthFailureFactorError', contents } }
        }
        return open(tx, { userId, device, ticket: first.ticket }, visitor, said)
      }),
    )
    news.tell()
    return asked ?? { outcome: { tag: 'AuthFailureFailedLogin' } }
  }

  /** Asks, unless that was done too often: then the browser is told the same and waits in vain, and no device hears of it. */
  const open = async (
    tx: Db,
    { userId, device, ticket }: { userId: string; device: string; ticket: string | undefined },
    visitor: Visitor,
    said: (result: AuditResult) => Promise<void>,
  ): Promise<PushAsked> => {
    const asked = {
      challengeUUID: randomUUID(),
      challengeIdentity: userId,
      challengeFactorUUID: device,
      challengeExpires: now() + limits.push.lifetime,
      challengeNumber: newNumber(),
      challengeEnrols: 0,
      challengeAddress: visitor.address,
      challengeUserAgent: visitor.userAgent,
    } as const
    const { challengeUUID, challengeNumber, challengeExpires } = asked
    const isPaused = await failedCodes.isPaused(tx, userId, now())
    const mayAsk = !isPaused && (await pushCounts.countPush(tx, userId, now()))
    if (mayAsk) {
      await challenges.openPushChallenge(tx, asked, now())
      await pushWakes.queueWakes(tx, userId, asked, now())
    }
    const wait = { pushWaitUser: userId, ticket, pushWaitChallenge: challengeUUID, pushWaitExpires: challengeExpires }
    const binding = await pushWaits.startWait(tx, wait)
    await said(mayAsk ? 'successful' : isPaused ? 'paused' : 'too-many')
    const contents = { challengeUUID, challengeNumber, challengeExpires: new Date(challengeExpires).toISOString() }
    return { outcome: { tag: 'PushChallengeOpened', contents }, binding }
  }

  /** How far the challenge has come that a browser waits for. */
  const status = async (binding: string | undefined): Promise<PushStatus | undefined> => {
    const awaited = binding === undefined ? undefined : (await pushWaits.readWaits(db, [binding], now())).get(binding)
    return awaited && statusOf(awaited)
  }

  return { ask, status }
}
export type PushSignIn = ReturnType<typeof createPushSignIn>
