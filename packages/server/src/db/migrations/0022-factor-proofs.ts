import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When a session's second factor was last used. Null in rows of older versions, where the sign-in counts. */
export const factorProofs: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('sessions').addColumn('sessionFactorAt', 'bigint').execute()
  },
}
