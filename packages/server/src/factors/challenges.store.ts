import type { ChallengeRespondedReason } from '@gatehouse/wire'
import { sql } from 'kysely'
import type { Db, Row } from '../db/schema.ts'
import { limits } from '../limits.ts'

/** A challenge to open. Only a challenge to a phone has a number and names the browser that requested it. */
export type NewChallenge = Pick<
  Row<'challenges'>,
  'challengeUUID' | 'challengeIdentity' | 'challengeFactorUUID' | 'challengeFactorType' | 'challengeExpires'
> &
  Partial<Pick<Row<'challenges'>, 'challengeNumber' | 'challengeEnrols' | 'challengeAddress' | 'challengeUserAgent' | 'challengeSignIn'>>

/** Opens a challenge, and closes the open challenge of the same user, if any. */
export const openChallenge = async (db: Db, asked: NewChallenge, now: number): Promise<void> => {
  await closeOpen(db, asked.challengeIdentity, now)
  await db
    .insertInto('challenges')
    .values({
      ...asked,
      challengeDateCreated: now,
      challengeDateUpdated: now,
      challengeDateResponded: null,
      challengeStatus: 'Pending',
      challengeRespondedReason: 'ReasonNone',
    })
    .execute()
}

/** Closes a user's open challenge. Each user has at most one. */
export const closeOpen = async (db: Db, challengeIdentity: string, now: number): Promise<void> => {
  await expire(db, now, challengeIdentity)
  await db
    .updateTable('challenges')
    .set({ challengeStatus: 'Denied', challengeRespondedReason: 'NotNeeded', challengeDateUpdated: now, challengeDateResponded: now })
    .where('challengeIdentity', '=', challengeIdentity)
    .where('challengeStatus', '=', 'Pending')
    .execute()
}

export type Answer = { status: 'Pending' | 'Approved' | 'Denied'; reason: ChallengeRespondedReason['tag']; factorUUID?: string }

const answered = (db: Db, answer: Answer, now: number) =>
  db
    .updateTable('challenges')
    .set({
      challengeStatus: answer.status,
      challengeRespondedReason: answer.reason,
      challengeDateUpdated: now,
      ...(answer.status !== 'Pending' && { challengeDateResponded: now }),
      ...(answer.factorUUID !== undefined && { challengeFactorUUID: answer.factorUUID }),
    })
    .where('challengeStatus', '=', 'Pending')
    .where('challengeExpires', '>', now)

/**
 * Answers a user's open challenge of one type, in one statement. A wrong code may leave it open.
 * @returns whether a challenge was open
 */
export const answerChallenge = async (
  db: Db,
  { challengeIdentity, challengeFactorType }: Pick<Row<'challenges'>, 'challengeIdentity' | 'challengeFactorType'>,
  answer: Answer,
  now: number,
): Promise<boolean> =>
  (await answered(db, answer, now)
    .where('challengeIdentity', '=', challengeIdentity)
    .where('challengeFactorType', '=', challengeFactorType)
    .returning('challengeUUID')
    .executeTakeFirst()) !== undefined

/** Answers one challenge, in one statement. @returns whether it was still open */
export const answerOne = async (
  db: Db,
  challengeUUID: string,
  answer: Answer & { status: 'Approved' | 'Denied' },
  now: number,
): Promise<boolean> =>
  (await answered(db, answer, now).where('challengeUUID', '=', challengeUUID).returning('challengeUUID').executeTakeFirst()) !== undefined

type OfType = Pick<Row<'challenges'>, 'challengeFactorType'>

/** The open challenges of a type to some users. */
export const listPending = (
  db: Db,
  { challengeFactorType, userIds }: OfType & { userIds: readonly string[] },
  now: number,
): Promise<Row<'challenges'>[]> =>
  db
    .selectFrom('challenges')
    .selectAll()
    .where('challengeIdentity', 'in', userIds)
    .where('challengeFactorType', '=', challengeFactorType)
    .where('challengeStatus', '=', 'Pending')
    .where('challengeExpires', '>', now)
    .execute()

export const findChallenge = (db: Db, challengeUUID: string): Promise<Row<'challenges'> | undefined> =>
  db.selectFrom('challenges').selectAll().where('challengeUUID', '=', challengeUUID).executeTakeFirst()

/** The newest challenge of a factor's enrollment. */
export const findEnrolment = (db: Db, challengeFactorUUID: string): Promise<Row<'challenges'> | undefined> =>
  db
    .selectFrom('challenges')
    .selectAll()
    .where('challengeFactorUUID', '=', challengeFactorUUID)
    .where('challengeEnrols', '=', 1)
    .orderBy('challengeDateCreated', 'desc')
    .orderBy(sql`case "challengeStatus" when 'Pending' then 0 else 1 end`)
    .limit(1)
    .executeTakeFirst()

/** A user's newest sign-in challenge of one type. */
export const findNewest = (
  db: Db,
  { challengeIdentity, challengeFactorType }: OfType & { challengeIdentity: string },
): Promise<Row<'challenges'> | undefined> =>
  db
    .selectFrom('challenges')
    .selectAll()
    .where('challengeIdentity', '=', challengeIdentity)
    .where('challengeFactorType', '=', challengeFactorType)
    .where('challengeEnrols', '=', 0)
    .orderBy('challengeDateCreated', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Marks open challenges as expired once their time is over. */
const expire = async (db: Db, now: number, challengeIdentity?: string) => {
  let query = db
    .updateTable('challenges')
    .set({ challengeStatus: 'Expired', challengeDateUpdated: now })
    .where('challengeStatus', '=', 'Pending')
    .where('challengeExpires', '<=', now)
  if (challengeIdentity !== undefined) query = query.where('challengeIdentity', '=', challengeIdentity)
  await query.execute()
}

/** Marks overdue challenges as expired, and deletes challenges that were closed long ago. */
export const purge = async (db: Db, now: number): Promise<void> => {
  await expire(db, now)
  await db
    .deleteFrom('challenges')
    .where('challengeStatus', '!=', 'Pending')
    .where('challengeDateUpdated', '<=', now - limits.purge.challenges)
    .execute()
}
