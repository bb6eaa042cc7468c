import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What the open-door alarm knows of each protected origin, and when the next round of its requests is due. */
export const openDoorAlarm: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('doors')
      .addColumn('doorOrigin', 'text', c => c.primaryKey())
      .addColumn('doorCourse', 'text', c => c.notNull())
      .execute()
    await db.schema
      .createTable('door_rounds')
      .addColumn('doorRoundId', 'integer', c => c.primaryKey())
      .addColumn('doorRoundNext', 'bigint', c => c.notNull())
      .addColumn('doorRoundEnded', 'bigint')
      .execute()
  },
}
