import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
} from 'kysely'
import { guardFile } from './sqlite-file.ts'
import { isSyncedByNext, withoutRowLock } from './statement-marks.ts'

/**
 * Kysely on Node's SQLite. Committed changes survive a power failure (WAL with synchronous=FULL).
 * @param file path of the database file, created if missing; or `memory`
 * @param patience how long to wait for another process that writes, in milliseconds
 */
export class NodeSqliteDialect implements Dialect {
  #dialect: SqliteDialect
  #patience: number

  constructor(file: string, patience: number) {
    this.#dialect = new SqliteDialect({ database: async () => open(file) })
    this.#patience = patience
  }

  createDriver(): Driver {
    const driver = this.#dialect.createDriver()
    const acquire = driver.acquireConnection.bind(driver)
    let patient: Promise<DatabaseConnection> | undefined
    driver.acquireConnection = options => {
      patient ??= acquire(options).then(connection => waitWhileBusy(connection, this.#patience))
      return patient
    }
    return driver
  }

  createQueryCompiler(): QueryCompiler {
    return this.#dialect.createQueryCompiler()
  }

  createAdapter(): DialectAdapter {
    return new TransactionalDdlAdapter()
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return this.#dialect.createIntrospector(db)
  }
}

/**
 * SQLite's own busy wait blocks the whole process; here only the statement waits. After a statement has waited without success,
 * statements queued behind it fail at once, so that each caller gets an error in time.
 */
const waitWhileBusy = (connection: DatabaseConnection, patience: number): DatabaseConnection => {
  let inVainUntil = 0
  const execute = async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
    const start = performance.now()
    for (;;) {
      try {
        return await connection.executeQuery<R>(query)
      } catch (error) {
        const now = performance.now()
        if (!isBusy(error) || now < inVainUntil) throw error
        if (now - start > patience) {
          inVainUntil = now + patience
          throw error
        }
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    }
  }
  return { executeQuery: execute, streamQuery: connection.streamQuery.bind(connection) }
}

/** Whether another process has locked the database (SQLITE_BUSY and its extended codes). */
export const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === 5

/** SQLite can roll back schema changes, so an interrupted migration leaves nothing behind. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
}

/** SQLite's name for a database that exists as long as its connection. */
export const memory = ':memory:'

/**
 * The number of 4 KiB pages in the log after which SQLite copies them into the file. With its default of 1,000, it would copy four times
 * as often.
 */
const checkpointPages = 4000

const open = (file: string) => {
  const db = new DatabaseSync(file, { timeout: 10 })
  db.exec(`pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma wal_autocheckpoint = ${checkpointPages};`)
  const guard = file === memory ? () => {} : guardFile(file)
  const prepared = new Map<string, Statement>()
  return {
    close: () => db.close(),
    prepare: (sql: string) => {
      const found = prepared.get(sql)
      if (found) return found
      // Take the write lock at the start: a transaction that reads first and then finds another writer cannot wait.
      const adapted = adapt(db.prepare(sql === 'begin' ? 'begin immediate' : withoutRowLock(sql)))
      const synced = isSyncedByNext(sql) ? withoutSync(db, adapted) : adapted
      const statement = isRead(sql) ? synced : guarded(synced, () => (sql !== 'commit' && db.isTransaction) || guard())
      prepared.set(sql, statement)
      return statement
    },
  }
}

type Statement = ReturnType<typeof adapt>

const adapt = (statement: StatementSync) => ({
  reader: statement.columns().length > 0,
  all: (parameters: readonly unknown[]) => statement.all(...values(parameters)),
  run: (parameters: readonly unknown[]) => statement.run(...values(parameters)),
  iterate: (parameters: readonly unknown[]) => statement.iterate(...values(parameters)),
})

/** Whether a statement does not change the file. Transactions change it at their commit, so their other statements need no guard. */
const isRead = (sql: string): boolean => /^\s*(select|begin|rollback|pragma)\b/i.test(sql)

const guarded = (statement: Statement, guard: () => unknown): Statement => ({
  ...statement,
  all: parameters => {
    guard()
    return statement.all(parameters)
  },
  run: parameters => {
    guard()
    return statement.run(parameters)
  },
})

/** Runs a statement without syncing its commit; the next commit syncs both. Inside a transaction the statement has no commit. */
const withoutSync = (db: DatabaseSync, statement: Statement): Statement => {
  const run = <T>(work: () => T): T => {
    if (db.isTransaction) return work()
    db.exec('pragma synchronous = normal')
    try {
      return work()
    } finally {
      db.exec('pragma synchronous = full')
    }
  }
  return { ...statement, all: parameters => run(() => statement.all(parameters)), run: parameters => run(() => statement.run(parameters)) }
}

// Kysely types parameters as unknown; ours come from typed tables and are strings, numbers or null.
const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
