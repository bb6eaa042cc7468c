import { DatabaseSync } from 'node:sqlite'
import { sqliteFile } from './open.ts'
import { isBusy } from './sqlite.ts'

/**
 * Locks a SQLite database until the process ends, by an operating-system lock on a file beside the database. Servers lock it, and so do the
 * commands `restore` and `copy-database`. Other commands do not: they may run beside a server.
 * @throws Error when another process has the lock
 */
export const lockForOneServer = (databaseUrl: string): { release: () => void } => {
  const file = sqliteFile(databaseUrl)
  if (!file) return { release: () => {} }
  try {
    const lock = new DatabaseSync(`${file}.lock`, { timeout: 0 })
    lock.exec('begin exclusive')
    return { release: () => lock.close() }
  } catch (error) {
    if (!isBusy(error)) throw new Error(`The lock file ${file}.lock could not be opened`, { cause: error })
    throw new Error(
      `Another Gatehouse server is using ${file}. SQLite is for one server; for several, set GATEHOUSE_DATABASE_URL to a postgres:// address.`,
    )
  }
}
