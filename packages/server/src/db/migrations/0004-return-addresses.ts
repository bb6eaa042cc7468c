import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The addresses that users requested before the sign-in. */
export const returnAddresses: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('return_addresses')
      .addColumn('returnId', 'text', c => c.primaryKey())
      .addColumn('returnTarget', 'text', c => c.notNull())
      .addColumn('returnFragment', 'text')
      .addColumn('returnHadCookie', 'integer', c => c.notNull().check(sql`"returnHadCookie" in (0, 1)`))
      .addColumn('returnCreated', 'bigint', c => c.notNull())
      .addColumn('returnExpires', 'bigint', c => c.notNull())
      .execute()
    await db.schema.createIndex('return_addresses_expires').on('return_addresses').column('returnExpires').execute()
  },
}
