import { randomUUID } from 'node:crypto'
import type { Db, Row } from '../../db/schema.ts'
import { limits } from '../../limits.ts'
import type { Visitor } from '../../visitors/visitor.ts'
import * as challenges from '../challenges.store.ts'
import { newNumber } from './push.ts'

/**
 * Builds a challenge for phones. The caller stores it.
 * @param asked the phone that the user is enrolling (`enrolls: true`), or one of the enrolled phones that may approve the sign-in
 */
export const newPushChallenge = (asked: { userId: string; factorUUID: string; enrolls: boolean }, visitor: Visitor, now: number) =>
  ({
    challengeUUID: randomUUID(),
    challengeIdentity: asked.userId,
    challengeFactorUUID: asked.factorUUID,
    challengeFactorType: 'Push',
    challengeExpires: now + limits.push.lifetime,
    challengeNumber: newNumber(),
    challengeEnrols: asked.enrolls ? 1 : 0,
    challengeAddress: visitor.address,
    challengeUserAgent: visitor.userAgent,
    challengeSignIn: visitor.signIn ?? null,
  }) as const satisfies challenges.NewChallenge

/** The columns that decide which challenges a phone receives. */
type Concerned = { factorUUID: string; factorIdentity: string; factorStatus: Row<'factors'>['factorStatus'] }

/** Whether a challenge is for this phone: during enrollment only its own, later each sign-in challenge of its user. */
export const concerns = (challenge: Row<'challenges'>, { factorUUID, factorIdentity, factorStatus }: Concerned): boolean => {
  if (challenge.challengeIdentity !== factorIdentity || challenge.challengeFactorType !== 'Push') return false
  return challenge.challengeEnrols === 1
    ? factorStatus === 'Unverified' && challenge.challengeFactorUUID === factorUUID
    : factorStatus === 'Verified'
}

/** The open challenges to the phones of some users. */
export const listPendingPush = (db: Db, userIds: readonly string[], now: number): Promise<Row<'challenges'>[]> =>
  challenges.listPending(db, { challengeFactorType: 'Push', userIds }, now)

/** The newest sign-in challenge to a user's phones. */
export const findNewestPush = (db: Db, challengeIdentity: string): Promise<Row<'challenges'> | undefined> =>
  challenges.findNewest(db, { challengeIdentity, challengeFactorType: 'Push' })
