import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Round trips to a provider, for a sign-in or to link an identity. */
export const singleSignOn: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('sso_journeys')
      .addColumn('journeyState', 'text', c => c.primaryKey())
      .addColumn('journeyProvider', 'text', c => c.notNull())
      .addColumn('journeyBinding', 'text', c => c.notNull())
      .addColumn('journeyNonce', 'text', c => c.notNull())
      .addColumn('journeyVerifier', 'text', c => c.notNull())
      .addColumn('journeyUser', 'text', c => c.references('users.userId').onDelete('cascade'))
      .addColumn('journeyExpires', 'bigint', c => c.notNull())
      .execute()
    await db.schema.createIndex('sso_journeys_user').on('sso_journeys').column('journeyUser').execute()
    await db.schema.createIndex('sso_journeys_expires').on('sso_journeys').column('journeyExpires').execute()
  },
}
