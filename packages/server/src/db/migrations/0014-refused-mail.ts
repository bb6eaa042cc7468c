import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * The SMTP status with which the mail server refused a recipient for good. A server of an older version finds such a row when it expires,
 * and deletes it.
 */
export const refusedMail: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('outbox').addColumn('mailRefused', 'integer').execute()
    // For the purge, which must not read all the mail that waits.
    await sql`create index outbox_refused on outbox ("mailExpires") where "mailRefused" is not null`.execute(db)
  },
}
