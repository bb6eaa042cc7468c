import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * The SMTP status with which the mail server refused a recipient for good. A server of an older version finds such a row when it expires,
 * and deletes it.
 */
export const refusedMail: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('outbox').addColumn('mailRefused', 'integer').execute()
  },
}
