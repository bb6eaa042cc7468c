import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Every password sign-in writes a row of failed attempts and deletes it. Most rows have neither lock nor known browser, so these indexes
 * now omit them.
 */
export const smallerLoginIndexes: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const name of ['browser', 'locked', 'ends', 'attempts']) await db.schema.dropIndex(`failed_logins_${name}`).execute()
    await sql`create index failed_logins_browser on failed_logins ("failedLoginBrowser") where "failedLoginBrowser" <> ''`.execute(db)
    await sql`create index failed_logins_locked on failed_logins ("failedLoginLockCreated") where "failedLoginLockCreated" is not null`.execute(
      db,
    )
    await sql`create index failed_logins_ends on failed_logins ("failedLoginLockExpires") where "failedLoginLockExpires" is not null`.execute(
      db,
    )
    await sql`create index failed_logins_attempts on failed_logins ("failedLoginAttempts") where "failedLoginAttempts" >= 100`.execute(db)
  },
}
