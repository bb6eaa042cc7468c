import type { FactorCreationRequest, PushLink, PushProgress } from '@gatehouse/wire'
import * as audit from '../audit/audit.store.ts'
import { BadInput } from '../bad-input.ts'
import type { ChangeEvents } from '../change-events.ts'
import type { Db, Row } from '../db/schema.ts'
import * as challenges from '../factors/challenges.store.ts'
import { nameOf } from '../factors/factor-name.ts'
import * as factors from '../factors/factors.store.ts'
import { reasonOf } from '../factors/push/push.ts'
import { newPushChallenge } from '../factors/push/push-challenges.ts'
import * as pushFactors from '../factors/push/push-devices.store.ts'
import { limits } from '../limits.ts'
import type { Session } from '../sessions/session.ts'
import type { Visitor } from '../visitors/visitor.ts'
import type { FactorRefusal, OwnFactors } from './factors.ts'
import type { Reauthentication } from './reauthentication.ts'

/** The progress of an enrollment. `session` is the session's new cookie value, if it changed. */
type Progress = { progress: PushProgress; session?: string }

/** Enrolls phones for the signed-in user. */
export const createOwnPush = (deps: {
  reauthentication: Reauthentication
  ownFactors: OwnFactors
  changes: ChangeEvents
  /** The server's public address, without a trailing slash. */
  publicUrl: string
  now: () => number
}) => {
  const { reauthentication, ownFactors, changes, now } = deps

  /** Starts a named factor and issues the link that the phone opens. Its fragment has the secret: browsers do not send it to servers. */
  const start = async (
    request: FactorCreationRequest,
    caller: Session | undefined,
    visitor: Visitor,
  ): Promise<{ link: PushLink } | FactorRefusal> => {
    nameOf(request.factorCreationRequestFriendlyName, 'factorCreationRequestFriendlyName')
    if (request.factorCreationRequestFactorType !== 'Push') throw new BadInput('factorCreationRequestFactorType: expected Push')
    return reauthentication.inFreshSession(caller, async (tx, account, session): Promise<{ link: PushLink } | FactorRefusal> => {
      const begun = await ownFactors.begin(tx, account, session, request)
      if (typeof begun === 'string' || 'wrongFactor' in begun) return begun
      const { factorUUID } = begun
      const { fragment, expires } = await pushFactors.issueEnrolment(tx, factorUUID, now())
      const { userId } = account
      await audit.record(tx, { event: 'factor-started', result: 'successful', actor: userId, target: userId, now: now() }, visitor)
      return { link: { factorUUID, link: `${deps.publicUrl}/approve#enrol=${fragment}`, expires: new Date(expires).toISOString() } }
    })
  }

  /**
   * Returns the progress of an enrollment and takes its next step: challenges a phone that has opened the link, and completes the
   * enrollment of a phone that has approved.
   */
  const advance = async (
    factorUUID: string,
    again: boolean,
    caller: Session | undefined,
    visitor: Visitor,
  ): Promise<Progress | FactorRefusal> => {
    let opened = false
    const step = await reauthentication.inFreshSession(caller, async (tx, account): Promise<Progress | { approved: Row<'factors'> }> => {
      const factor = await factors.findOwn(tx, account.userId, factorUUID)
      if (factor?.factorFactorType !== 'Push') return { progress: { tag: 'Over' } }
      if (factor.factorStatus === 'Verified') return { progress: { tag: 'Verified' } }
      const isOver = Number(factor.factorExpires) <= now() || factor.factorWrongCodes >= limits.factor.wrongFirstCodes
      if (isOver) return { progress: { tag: 'Over' } }
      if (!(await pushFactors.findDevice(tx, factorUUID, now()))) return { progress: { tag: 'Waiting' } }
      const challenge = await challenges.findEnrolment(tx, factorUUID)
      if (challenge?.challengeStatus === 'Approved') return { approved: factor }
      const next = challenge && progressOf(challenge, again)
      opened = next === undefined
      return { progress: next ?? (await open(tx, account.userId, factorUUID, visitor)) }
    })
    if (opened) changes.publish()
    if (typeof step === 'string' || 'progress' in step) return step
    const { factorFriendlyName } = step.approved
    const done = await ownFactors.complete(caller, { factorUUID, factorFriendlyName, type: 'Push' }, visitor, async () => true)
    if (typeof done === 'string' || 'wrongFactor' in done) return done
    changes.publish()
    return { progress: { tag: 'Verified' }, session: done.session }
  }

  /** Returns the progress of a challenge. `undefined` if the challenge is over and the user asks for another. */
  const progressOf = (challenge: Row<'challenges'>, again: boolean): PushProgress | undefined => {
    const { challengeStatus, challengeRespondedReason: tag } = challenge
    if (challengeStatus === 'Pending' && challenge.challengeExpires > now()) return number(challenge)
    if (again) return undefined
    if (challengeStatus !== 'Denied')
      return { tag: 'Failed', contents: { challengeStatus: 'Expired', challengeRespondedReason: { tag: 'ReasonNone' } } }
    return { tag: 'Failed', contents: { challengeStatus, challengeRespondedReason: reasonOf(tag) } }
  }

  /** Asks the phone for the number that only the enrollment page shows. */
  const open = async (tx: Db, userId: string, factorUUID: string, visitor: Visitor): Promise<PushProgress> => {
    const asked = newPushChallenge({ userId, factorUUID, enrolls: true }, visitor, now())
    await challenges.openChallenge(tx, asked, now())
    return number(asked)
  }

  const number = ({
    challengeNumber,
    challengeExpires,
  }: Pick<Row<'challenges'>, 'challengeNumber' | 'challengeExpires'>): PushProgress => ({
    tag: 'Asked',
    contents: { challengeNumber: challengeNumber ?? '', challengeExpires: new Date(Number(challengeExpires)).toISOString() },
  })

  return { start, advance }
}
export type OwnPush = ReturnType<typeof createOwnPush>
