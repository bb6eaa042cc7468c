import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The code of a one-time-link mail, and the browser that asked for it. Servers of older versions leave these columns empty. */
export const mailCodes: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const name of ['mailLinkBinding', 'mailLinkNumber', 'mailLinkCode'])
      await db.schema.alterTable('mail_links').addColumn(name, 'text').execute()
    for (const name of ['mailLinkCodeAttempts', 'mailLinkNumberAttempts'])
      await db.schema
        .alterTable('mail_links')
        .addColumn(name, 'integer', c => c.notNull().defaultTo(0))
        .execute()
    await sql`create index mail_links_binding on mail_links ("mailLinkBinding") where "mailLinkBinding" is not null`.execute(db)
  },
}
