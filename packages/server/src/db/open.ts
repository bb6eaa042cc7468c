import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from './migrations.ts'
import type { Tables } from './schema.ts'
import { NodeSqliteDialect } from './sqlite.ts'

/** Opens the database and brings its tables up to date. Throws when it can't; the cause says why. */
export const openDatabase = async (file: string): Promise<Kysely<Tables>> => {
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(file) })
  try {
    const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest()
    if (error) throw error
    return db
  } catch (cause) {
    await db.destroy().catch(() => {})
    throw new Error(`The database ${file} could not be opened`, { cause })
  }
}
