import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Stores who requested a mailed link, so that a network uses up only its own quota. Older servers leave these columns empty. */
export const mailAskers: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('mail_links').addColumn('mailLinkNetwork', 'text').execute()
    await db.schema.alterTable('mail_links').addColumn('mailLinkSite', 'text').execute()
    await db.schema
      .alterTable('mail_links')
      .addColumn('mailLinkKnown', 'integer', c => c.notNull().defaultTo(0))
      .execute()
  },
}
