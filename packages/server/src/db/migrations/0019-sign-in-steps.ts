import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Ties the audit rows of one sign-in together, across requests, the phone that approves it and the hand-over. The columns are null in rows
 * of older servers. The index sorts the list of users by the time when they were added.
 */
export const signInSteps: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('audit').addColumn('auditSignIn', 'text').execute()
    await db.schema.alterTable('challenges').addColumn('challengeSignIn', 'text').execute()
    await db.schema.alterTable('hand_overs').addColumn('handOverSignIn', 'text').execute()
    await db.schema.createIndex('users_added').on('users').columns(['userCreated', 'userIdent']).execute()
  },
}
