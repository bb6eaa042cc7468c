import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The keys that sign users' identities for protected applications. Key 1 is the first; each rotation adds the next number. */
export const signingKeys: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('signing_keys')
      .addColumn('signingKeyNumber', 'integer', c => c.primaryKey())
      .addColumn('signingKeyId', 'text', c => c.notNull().unique())
      .addColumn('signingKeyPublic', 'text', c => c.notNull())
      .addColumn('signingKeyPrivate', 'text', c => c.notNull())
      .addColumn('signingKeyCreated', 'bigint', c => c.notNull())
      .addColumn('signingKeyActive', 'bigint', c => c.notNull())
      .execute()
  },
}
