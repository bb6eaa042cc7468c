import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import { limits } from '../limits.ts'

const { pauseEvery, pause, disabledFrom } = limits.codes

/**
 * Counts a code of a second factor before it is checked, in one statement, so that parallel tries cannot slip past. The
 * count is the user's: no new sign-in, ticket or challenge starts it anew (NIST SP 800-63B-4 §3.1.3).
 * @returns whether the code may be checked, and how many wrong ones in a row there are if this is one
 */
export const countCode = async (db: Db, failedCodeUser: string, now: number): Promise<{ allowed: boolean; attempts: number }> => {
  const attempts = sql<number>`failed_codes."failedCodeAttempts"`
  const until = sql<number | null>`failed_codes."failedCodePausedUntil"`
  // Beside an integer PostgreSQL would take the instant for a small one.
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

/** Whether a user's codes are not looked at. */
export const isPaused = async (db: Db, failedCodeUser: string, now: number): Promise<boolean> =>
  (await db
    .selectFrom('failed_codes')
    .select('failedCodeUser')
    .where('failedCodeUser', '=', failedCodeUser)
    .where(e => e.or([e('failedCodeAttempts', '>=', disabledFrom), e('failedCodePausedUntil', '>', now)]))
    .executeTakeFirst()) !== undefined

/** Whose codes are not looked at, and until when; null: until it is reset. */
export const listPauses = async (db: Db, now: number): Promise<{ userId: string; until: number | null }[]> => {
  const rows = await db
    .selectFrom('failed_codes')
    .select(['failedCodeUser', 'failedCodeAttempts', 'failedCodePausedUntil'])
    .where(e => e.or([e('failedCodeAttempts', '>=', disabledFrom), e('failedCodePausedUntil', '>', now)]))
    .execute()
  return rows.map(row => ({ userId: row.failedCodeUser, until: row.failedCodeAttempts >= disabledFrom ? null : row.failedCodePausedUntil }))
}

/** After a success, or a reset, the count starts anew. */
export const clearCodes = async (db: Db, failedCodeUser: string): Promise<void> => {
  await db.deleteFrom('failed_codes').where('failedCodeUser', '=', failedCodeUser).execute()
}

/** After a step of the clock back, no pause lasts longer than a whole one from now. */
export const rebase = async (db: Db, now: number): Promise<void> => {
  const failedCodePausedUntil = now + limits.codes.pause
  await db
    .updateTable('failed_codes')
    .set({ failedCodePausedUntil })
    .where('failedCodePausedUntil', '>', failedCodePausedUntil + limits.clockSkew.step)
    .execute()
}
