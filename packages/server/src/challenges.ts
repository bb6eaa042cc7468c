import { randomUUID } from 'node:crypto'
import type { ChallengeRespondedReason } from '@gatehouse/wire'
import type { Db } from './db/schema.ts'
import { limits } from './limits.ts'

/** Opens a challenge to a factor. One that was open is no longer needed; there is one open at a time for each user. */
export const openChallenge = async (db: Db, challengeIdentity: string, challengeFactorUUID: string, now: number): Promise<void> => {
  await expire(db, now, challengeIdentity)
  await db
    .updateTable('challenges')
    .set({
      challengeStatus: 'Denied',
      challengeRespondedReason: 'NotNeeded',
      challengeDateUpdated: now,
      challengeDateResponded: now,
    })
    .where('challengeIdentity', '=', challengeIdentity)
    .where('challengeStatus', '=', 'Pending')
    .execute()
  await db
    .insertInto('challenges')
    .values({
      challengeUUID: randomUUID(),
      challengeIdentity,
      challengeFactorUUID,
      challengeDateCreated: now,
      challengeDateUpdated: now,
      challengeDateResponded: null,
      challengeExpires: now + limits.challenge.lifetime,
      challengeStatus: 'Pending',
      challengeRespondedReason: 'ReasonNone',
      challengeFactorType: 'TOTP',
    })
    .execute()
}

/**
 * The user's open challenge gets its answer, in one statement. A wrong code may leave it open.
 * @returns whether there was an open one
 */
export const answerChallenge = async (
  db: Db,
  challengeIdentity: string,
  answer: { status: 'Pending' | 'Approved' | 'Denied'; reason: ChallengeRespondedReason['tag']; factorUUID?: string },
  now: number,
): Promise<boolean> => {
  const row = await db
    .updateTable('challenges')
    .set({
      challengeStatus: answer.status,
      challengeRespondedReason: answer.reason,
      challengeDateUpdated: now,
      ...(answer.status !== 'Pending' && { challengeDateResponded: now }),
      ...(answer.factorUUID !== undefined && { challengeFactorUUID: answer.factorUUID }),
    })
    .where('challengeIdentity', '=', challengeIdentity)
    .where('challengeStatus', '=', 'Pending')
    .where('challengeExpires', '>', now)
    .returning('challengeUUID')
    .executeTakeFirst()
  return row !== undefined
}

/** Nobody answered in time. */
const expire = async (db: Db, now: number, challengeIdentity?: string) => {
  let query = db
    .updateTable('challenges')
    .set({ challengeStatus: 'Expired', challengeDateUpdated: now })
    .where('challengeStatus', '=', 'Pending')
    .where('challengeExpires', '<=', now)
  if (challengeIdentity !== undefined) query = query.where('challengeIdentity', '=', challengeIdentity)
  await query.execute()
}

/** Closes what expired and forgets what was decided long ago. */
export const purge = async (db: Db, now: number): Promise<void> => {
  await expire(db, now)
  await db
    .deleteFrom('challenges')
    .where('challengeStatus', '!=', 'Pending')
    .where('challengeDateUpdated', '<=', now - limits.purge.challenges)
    .execute()
}
