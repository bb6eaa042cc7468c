import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the columns of tickets that pages without scripts need. */
export const plainForms: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .alterTable('tickets')
      .addColumn('ticketByPassword', 'integer', c => c.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('tickets').addColumn('ticketFactor', 'text').execute()
  },
}
