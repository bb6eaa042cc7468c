import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Indexes for the purge of large tables. */
export const purge: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.createIndex('sessions_seen').on('sessions').column('sessionSeen').execute()
    await db.schema.createIndex('known_browsers_signed_in').on('known_browsers').column('browserSignedIn').execute()
    await db.schema.createIndex('emails_waiting').on('emails').column('emailVerkey').where('emailVerkey', 'is not', null).execute()
  },
}
