import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** `/readyz` writes a row to check that writes succeed. */
export const writeProbes: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('write_probes')
      .addColumn('probeId', 'integer', c => c.primaryKey())
      .addColumn('probeAt', 'bigint', c => c.notNull())
      .execute()
  },
}
