import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When a session's owner was last proven, and what somebody did, newest first. */
export const ownAccount: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('sessions').addColumn('sessionConfirmed', 'bigint').execute()
    await db.schema.createIndex('audit_actor').on('audit').columns(['auditActor', 'auditAt']).execute()
  },
}
