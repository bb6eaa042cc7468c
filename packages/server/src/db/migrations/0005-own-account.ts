import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The last reauthentication of a session, and an index for what a user did to others. */
export const ownAccount: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('sessions').addColumn('sessionConfirmed', 'bigint').execute()
    // Rows whose target is the actor are found by their target, so this index leaves them out and stays small.
    await db.schema
      .createIndex('audit_acts_on_others')
      .on('audit')
      .columns(['auditActor', 'auditAt'])
      .where(sql<boolean>`("auditTarget" is null or "auditTarget" <> "auditActor") and "auditResult" <> 'forbidden'`)
      .execute()
  },
}
