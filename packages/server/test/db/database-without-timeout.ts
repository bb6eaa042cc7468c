import { Kysely } from 'kysely'
import { openDatabase, sqliteFile } from '../../src/db/open.ts'
import { postgresDialect } from '../../src/db/postgres.ts'
import type { Db, Tables } from '../../src/db/schema.ts'
import { NodeSqliteDialect } from '../../src/db/sqlite.ts'
import { minutes } from '../../src/limits.ts'

/** Opens a database without the server's statement timeout: inserting millions of rows on a slow disk takes longer. */
export const inDatabaseWithoutTimeout = async <T>(url: string, work: (db: Db) => Promise<T>): Promise<T> => {
  const { close } = await openDatabase(url)
  await close()
  return inMigratedDatabase(url, work)
}

/** Like `inDatabaseWithoutTimeout`, for a database that this or another version of the server has already migrated. */
export const inMigratedDatabase = async <T>(url: string, work: (db: Db) => Promise<T>): Promise<T> => {
  const file = sqliteFile(url)
  const db = new Kysely<Tables>({ dialect: file ? new NodeSqliteDialect(file, minutes(1)) : postgresDialect(url, true) })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}
