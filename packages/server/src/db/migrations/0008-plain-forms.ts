import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What pages without scripts need to know about a ticket. */
export const plainForms: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .alterTable('tickets')
      .addColumn('ticketByPassword', 'integer', c => c.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('tickets').addColumn('ticketFactor', 'text').execute()
  },
}
