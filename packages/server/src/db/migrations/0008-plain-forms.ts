import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What a ticket tells besides whose it is, for pages that are rendered by it. */
export const plainForms: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .alterTable('tickets')
      .addColumn('ticketByPassword', 'integer', c => c.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('tickets').addColumn('ticketFactor', 'text').execute()
  },
}
