import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import { limits } from '../../limits.ts'

const { within, sinceSuccess, denied, unanswered, pause } = limits.push

const column = (name: string) => sql<number | null>`push_counts.${sql.ref(name)}`
const whole = (n: number) => sql<number>`cast(${n} as bigint)`

/**
 * Counts an approval request before it is sent, in one statement, so that parallel requests cannot exceed the limits. Attack: an attacker
 * with the password sends requests until the owner approves one (NIST SP 800-63B-4 §3.1.3, authentication fatigue).
 * @returns whether the request may be sent
 */
export const countPush = async (db: Db, pushCountUser: string, now: number): Promise<boolean> => {
  const at = whole(now)
  const [last, secondLast, thirdLast] = [column('pushCountLast'), column('pushCountSecondLast'), column('pushCountThirdLast')]
  const [asked, refused, silent] = [column('pushCountSinceSuccess'), column('pushCountDenied'), column('pushCountUnanswered')]
  const until = column('pushCountPausedUntil')
  const isOver = sql`(${until} is not null and ${until} <= ${at})`
  const isPaused = sql`(${until} is not null and ${until} > ${at})`
  const isTired = sql`(${until} is null and (${refused} >= ${sql.lit(denied)} or ${silent} >= ${sql.lit(unanswered)}))`
  const isOften = sql`(${asked} >= ${sql.lit(sinceSuccess)} or (${thirdLast} is not null and ${thirdLast} > ${at} - ${whole(within)}))`
  const no = sql`(${isPaused} or ${isTired} or ${isOften})`
  const row = await db
    .insertInto('push_counts')
    .values({
      pushCountUser,
      pushCountLast: now,
      pushCountSecondLast: null,
      pushCountThirdLast: null,
      pushCountSinceSuccess: 1,
      pushCountDenied: 0,
      pushCountUnanswered: 1,
      pushCountPausedUntil: null,
      pushCountAllowed: 1,
    })
    .onConflict(c =>
      c.column('pushCountUser').doUpdateSet({
        pushCountLast: sql`case when ${no} then ${last} else ${at} end`,
        pushCountSecondLast: sql`case when ${no} then ${secondLast} else ${last} end`,
        pushCountThirdLast: sql`case when ${no} then ${thirdLast} else ${secondLast} end`,
        pushCountSinceSuccess: sql`case when ${no} then ${asked} else ${asked} + 1 end`,
        pushCountDenied: sql`case when ${no} then ${refused} when ${isOver} then 0 else ${refused} end`,
        pushCountUnanswered: sql`case when ${no} then ${silent} when ${isOver} then 1 else ${silent} + 1 end`,
        pushCountPausedUntil: sql`case when ${no} then ${until} else null end`,
        pushCountAllowed: sql`case when ${no} then 0 else 1 end`,
      }),
    )
    .returning('pushCountAllowed')
    .executeTakeFirstOrThrow()
  return row.pushCountAllowed === 1
}

/** Resets the count of unanswered requests. An approval also resets the count of denials. */
export const countAnswer = async (db: Db, pushCountUser: string, approved: boolean): Promise<void> => {
  await db
    .updateTable('push_counts')
    .set({ pushCountUnanswered: 0, ...(approved && { pushCountDenied: 0 }) })
    .where('pushCountUser', '=', pushCountUser)
    .execute()
}

/**
 * Counts a denial.
 * @returns true if this denial starts a pause
 */
export const countDenial = async (db: Db, pushCountUser: string, now: number): Promise<boolean> => {
  const row = await db
    .updateTable('push_counts')
    .set(e => ({
      pushCountUnanswered: 0,
      pushCountDenied: e('pushCountDenied', '+', 1),
      pushCountPausedUntil: sql<
        number | null
      >`case when "pushCountDenied" + 1 = ${sql.lit(denied)} then ${whole(now + pause)} else "pushCountPausedUntil" end`,
    }))
    .where('pushCountUser', '=', pushCountUser)
    .returning('pushCountDenied')
    .executeTakeFirst()
  return row?.pushCountDenied === denied
}

/**
 * Starts a pause for users with too many unanswered requests.
 * @returns their ids, once per pause
 */
export const pauseUnanswered = async (db: Db, now: number): Promise<string[]> => {
  const rows = await db
    .updateTable('push_counts')
    .set({ pushCountPausedUntil: now + pause })
    .where('pushCountUnanswered', '>=', unanswered)
    .where('pushCountPausedUntil', 'is', null)
    .where('pushCountLast', '<=', now - limits.push.lifetime)
    .returning('pushCountUser')
    .execute()
  return rows.map(row => row.pushCountUser)
}

/** Returns when the pause of a user's phone approvals ends; null without a pause. */
export const findPause = async (db: Db, pushCountUser: string, now: number): Promise<number | null> => {
  const row = await db
    .selectFrom('push_counts')
    .select('pushCountPausedUntil')
    .where('pushCountUser', '=', pushCountUser)
    .where('pushCountPausedUntil', '>', now)
    .executeTakeFirst()
  return row?.pushCountPausedUntil ?? null
}

/** Resets all counts after a success, or after an administrator unlocks the user. */
export const clearPushes = async (db: Db, userId: string): Promise<void> => {
  await db.deleteFrom('push_counts').where('pushCountUser', '=', userId).execute()
}

/** After the clock was set back, shortens pauses that would end later than one full pause from now. */
export const rebase = async (db: Db, now: number): Promise<void> => {
  const pushCountPausedUntil = now + limits.push.pause
  await db
    .updateTable('push_counts')
    .set({ pushCountPausedUntil })
    .where('pushCountPausedUntil', '>', pushCountPausedUntil + limits.clockSkew.step)
    .execute()
}
