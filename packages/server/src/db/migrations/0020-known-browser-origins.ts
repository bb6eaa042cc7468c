import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Stores the origin of a known browser for the account page. Null in older rows, and in rows that older servers add during an upgrade. */
export const knownBrowserOrigins: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('known_browsers').addColumn('browserFirstSeen', 'bigint').execute()
    for (const name of ['browserUserAgent', 'browserAddress'])
      await db.schema.alterTable('known_browsers').addColumn(name, 'text').execute()
  },
}
