import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A session may have a second cookie, for the checks of protected hosts. It ends with its row. */
export const checkCookie: Migration = {
  up: async (db: Kysely<unknown>) => {
    // Null in rows of older servers, which go on writing during a rolling upgrade.
    await db.schema.alterTable('sessions').addColumn('sessionCheckSelector', 'text').execute()
    await db.schema.alterTable('sessions').addColumn('sessionCheckHash', 'text').execute()
    await db.schema.createIndex('sessions_check').unique().on('sessions').column('sessionCheckSelector').execute()
  },
}
