import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * The groups of users, and when a session's second factor was last used. That instant is null in rows of older versions, where the time of
 * the sign-in counts.
 */
export const groupsAndFactorProofs: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const name of ['userGroups', 'userProviderGroups'])
      await db.schema
        .alterTable('users')
        .addColumn(name, 'text', c => c.notNull().defaultTo(''))
        .execute()
    await db.schema.alterTable('sessions').addColumn('sessionFactorAt', 'bigint').execute()
  },
}
