import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The language that a user chose, and that of the last sign-in. Both are null until then. */
export const languages: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const name of ['userLanguage', 'userLastLanguage']) await db.schema.alterTable('users').addColumn(name, 'text').execute()
  },
}
