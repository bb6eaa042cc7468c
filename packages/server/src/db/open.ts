import { type Dialect, Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { seconds } from '../limits.ts'
import { type Clock, databaseClock, ownClock } from './clock.ts'
import { migrations } from './migrations.ts'
import { postgresDialect } from './postgres.ts'
import type { Tables } from './schema.ts'
import { NodeSqliteDialect } from './sqlite.ts'

export type OpenDatabase = { db: Kysely<Tables>; clock: Clock; close: () => Promise<void> }

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
    await migrate(dialect(true))
    const clock = file ? ownClock : await databaseClock(db)
    const close = async () => {
      clock.stop()
      await db.destroy()
    }
    return { db, clock, close }
  } catch (cause) {
    await db.destroy().catch(() => {})
    throw new Error(`The database ${file ?? withoutPassword(url)} could not be opened`, { cause })
  }
}

const migrate = async (dialect: Dialect) => {
  const db = new Kysely<Tables>({ dialect })
  try {
    const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest()
    if (error) throw error
  } finally {
    await db.destroy()
  }
}

const withoutPassword = (text: string) => {
  const url = new URL(text)
  return `${url.host}${url.pathname}`
}
