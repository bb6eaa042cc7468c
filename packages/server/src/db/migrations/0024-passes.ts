import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Passes: bearer secrets with which programs reach protected applications. Each belongs to a user or to a service. */
export const passes: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('passes')
      .addColumn('passSelector', 'text', c => c.primaryKey())
      .addColumn('passHash', 'text', c => c.notNull())
      .addColumn('passName', 'text', c => c.notNull())
      .addColumn('passUser', 'text', c => c.references('users.userId').onDelete('cascade'))
      .addColumn('passService', 'text')
      .addColumn('passScope', 'text', c => c.notNull())
      .addColumn('passFactor', 'text')
      .addColumn('passCreated', 'bigint', c => c.notNull())
      .addColumn('passCreatedBy', 'text', c => c.notNull())
      .addColumn('passExpires', 'bigint', c => c.notNull())
      .addColumn('passUsed', 'bigint')
      .addColumn('passUsedFrom', 'text')
      .addColumn('passWarned', 'integer', c => c.notNull().defaultTo(0).check(sql`"passWarned" in (0, 1)`))
      .addCheckConstraint('passes_one_owner', sql`("passUser" is null) <> ("passService" is null)`)
      .execute()
    await db.schema.createIndex('passes_user').on('passes').column('passUser').execute()
    await db.schema.createIndex('passes_expires').on('passes').column('passExpires').execute()
  },
}
