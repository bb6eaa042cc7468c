import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When a session's owner was last proven, and what somebody did, newest first. */
export const ownAccount: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('sessions').addColumn('sessionConfirmed', 'bigint').execute()
    // What one did to oneself is found by whom it is about: these are few, however much somebody does.
    await db.schema
      .createIndex('audit_acts_on_others')
      .on('audit')
      .columns(['auditActor', 'auditAt'])
      .where(sql<boolean>`("auditTarget" is null or "auditTarget" <> "auditActor") and "auditResult" <> 'forbidden'`)
      .execute()
  },
}
