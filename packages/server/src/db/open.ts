import { setTimeout } from 'node:timers/promises'
import { type Dialect, Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { isLockFault } from '../database-fault.ts'
import { seconds } from '../limits.ts'
import { type Clock, databaseClock, ownClock } from './clock.ts'
import { migrationsFor } from './migrations.ts'
import type { Engine } from './refuse.ts'
import type { Tables } from './schema.ts'
import { memory, NodeSqliteDialect } from './sqlite.ts'

type Open = { db: Kysely<Tables>; clock: Clock; close: () => Promise<void> }

export type OpenDatabase = Open & {
  /** Names of the migrations that ran when the database was opened. */
  migrated: string[]
}

/** Thrown when a newer version has migrated the database. */
class NewerDatabase extends Error {}

/**
 * Opens the database and runs missing migrations. Several processes may do so at once.
 * @param url `sqlite:` and a path, or `postgres://…`
 * @throws Error that names the database; its cause says why
 */
export const openDatabase = async (url: string): Promise<OpenDatabase> => {
  const { found, ...open } = await connect(url, migrate)
  return { ...open, migrated: found }
}

/**
 * Opens the database without migrating it. `waiting` lists the missing migrations.
 * @throws Error that names the database; its cause says why
 */
export const inspectDatabase = async (url: string): Promise<Open & { waiting: string[] }> => {
  const { found, ...open } = await connect(url, async (db, engine, name) => {
    const names = Object.keys(migrationsFor(engine))
    const before = await ranBefore(db, engine)
    refuseNewer(before, names, name)
    return names.filter(one => !before.includes(one))
  })
  return { ...open, waiting: found }
}

/** Opens a database that is known to be up to date, without a check. */
export const openUpToDate = (url: string): Promise<Open> => connect(url, async () => [])

/** Opens an up-to-date database for one long piece of work, with one connection, whose statements have no time limit. */
export const openForLongWork = async (url: string): Promise<{ db: Kysely<Tables>; engine: Engine }> => {
  const file = sqlitePath(url)
  const dialect = await dialectsFor(url, file)
  return { db: new Kysely<Tables>({ dialect: dialect(true) }), engine: file ? 'sqlite' : 'postgres' }
}

/** A SQLite database in memory, which only the test server uses. The configuration accepts no such address. */
export const inMemory = `sqlite:${memory}`

const sqlitePath = (url: string): string | undefined => /^sqlite:(.+)$/.exec(url)?.[1]

/** The file of a SQLite database. */
export const sqliteFile = (url: string): string | undefined => (url === inMemory ? undefined : sqlitePath(url))

const connect = async (
  url: string,
  prepare: (db: Kysely<Tables>, engine: Engine, name: string) => Promise<string[]>,
): Promise<Open & { found: string[] }> => {
  const file = sqlitePath(url)
  const name = nameOfDatabase(url)
  const dialect = await dialectsFor(url, file)
  const db = new Kysely<Tables>({ dialect: dialect(false) })
  // Each connection to a database in memory opens another database.
  const patient = url === inMemory ? db : new Kysely<Tables>({ dialect: dialect(true) })
  try {
    const found = await prepare(patient, file ? 'sqlite' : 'postgres', name)
    const clock = file ? ownClock : await databaseClock(db)
    const close = async () => {
      clock.stop()
      await db.destroy()
    }
    return { db, clock, close, found }
  } catch (cause) {
    await db.destroy().catch(() => {})
    throw cause instanceof NewerDatabase ? cause : new Error(`The database ${name} could not be opened`, { cause })
  } finally {
    if (patient !== db) await patient.destroy().catch(() => {})
  }
}

const dialectsFor = async (url: string, file: string | undefined): Promise<(patient: boolean) => Dialect> => {
  if (file) return patient => new NodeSqliteDialect(file, patient ? seconds(5) : seconds(1.5))
  // Load the library only for PostgreSQL.
  const { postgresDialect } = await import('./postgres.ts')
  return patient => postgresDialect(url, patient)
}

/**
 * How long a migration waits for a lock, in milliseconds. Statements of running servers queue behind it and fail after 1.5 s. On a timeout,
 * all migrations roll back and run again, for about half a minute. The last attempt waits without a limit.
 */
const lockWait = 100
const attemptsWithWait = 60

const migrate = async (db: Kysely<Tables>, engine: Engine, name: string): Promise<string[]> => {
  const migrations = migrationsFor(engine)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  for (let attempt = 1; ; attempt++) {
    const isLast = engine === 'sqlite' || attempt > attemptsWithWait
    // The pool for migrations has one connection, which keeps the setting.
    if (engine === 'postgres') await sql`select set_config('lock_timeout', ${String(isLast ? 0 : lockWait)}, false)`.execute(db)
    const { error, results = [] } = await migrator.migrateToLatest()
    if (!error) return results.map(result => result.migrationName)
    if (isLockFault(error) && !isLast) {
      await setTimeout(200 + Math.random() * 400)
      continue
    }
    // Check after the failure: a newer version may have migrated the database meanwhile.
    refuseNewer(await ranBefore(db, engine), Object.keys(migrations), name)
    throw error
  }
}

/** The names of the migrations that ran on this database. */
const ranBefore = async (db: Kysely<Tables>, engine: Engine): Promise<string[]> => {
  const there =
    engine === 'sqlite'
      ? sql`select 1 from sqlite_master where name = 'kysely_migration'`
      : sql`select 1 where to_regclass('kysely_migration') is not null`
  if ((await there.execute(db)).rows.length === 0) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(row => row.name)
}

const refuseNewer = (before: readonly string[], known: readonly string[], name: string): void => {
  const unknown = before.filter(one => !known.includes(one))
  if (unknown.length === 0) return
  throw new NewerDatabase(
    `The database ${name} was made by a newer version of Gatehouse (it has ${unknown.join(', ')}). Start that version, or restore a backup from before it.`,
  )
}

/** The name of a database for messages. */
export const nameOfDatabase = (url: string): string => sqlitePath(url) ?? withoutPassword(url)

const withoutPassword = (text: string) => {
  const url = new URL(text)
  return `${url.host}${url.pathname}`
}
