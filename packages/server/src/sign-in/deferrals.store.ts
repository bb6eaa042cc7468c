import type { Db } from '../db/schema.ts'
import { limits } from '../limits.ts'

/**
 * Counts a skip, if there is one left: so many, within so long from the first.
 * @returns how many there were with this one
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

/** Whether one more skip would be counted. */
export const hasSkipLeft = async (db: Db, skipUser: string, now: number): Promise<boolean> => {
  const { most, within } = limits.skip
  const skips = await findSkips(db, skipUser)
  return !skips || (skips.skipCount < most && Number(skips.skipFirst) > now - within)
}

/** How often somebody has put off a second factor so far, and since when. */
export const findSkips = (db: Db, skipUser: string): Promise<{ skipCount: number; skipFirst: number } | undefined> =>
  db.selectFrom('skips').select(['skipCount', 'skipFirst']).where('skipUser', '=', skipUser).executeTakeFirst()
