import type { OTPRequest, PushOutcome, PushStatus } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import * as audit from '../audit/audit.store.ts'
import type { AuditResult } from '../audit/audit-events.ts'
import { BadInput } from '../bad-input.ts'
import type { ChangeEvents } from '../change-events.ts'
import type { Tables } from '../db/schema.ts'
import * as challenges from '../factors/challenges.store.ts'
import * as failedCodes from '../factors/failed-codes.store.ts'
import { statusOf } from '../factors/push/push.ts'
import { newPushChallenge } from '../factors/push/push-challenges.ts'
import * as pushCounts from '../factors/push/push-counts.store.ts'
import * as pushFactors from '../factors/push/push-devices.store.ts'
import * as pushWakes from '../factors/push/push-wakes.store.ts'
import * as pushWaits from '../sessions/approval-waits.store.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { Authentication, Confirmed } from './authenticate.ts'
import { credentialsOf, step } from './factor-steps.ts'

/** The answer to a request for an approval, and the cookie that ties the approval to the browser. */
export type ApprovalRequested = { outcome: PushOutcome; binding?: string }

/** Asks a user's phones to approve a sign-in. */
export const createPhoneApproval = (deps: {
  db: Kysely<Tables>
  authentication: Authentication
  changes: ChangeEvents
  now: () => number
}) => {
  const { db, changes, now } = deps
  const { authenticate } = deps.authentication

  /** pushChallenge: asks the phones, if the first factor is right. */
  const ask = async (request: OTPRequest, visitor: Visitor): Promise<ApprovalRequested> => {
    if (request.otpVerification != null) throw new BadInput('otpVerification: is not taken here')
    if (request.otpFactorUUID != null) throw new BadInput('otpFactorUUID: is not taken here')
    const asked = await askPhones(request, visitor)
    changes.publish()
    return asked
  }

  const askPhones = async (request: OTPRequest, visitor: Visitor): Promise<ApprovalRequested> => {
    using first = await authenticate(credentialsOf(request), visitor, step('push-requested'))
    if (!first) return { outcome: { tag: 'AuthFailureFailedLogin' } }
    return await db.transaction().execute(async (tx): Promise<ApprovalRequested> => {
      const confirmed = await first.confirm(tx)
      if (!confirmed) return first.refuse(tx, { outcome: { tag: 'AuthFailureFailedLogin' } })
      const { userId, userForcedReset } = confirmed.account
      if (userForcedReset) {
        await record(confirmed, 'forced-reset', visitor)
        return { outcome: { tag: 'AuthFailureForcedReset' } }
      }
      const [device] = await pushFactors.listVerifiedPush(tx, userId)
      if (device === undefined) {
        await record(confirmed, 'no-factor', visitor)
        const contents = { tag: 'DatabaseError', contents: { tag: 'NoVerifiedFactors' } } as const
        return { outcome: { tag: 'AuthFailureFactorError', contents } }
      }
      return open(confirmed, device, visitor)
    })
  }

  const record = ({ tx, event, account: { userId } }: Confirmed, result: AuditResult, visitor: Visitor) =>
    audit.record(tx, { event, result, actor: userId, target: userId, now: now() }, visitor)

  /** Opens a challenge. Past the limit or during a pause it opens none: the browser gets the same kind of answer, and no phone is asked. */
  const open = async (confirmed: Confirmed, device: string, visitor: Visitor): Promise<ApprovalRequested> => {
    const { tx, ticket } = confirmed
    const { userId } = confirmed.account
    const asked = newPushChallenge({ userId, factorUUID: device, enrolls: false }, visitor, now())
    const { challengeUUID, challengeNumber, challengeExpires } = asked
    const isPaused = await failedCodes.isPaused(tx, userId, now())
    const mayAsk = !isPaused && (await pushCounts.countPush(tx, userId, now()))
    if (mayAsk) {
      await challenges.openChallenge(tx, asked, now())
      await pushWakes.queueWakes(tx, userId, asked, now())
    }
    const wait = { pushWaitUser: userId, ticket, pushWaitChallenge: challengeUUID, pushWaitExpires: challengeExpires }
    const binding = await pushWaits.startWait(tx, wait)
    await record(confirmed, mayAsk ? 'successful' : isPaused ? 'paused' : 'too-many', visitor)
    const contents = { challengeUUID, challengeNumber, challengeExpires: new Date(challengeExpires).toISOString() }
    return { outcome: { tag: 'PushChallengeOpened', contents }, binding }
  }

  /** The status of the challenge that a browser waits for. */
  const status = async (binding: string | undefined): Promise<PushStatus | undefined> => {
    const awaited = binding === undefined ? undefined : (await pushWaits.readWaits(db, [binding], now())).get(binding)
    return awaited && statusOf(awaited)
  }

  return { ask, status }
}
export type PhoneApproval = ReturnType<typeof createPhoneApproval>
