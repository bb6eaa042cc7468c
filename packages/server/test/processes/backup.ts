import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import { onTestFinished } from 'vitest'
import { openDatabase } from '../../src/db/open.ts'
import { postgresDialect } from '../../src/db/postgres.ts'
import type { Tables } from '../../src/db/schema.ts'
import { makeEmptyDatabase } from '../support/engine.ts'
import { readTables } from '../support/tables.ts'
import type { makeInstallation } from './processes.ts'

type Installation = Awaited<ReturnType<typeof makeInstallation>>

export const makeFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-backup-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** An installation with the same settings and master key, a separate data folder, and an empty database on this run's engine. */
export const makeEmptyPlace = async ({ env }: Installation) => {
  const folder = await makeFolder()
  const { url, drop } = await makeEmptyDatabase(folder)
  onTestFinished(drop)
  const place = { ...env, GATEHOUSE_DATA_DIR: folder, GATEHOUSE_DATABASE_URL: url }
  return { url, env: { ...place, GATEHOUSE_MASTER_KEY_FILE: join(env.GATEHOUSE_DATA_DIR ?? '', 'master.key') } }
}

export const urlOf = ({ env }: Pick<Installation, 'env'>) =>
  env.GATEHOUSE_DATABASE_URL ?? `sqlite:${join(env.GATEHOUSE_DATA_DIR ?? '', 'gatehouse.sqlite')}`

const openPatiently = (url: string) => {
  const db = new Kysely<Tables>({ dialect: postgresDialect(url, true) })
  return { db, close: () => db.destroy() }
}

/** The rows of each table, in an order that does not depend on the engine. Columns are in the order of their names. */
export const rowsOf = async (url: string): Promise<Map<string, string[]>> => {
  // The server's limit for a statement is too short for 100,000 rows on a busy machine.
  const { db, close } = url.startsWith('postgres') ? openPatiently(url) : await openDatabase(url)
  try {
    const inOrder = (row: string) => JSON.stringify(Object.entries(JSON.parse(row)).sort(([a], [b]) => (a < b ? -1 : 1)))
    return new Map([...(await readTables(db))].map(([table, rows]) => [table, rows.map(inOrder).sort()]))
  } finally {
    await close()
  }
}
