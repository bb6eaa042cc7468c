import { type Dialect, Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { seconds } from '../limits.ts'
import { type Clock, databaseClock, ownClock } from './clock.ts'
import { migrationsFor } from './migrations.ts'
import { postgresDialect } from './postgres.ts'
import type { Engine } from './refuse.ts'
import type { Tables } from './schema.ts'
import { NodeSqliteDialect } from './sqlite.ts'

export type OpenDatabase = {
  db: Kysely<Tables>
  clock: Clock
  close: () => Promise<void>
  /** Names of the migrations that this opening ran. */
  migrated: string[]
}

/**
 * Opens the database and brings its tables up to date; several processes may do so at once.
 * @param url `sqlite:` and a path, or `postgres://…`
 * @throws Error that says which; its cause says why
 */
export const openDatabase = async (url: string): Promise<OpenDatabase> => {
  const file = /^sqlite:(.+)$/.exec(url)?.[1]
  const dialect = (patient: boolean): Dialect =>
    file ? new NodeSqliteDialect(file, patient ? seconds(5) : seconds(1.5)) : postgresDialect(url, patient)
  const db = new Kysely<Tables>({ dialect: dialect(false) })
  try {
    const migrated = await migrate(dialect(true), file ? 'sqlite' : 'postgres')
    const clock = file ? ownClock : await databaseClock(db)
    const close = async () => {
      clock.stop()
      await db.destroy()
    }
    return { db, clock, close, migrated }
  } catch (cause) {
    await db.destroy().catch(() => {})
    throw new Error(`The database ${file ?? withoutPassword(url)} could not be opened`, { cause })
  }
}

const migrate = async (dialect: Dialect, engine: Engine): Promise<string[]> => {
  const db = new Kysely<Tables>({ dialect })
  try {
    const provider = { getMigrations: async () => migrationsFor(engine) }
    const { error, results = [] } = await new Migrator({ db, provider }).migrateToLatest()
    if (error) throw error
    return results.map(result => result.migrationName)
  } finally {
    await db.destroy()
  }
}

const withoutPassword = (text: string) => {
  const url = new URL(text)
  return `${url.host}${url.pathname}`
}
