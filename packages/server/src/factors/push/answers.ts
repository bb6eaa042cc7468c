import { type PushAnswerRequest, type PushStatus, pushAnswer } from '@gatehouse/wire'
import type { Kysely } from 'kysely'
import * as audit from '../../audit/audit.store.ts'
import type { ChangeEvents } from '../../change-events.ts'
import type { Db, Row, Tables } from '../../db/schema.ts'
import { limits } from '../../limits.ts'
import type { Metrics } from '../../metrics.ts'
import { revokeTickets } from '../../sessions/tickets.store.ts'
import * as accounts from '../../users/users.store.ts'
import type { Visitor } from '../../visitors/visitor.ts'
import * as challenges from '../challenges.store.ts'
import * as factors from '../factors.store.ts'
import * as failedCodes from '../failed-codes.store.ts'
import type { DeviceProof, DeviceRefusal } from './device-proof.ts'
import type { PushPause } from './pause.ts'
import { isSignedBy, reasonOf } from './push.ts'
import { concerns } from './push-challenges.ts'
import * as pushCounts from './push-counts.store.ts'
import * as pushFactors from './push-devices.store.ts'

/** Handles the answers of phones. */
export const createPushAnswers = (deps: {
  db: Kysely<Tables>
  proof: DeviceProof
  pause: PushPause
  metrics: Metrics
  changes: ChangeEvents
  /** The public URL's origin. Every signed text contains it. */
  origin: string
  now: () => number
}) => {
  const { db, metrics, changes, origin, now } = deps

  /** Handles a phone's answer. The statement that finds the challenge open also decides it, so only one answer counts. */
  const answer = async (request: PushAnswerRequest, visitor: Visitor): Promise<PushStatus | DeviceRefusal | 'unknown' | 'answered'> => {
    const asked = await pushFactors.findDevice(db, request.factorUUID, now())
    if (!asked) return 'gone'
    const said = pushAnswer({ ...request, number: request.number, userId: asked.factorIdentity, origin })
    if (!isSignedBy(asked, said, request.signature)) return deps.proof.unproven(asked, visitor)
    const outcome = await db.transaction().execute(async tx => {
      const account = await accounts.lockAccount(tx, asked.factorIdentity)
      // Read again: the phone may have been removed or verified meanwhile.
      const device = account && (await pushFactors.findDevice(tx, request.factorUUID, now()))
      if (!account || !device) return 'gone' as const
      const challenge = await challenges.findChallenge(tx, request.challengeUUID)
      return challenge && concerns(challenge, device) ? decide(tx, { account, device, challenge, request, visitor }) : ('unknown' as const)
    })
    changes.publish()
    return outcome
  }

  type Asked = {
    account: accounts.Account
    device: pushFactors.Device
    challenge: Row<'challenges'>
    request: PushAnswerRequest
    visitor: Visitor
  }

  const decide = async (tx: Db, asked: Asked): Promise<PushStatus | 'answered'> => {
    const { account, device, challenge, request, visitor } = asked
    const { challengeUUID } = challenge
    const { userId } = account
    const enrols = challenge.challengeEnrols === 1
    const is = (challengeStatus: PushStatus['challengeStatus'], tag: PushStatus['challengeRespondedReason']['tag']): PushStatus => ({
      challengeUUID,
      challengeStatus,
      challengeRespondedReason: reasonOf(tag),
    })
    const said = (result: 'not-me' | 'wrong-number' | 'paused' | 'approved') => {
      const row = {
        event: 'push-answered',
        result: enrols ? (`enrolment: ${result}` as const) : result,
        actor: userId,
        target: userId,
        now: now(),
      } as const
      // The visitor is the phone, not the browser that signs in. The row belongs to that browser's sign-in.
      return audit.record(tx, row, { ...visitor, signIn: challenge.challengeSignIn ?? undefined })
    }
    const evaluate = async () => {
      if (request.decision === 'Deny') return { status: 'Denied', reason: 'NotRequested', result: 'not-me' } as const
      if (request.number !== challenge.challengeNumber) return { status: 'Denied', reason: 'InvalidCode', result: 'wrong-number' } as const
      // A pause covers codes and phone approvals. The response does not reveal that the number was right.
      const isPaused = !enrols && (await failedCodes.isPaused(tx, userId, now()))
      return isPaused
        ? ({ status: 'Denied', reason: 'InvalidCode', result: 'paused' } as const)
        : ({ status: 'Approved', reason: 'ReasonNone', result: 'approved' } as const)
    }
    const { status, reason, result } = await evaluate()
    const given = { status, reason, factorUUID: device.factorUUID }
    if (!(await challenges.answerOne(tx, challengeUUID, given, now()))) {
      if (challenge.challengeStatus === 'Approved') return 'answered'
      if (challenge.challengeStatus === 'Denied') return is('Denied', challenge.challengeRespondedReason)
      return is('Expired', 'ReasonNone')
    }
    metrics.challenge(status, reason)
    await said(result)
    switch (result) {
      case 'approved':
        if (!enrols) {
          await pushCounts.countAnswer(tx, userId, true)
          await factors.recordUse(tx, device.factorUUID, now())
        }
        break
      case 'wrong-number':
      case 'paused':
        if (enrols) await factors.countFirstCode(tx, device.factorUUID, now())
        else await countWrong(tx, userId)
        break
      case 'not-me':
        // The phone's owner denies the enrollment: an attacker's account must not keep the phone.
        if (enrols) await factors.removeUnverified(tx, device.factorUUID)
        else if (await pushCounts.countDenial(tx, userId, now())) await deps.pause.notifyOfPause(tx, account, 'denied', challenge)
        break
    }
    return is(status, reason)
  }

  /**
   * Counts a wrong number like a wrong code. Every fifth one pauses the user's second factors and ends tickets, so a sign-in by mailed
   * link has to start again.
   */
  const countWrong = async (tx: Db, userId: string) => {
    await pushCounts.countAnswer(tx, userId, false)
    const { allowed, attempts } = await failedCodes.countCode(tx, userId, now())
    if (!allowed || attempts % limits.codes.pauseEvery === 0) await revokeTickets(tx, userId)
  }

  return { answer }
}
export type PushAnswers = ReturnType<typeof createPushAnswers>
