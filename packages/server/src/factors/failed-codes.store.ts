import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import { limits } from '../limits.ts'

const { pauseEvery, pause, disabledFrom } = limits.codes

/**
 * Counts a code before it is checked, in one statement, so that parallel attempts cannot exceed the limit. The count is per user: no new
 * sign-in, ticket or challenge resets it (NIST SP 800-63B-4 §3.1.3).
 * @returns whether the code may be checked, and how many wrong codes in a row there are if this one is wrong
 */
export const countCode = async (db: Db, failedCodeUser: string, now: number): Promise<{ allowed: boolean; attempts: number }> => {
  const attempts = sql<number>`failed_codes."failedCodeAttempts"`
  const until = sql<number | null>`failed_codes."failedCodePausedUntil"`
  // Without the cast PostgreSQL would type the instant as a 32-bit integer.
  const at = sql<number>`cast(${now} as bigint)`
  const paused = sql`(${attempts} >= ${sql.lit(disabledFrom)} or (${until} is not null and ${until} > ${at}))`
  const row = await db
    .insertInto('failed_codes')
    .values({ failedCodeUser, failedCodeAttempts: 1, failedCodePausedUntil: null, failedCodeAllowed: 1 })
    .onConflict(c =>
      c.column('failedCodeUser').doUpdateSet({
        failedCodeAttempts: sql`case when ${paused} then ${attempts} else ${attempts} + 1 end`,
        failedCodePausedUntil: sql`case when ${paused} then ${until}
          when (${attempts} + 1) % ${sql.lit(pauseEvery)} = 0 then ${at} + ${sql.lit(pause)} else null end`,
        failedCodeAllowed: sql`case when ${paused} then 0 else 1 end`,
      }),
    )
    .returning(['failedCodeAllowed', 'failedCodeAttempts'])
    .executeTakeFirstOrThrow()
  return { allowed: row.failedCodeAllowed === 1, attempts: row.failedCodeAttempts }
}

/** Selects the users whose codes the server does not check now. */
export const pausedUsers = (db: Db, now: number) =>
  db
    .selectFrom('failed_codes')
    .select('failedCodeUser')
    .where(e => e.or([e('failedCodeAttempts', '>=', disabledFrom), e('failedCodePausedUntil', '>', now)]))

export const isPaused = async (db: Db, userId: string, now: number): Promise<boolean> =>
  (await pausedUsers(db, now).where('failedCodeUser', '=', userId).executeTakeFirst()) !== undefined

/** Lists the pauses of some users, or of all, with the instant at which each ends; `null` where only a reset ends it. */
export const listPauses = async (
  db: Db,
  now: number,
  userIds?: readonly string[],
): Promise<{ userId: string; until: number | null; attempts: number }[]> => {
  const pauses = pausedUsers(db, now).select(['failedCodeAttempts', 'failedCodePausedUntil'])
  const rows = await (userIds ? pauses.where('failedCodeUser', 'in', userIds) : pauses).execute()
  return rows.map(row => ({
    userId: row.failedCodeUser,
    until: row.failedCodeAttempts >= disabledFrom ? null : row.failedCodePausedUntil,
    attempts: row.failedCodeAttempts,
  }))
}

/** Resets the count after a success, or after an administrator's reset. */
export const clearCodes = async (db: Db, failedCodeUser: string): Promise<void> => {
  await db.deleteFrom('failed_codes').where('failedCodeUser', '=', failedCodeUser).execute()
}

/** After the clock was set back, shortens pauses that would end later than one full pause from now. */
export const rebase = async (db: Db, now: number): Promise<void> => {
  const failedCodePausedUntil = now + limits.codes.pause
  await db
    .updateTable('failed_codes')
    .set({ failedCodePausedUntil })
    .where('failedCodePausedUntil', '>', failedCodePausedUntil + limits.clockSkew.step)
    .execute()
}
