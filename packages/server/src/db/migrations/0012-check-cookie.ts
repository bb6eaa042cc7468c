import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The check cookie of a session, for protected hosts. It ends with the session. */
export const checkCookie: Migration = {
  up: async (db: Kysely<unknown>) => {
    // Null in rows of older servers, which still write during a rolling upgrade.
    await db.schema.alterTable('sessions').addColumn('sessionCheckSelector', 'text').execute()
    await db.schema.alterTable('sessions').addColumn('sessionCheckHash', 'text').execute()
    await db.schema.createIndex('sessions_check').unique().on('sessions').column('sessionCheckSelector').execute()
  },
}
