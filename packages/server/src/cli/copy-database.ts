import { readConfig } from '../config/config.ts'
import { parseDatabaseUrl } from '../config/value-formats.ts'
import { copyRows } from '../db/copy.ts'
import { nameOfDatabase, openForLongWork } from '../db/open.ts'
import type { Call } from './command.ts'
import { prepareTables, refuseFilled, refuseRunningServers } from './database-place.ts'
import { readPassword } from './read-password.ts'
import { UsageError } from './usage-error.ts'

/** Copies everything into another database. Its address can contain a password, so it comes from standard input. */
export const copyDatabase = async ({ write, data }: Call) => {
  const { databaseUrl } = readConfig(process.env)
  const targetUrl = parseDatabaseUrl((await readPassword('Address of the new database: ')).trim())
  if (targetUrl === undefined)
    throw new UsageError('The address on standard input must be sqlite: and a path, or postgres://user:password@host/database.')
  if (targetUrl === databaseUrl) throw new UsageError('The new database is the one that is in use.')
  await prepareTables(databaseUrl)
  await prepareTables(targetUrl)
  const [from, to] = [await openForLongWork(databaseUrl), await openForLongWork(targetUrl)]
  const releases: (() => void)[] = []
  try {
    releases.push(await refuseRunningServers(databaseUrl, from.db))
    releases.push(await refuseRunningServers(targetUrl, to.db))
    const copied = await copyRows(from, { db: to.db, check: tx => refuseFilled(targetUrl, tx) })
    const rows = [...copied.values()].reduce((sum, count) => sum + count, 0)
    write(`Copied ${rows} rows of ${copied.size} tables from ${nameOfDatabase(databaseUrl)} to ${nameOfDatabase(targetUrl)}.`)
    write('Set GATEHOUSE_DATABASE_URL to the new database on every server before you start one, with the same master key.')
    write('Then delete the old database: a server that starts on it would accept sessions that users have ended since.')
    data({ from: nameOfDatabase(databaseUrl), to: nameOfDatabase(targetUrl), rows: Object.fromEntries(copied) })
  } finally {
    for (const release of releases) release()
    await Promise.all([from.db.destroy(), to.db.destroy()])
  }
}
