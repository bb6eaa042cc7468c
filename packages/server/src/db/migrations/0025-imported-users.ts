import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Users from another program: the kind of hash of their password there, with its salt, and passkeys whose user handle is not known. Each
 * sign-in reads which kinds exist.
 */
export const importedUsers: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const name of ['userPasswordKind', 'userPasswordSalt']) await db.schema.alterTable('users').addColumn(name, 'text').execute()
    await db.schema
      .createIndex('users_password_kind')
      .on('users')
      .column('userPasswordKind')
      .where(sql.ref('userPasswordKind'), 'is not', null)
      .execute()
    await db.schema
      .alterTable('passkeys')
      .addColumn('passkeyImported', 'integer', c => c.notNull().defaultTo(0))
      .execute()
  },
}
