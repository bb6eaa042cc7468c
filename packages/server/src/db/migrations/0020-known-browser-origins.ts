import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What the account page shows of a known browser. Null in older rows, and in rows that servers of older versions add meanwhile. */
export const knownBrowserOrigins: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('known_browsers').addColumn('browserFirstSeen', 'bigint').execute()
    for (const name of ['browserUserAgent', 'browserAddress'])
      await db.schema.alterTable('known_browsers').addColumn(name, 'text').execute()
  },
}
