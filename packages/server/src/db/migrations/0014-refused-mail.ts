import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The SMTP status of a permanently refused mail. Servers of older versions delete such a row when it expires. */
export const refusedMail: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('outbox').addColumn('mailRefused', 'integer').execute()
    // For the purge, which must not read all waiting mail.
    await sql`create index outbox_refused on outbox ("mailExpires") where "mailRefused" is not null`.execute(db)
  },
}
