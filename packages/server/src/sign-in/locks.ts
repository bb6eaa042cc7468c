import { sql } from 'kysely'
import type { Db, Row } from '../db/schema.ts'
import { limits } from '../limits.ts'

// Reads the locks of passwords. lockout.store.ts writes them.
const { disabledFrom } = limits.lockout

/** Selects the usernames that are locked now. */
export const lockedNames = (db: Db, now: number) =>
  db
    .selectFrom('failed_logins')
    .select('failedLoginUserIdent')
    .where(e => e.or([e('failedLoginLockExpires', '>', now), e('failedLoginAttempts', '>=', sql.lit(disabledFrom))]))

/** When a lock ends; `null` where only a reset ends it. */
export const lockEnd = (row: Pick<Row<'failed_logins'>, 'failedLoginAttempts' | 'failedLoginLockExpires'>): number | null =>
  row.failedLoginAttempts >= disabledFrom ? null : row.failedLoginLockExpires

/** Lists the locks of some usernames, or of all. */
export const listLocks = async (db: Db, now: number, userIdents?: readonly string[]) => {
  const locks = lockedNames(db, now).select(['failedLoginAttempts', 'failedLoginLockExpires'])
  const rows = await (userIdents ? locks.where('failedLoginUserIdent', 'in', userIdents) : locks).execute()
  return rows.map(row => ({ userIdent: row.failedLoginUserIdent, until: lockEnd(row), attempts: row.failedLoginAttempts }))
}

/** Lists the users whose lock began after an instant: at most 100, the oldest lock first. */
export const listLockedSince = (db: Db, since: number) =>
  db
    .selectFrom('failed_logins')
    .innerJoin('users', 'userIdent', 'failedLoginUserIdent')
    .select([
      'userId',
      'userIdent',
      'userTZLabel',
      'userLanguage',
      'userLastLanguage',
      'failedLoginLockCreated',
      'failedLoginLockExpires',
      'failedLoginAttempts',
    ])
    .where('failedLoginLockCreated', '>', since)
    .orderBy('failedLoginLockCreated')
    .limit(100)
    .execute()
