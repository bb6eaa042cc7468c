import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Tables } from '../../src/db/schema.ts'

/** The tables of a migrated database, from its own catalog, without those of the migrator. */
export const listTables = async (db: Kysely<Tables>): Promise<(keyof Tables)[]> => {
  const found = await db.introspection.getTables()
  return found.flatMap(({ name }) => (name.startsWith('kysely_') ? [] : [name as keyof Tables])).sort()
}

/** The rows of every table, each as JSON. */
export const readTables = async (db: Kysely<Tables>): Promise<Map<keyof Tables, string[]>> => {
  const tables = new Map<keyof Tables, string[]>()
  for (const table of await listTables(db)) {
    const { rows } = await sql`select * from ${sql.table(table)}`.execute(db)
    tables.set(
      table,
      rows.map(row => JSON.stringify(row)),
    )
  }
  return tables
}

/** All rows of all tables, as text. */
export const dumpTables = async (db: Kysely<Tables>): Promise<string> => [...(await readTables(db)).values()].flat().join('\n')
