import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  SqliteAdapter,
  SqliteDialect,
} from 'kysely'

/**
 * Kysely on Node's own SQLite. Durable to power loss (WAL with synchronous=FULL): what was answered stays.
 * @param file path of the database file, made when missing
 */
export class NodeSqliteDialect implements Dialect {
  #dialect: SqliteDialect

  constructor(file: string) {
    this.#dialect = new SqliteDialect({ database: async () => open(file) })
  }

  createDriver(): Driver {
    return this.#dialect.createDriver()
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

/** SQLite rolls back schema changes as well, so a migration that is cut off leaves nothing behind. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
}

const open = (file: string) => {
  const db = new DatabaseSync(file, { timeout: 5000 })
  db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;')
  const prepared = new Map<string, Statement>()
  return {
    close: () => db.close(),
    prepare: (sql: string) => {
      const found = prepared.get(sql)
      if (found) return found
      // A transaction takes the write lock at once: one that first reads and then finds another writer could not wait.
      const statement = adapt(db.prepare(sql === 'begin' ? 'begin immediate' : sql))
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

// Kysely types parameters as unknown; ours come from typed tables and are strings, numbers or null.
const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
