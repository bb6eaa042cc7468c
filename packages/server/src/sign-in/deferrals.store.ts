import type { Db } from '../db/schema.ts'
import { limits } from '../limits.ts'

/**
 * Counts a skip, if the user has one left.
 * @returns how many skips the user has used. Undefined if none was left
 */
export const countSkip = async (db: Db, skipUser: string, now: number): Promise<number | undefined> => {
  const { most, within } = limits.skip
  const row = await db
    .insertInto('skips')
    .values({ skipUser, skipCount: 1, skipFirst: now })
    .onConflict(c =>
      c
        .column('skipUser')
        .doUpdateSet(e => ({ skipCount: e('skips.skipCount', '+', 1) }))
        .where('skips.skipCount', '<', most)
        .where('skips.skipFirst', '>', now - within),
    )
    .returning('skipCount')
    .executeTakeFirst()
  return row?.skipCount
}

/** Whether the user can skip once more. */
export const hasSkipLeft = async (db: Db, skipUser: string, now: number): Promise<boolean> => {
  const { most, within } = limits.skip
  const skips = await findSkips(db, skipUser)
  return !skips || (skips.skipCount < most && Number(skips.skipFirst) > now - within)
}

/** How often a user has skipped the set-up of a second factor, and since when. */
export const findSkips = (db: Db, skipUser: string): Promise<{ skipCount: number; skipFirst: number } | undefined> =>
  db.selectFrom('skips').select(['skipCount', 'skipFirst']).where('skipUser', '=', skipUser).executeTakeFirst()
