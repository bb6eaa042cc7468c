import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The last reauthentication of a session, and an index for what a user did to others. */
export const ownAccount: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('sessions').addColumn('sessionConfirmed', 'bigint').execute()
    // Rows about the user are found by their target. Few rows remain for this index.
    await db.schema
      .createIndex('audit_acts_on_others')
      .on('audit')
      .columns(['auditActor', 'auditAt'])
      .where(sql<boolean>`("auditTarget" is null or "auditTarget" <> "auditActor") and "auditResult" <> 'forbidden'`)
      .execute()
  },
}
