import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, inject, test } from 'vitest'
import { migrationsFor } from '../../src/db/migrations.ts'
import { inspectDatabase } from '../../src/db/open.ts'
import type { Tables } from '../../src/db/schema.ts'
import { NodeSqliteDialect } from '../../src/db/sqlite.ts'
import { transportFinding } from '../../src/doctor/database.ts'
import { seconds } from '../../src/limits.ts'
import { makeInstallation, runCli } from '../processes/processes.ts'
import { freePort } from '../support/free-port.ts'
import { admin, runDoctor, startInstallation } from './run-doctor.ts'

const onPostgres = inject('postgres') !== ''
const migrationNames = Object.keys(migrationsFor('sqlite'))

const lookAt = (env: Record<string, string>) =>
  inspectDatabase(env.GATEHOUSE_DATABASE_URL ?? `sqlite:${env.GATEHOUSE_DATA_DIR}/gatehouse.sqlite`)

test('RX-9: doctor reports tables from a newer version', async () => {
  const { env, inDatabase } = await startInstallation()
  await inDatabase(db => sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2999-01-01T00:00:00Z')`.execute(db))
  const ahead = await runDoctor(env)
  expect(ahead.code).toBe(1)
  expect(ahead.of('database')).toEqual([
    expect.stringMatching(/^problem: The database .* was made by a newer version of Gatehouse \(it has 9999-later\)\./),
  ])
})

test('RX-9: doctor reports pending migrations without running them', async () => {
  const { env } = await startInstallation()
  const { db, close } = await lookAt(env)
  const newest = migrationNames.at(-1)
  await sql`delete from kysely_migration where name = ${newest}`.execute(db)
  const { code, of } = await runDoctor(env)
  expect(of('database')[0]).toContain(`warning: The tables lack ${newest}.`)
  expect(code).toBe(0)
  const left = migrationNames.slice(0, -1).map(name => ({ name }))
  expect((await sql`select name from kysely_migration order by name`.execute(db)).rows).toEqual(left)
  await close()
})

test.runIf(!onPostgres)('RX-9: doctor leaves tables of an older version alone; migrate updates them and keeps the data', async () => {
  const { env } = await makeInstallation({ withoutTables: true })
  const dialect = new NodeSqliteDialect(join(env.GATEHOUSE_DATA_DIR ?? '', 'gatehouse.sqlite'), seconds(1))
  const db = new Kysely<Tables>({ dialect })
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrationsFor('sqlite') } }).migrateTo('0001-sign-in')
  expect(error).toBeUndefined()
  // Raw SQL, because the older version lacks today's columns.
  await sql`insert into users ("userId", "userIdent", "userTZLabel", "userCreated") values ('some-user', ${admin.username}, 'UTC', 1)`.execute(
    db,
  )
  const [before] = await db.selectFrom('users').selectAll().execute()
  await db.destroy()
  const waiting = migrationNames.slice(1)
  for (let i = 0; i < 2; i++) expect((await runDoctor(env)).of('database')[0]).toContain(`warning: The tables lack ${waiting.join(', ')}.`)
  const ran = `${waiting.map(name => `Ran ${name}.\n`).join('')}The tables are up to date.\n`
  expect((await runCli(env, ['migrate'])).stdout).toBe(ran)
  const { of } = await runDoctor(env)
  expect([of('database')[0], of('administrators')]).toEqual(['ok: The tables are up to date.', ['ok: admin@example.com is a user.']])
  const { db: after, close } = await lookAt(env)
  expect(await after.selectFrom('users').selectAll().execute()).toEqual([
    {
      ...before,
      ...{ userPasswordByMail: 0, userAzureVouched: null, userGoogleVouched: null, userPakVouched: null },
      ...{ userGroups: '', userProviderGroups: '', userPasswordKind: null, userPasswordSalt: null },
      ...{ userLanguage: null, userLastLanguage: null },
    },
  ])
  await close()
})

test.runIf(!onPostgres)('doctor reports a damaged SQLite file', async () => {
  const { env, folder, server } = await startInstallation()
  server.child.kill('SIGTERM')
  await server.ended
  const whole = new DatabaseSync(join(folder, 'gatehouse.sqlite'))
  const { rootpage } = whole.prepare("select rootpage from sqlite_master where name = 'recovery_codes'").get() ?? {}
  whole.close()
  // First damage one page: the file still opens. Then damage every page but the first: it does not.
  for (const [position, bytes, words] of [
    [(Number(rootpage) - 1) * 4096, 4096, /problem: .*gatehouse\.sqlite is damaged \(.+\)\. Stop the server and restore a backup\./],
    [4096, size(folder) - 4096, /^problem: .*malformed/],
  ] as const) {
    const file = await open(join(folder, 'gatehouse.sqlite'), 'r+')
    await file.write(Buffer.alloc(bytes, 0x5a), 0, bytes, position)
    await file.close()
    const { code, of } = await runDoctor(env)
    expect([code, of('database').join()]).toEqual([1, expect.stringMatching(words)])
  }
})

const size = (folder: string) => statSync(join(folder, 'gatehouse.sqlite')).size

test.runIf(onPostgres)('doctor reports a PostgreSQL that can lose committed data', async () => {
  const { env, inDatabase } = await startInstallation()
  await inDatabase(async db => {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
    await sql`alter database ${sql.ref(rows[0]?.name ?? '')} set synchronous_commit = off`.execute(db)
  })
  const { code, of } = await runDoctor(env)
  expect(code).toBe(1)
  expect(of('database')).toContainEqual(expect.stringMatching(/^problem: PostgreSQL has synchronous_commit=off/))
})

test.runIf(onPostgres)('doctor reports an unreachable PostgreSQL', async () => {
  const { env } = await startInstallation()
  const { code, of, stdout } = await runDoctor({
    ...env,
    GATEHOUSE_DATABASE_URL: `postgres://gatehouse:a-database-password@localhost:${await freePort()}/x`,
  })
  expect(code).toBe(1)
  expect(of('database')).toEqual([expect.stringMatching(/^problem: The database localhost:\d+\/x could not be opened: .*ECONNREFUSED/)])
  expect(stdout).not.toContain('a-database-password')
})

test.each([
  ['localhost', null, false, 'ok'],
  ['127.0.0.1', null, true, 'ok'],
  ['[::1]', null, false, 'ok'],
  ['/var/run/postgresql', null, false, 'ok'],
  ['', null, false, 'ok'],
  ['db.example.com', null, false, 'problem'],
  ['db.example.com', 'disable', false, 'problem'],
  ['db.example.com', 'no-verify', true, 'warning'],
  ['db.example.com', 'verify-full', true, 'ok'],
] as const)(
  'TL-01: doctor judges the connection to a database at %j with sslmode=%s, encrypted: %s, as %s',
  (host, sslmode, encrypted, level) => {
    expect(transportFinding(host, sslmode, encrypted).level).toBe(level)
  },
)
