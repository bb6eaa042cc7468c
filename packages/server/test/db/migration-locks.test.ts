import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { migrationsFor } from '../../src/db/migrations.ts'
import { openDatabase } from '../../src/db/open.ts'
import { postgresDialect } from '../../src/db/postgres.ts'
import type { Tables } from '../../src/db/schema.ts'
import { makeEmptyDatabase } from '../support/engine.ts'

test.runIf(inject('postgres') !== '')('migrates while servers run, even after a deadlock with one of them', async () => {
  const { url, drop } = await makeEmptyDatabase('')
  onTestFinished(drop)
  const db = new Kysely<Tables>({ dialect: postgresDialect(url, true) })
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrationsFor('postgres') } })
  expect((await migrator.migrateTo('0016-vouched-identities')).error).toBeUndefined()
  await db.destroy()
  const [server, watcher] = [new pg.Client(url), new pg.Client(url)]
  await Promise.all([server.connect(), watcher.connect()])
  onTestFinished(async () => {
    await Promise.all([server.end(), watcher.end()])
  })
  // A transaction of a running server reads what migration 18 changes, and then what migration 17 has changed.
  await server.query('begin')
  await server.query('select 1 from totp_bindings')
  const migrating = openDatabase(url)
  const waits = async () => (await watcher.query('select 1 from pg_locks where not granted')).rows.length
  await expect.poll(waits, { interval: 5 }).toBeGreaterThan(0)
  await server.query('select 1 from factors')
  await server.query('commit')
  const { migrated, close } = await migrating
  await close()
  expect(migrated.slice(0, 2)).toEqual(['0017-passkeys', '0018-wrong-code-offset'])
})
