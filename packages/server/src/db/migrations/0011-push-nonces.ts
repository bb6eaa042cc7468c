import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Nonces that phones have used, so that each proof works once on all servers. */
export const pushNonces: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('push_nonces')
      .addColumn('pushNonceHash', 'text', c => c.primaryKey())
      .addColumn('pushNonceExpires', 'bigint', c => c.notNull())
      .execute()
    await db.schema.createIndex('push_nonces_expires').on('push_nonces').column('pushNonceExpires').execute()
  },
}
