import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Who asked for a mailed link, so that one network uses up only its own share. A server of an older version writes neither. */
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
