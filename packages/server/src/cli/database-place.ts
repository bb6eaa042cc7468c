import { setTimeout } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { countRows } from '../db/copy.ts'
import { nameOfDatabase, openDatabase, sqliteFile } from '../db/open.ts'
import type { Db, Tables } from '../db/schema.ts'
import { lockForOneServer } from '../db/sole-process.ts'
import { UsageError } from './usage-error.ts'

/**
 * Refuses a database that a server is using: changes that the server makes meanwhile, such as a sign-out, would be lost.
 * @param db a single connection to it
 * @returns a function that releases the lock. On SQLite the lock keeps servers from starting
 */
export const refuseRunningServers = async (url: string, db: Kysely<Tables>): Promise<() => void> => {
  // Take the lock that a server holds as long as it runs.
  if (sqliteFile(url)) return lockForOneServer(url).release
  // Connections that this command has closed take a moment to end. A running server always has a connection, because it looks for mail to
  // send every second.
  for (let tries = 20; ; tries--) {
    const others = await otherConnections(db)
    if (others.length === 0) return () => {}
    if (tries === 0)
      throw new UsageError(
        `${nameOfDatabase(url)} is in use: ${others.join(', ')}. Stop every server and close every other connection to it, and run this command again.`,
      )
    await setTimeout(100)
  }
}

const otherConnections = async (db: Kysely<Tables>): Promise<string[]> => {
  const { rows } = await sql<{
    from: string
    count: number
  }>`select coalesce(nullif(application_name, ''), host(client_addr), 'this machine')
    as "from", cast(count(*) as bigint) as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and backend_type = 'client backend' group by 1`.execute(db)
  return rows.map(({ from, count }) => `connections from ${from}: ${count}`)
}

/** Refuses a database that contains users or a history. */
export const refuseFilled = async (url: string, db: Db): Promise<void> => {
  for (const table of ['users', 'audit'])
    if ((await countRows(db, table)) > 0)
      throw new UsageError(`${nameOfDatabase(url)} is not empty. Name a new file, or a database without tables. Nothing was changed.`)
}

/** Creates or updates the tables. */
export const prepareTables = async (url: string): Promise<void> => {
  const { close } = await openDatabase(url)
  await close()
}
