import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, inject, test } from 'vitest'
import { migrationsFor } from '../src/db/migrations.ts'
import { lookAtDatabase } from '../src/db/open.ts'
import type { Tables } from '../src/db/schema.ts'
import { NodeSqliteDialect } from '../src/db/sqlite.ts'
import { transportFinding } from '../src/doctor/database.ts'
import { seconds } from '../src/limits.ts'
import { admin, doctor, startPlace } from './doctors.ts'
import { freePort } from './free-port.ts'
import { makePlace, runCli } from './processes.ts'

const onPostgres = inject('postgres') !== ''

const lookAt = (env: Record<string, string>) =>
  lookAtDatabase(env.GATEHOUSE_DATABASE_URL ?? `sqlite:${env.GATEHOUSE_DATA_DIR}/gatehouse.sqlite`)

test('RX-9: doctor tells of tables that are behind, and of tables that are ahead', async () => {
  const { env, inDatabase } = await startPlace()
  await inDatabase(db => sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2999-01-01T00:00:00Z')`.execute(db))
  const ahead = await doctor(env)
  expect(ahead.code).toBe(1)
  expect(ahead.of('database')).toEqual([
    expect.stringMatching(/^problem: The database .* was made by a newer version of Gatehouse \(it has 9999-later\)\./),
  ])
})

test('RX-9: doctor only tells that migrations wait', async () => {
  const { env } = await startPlace()
  const { db, close } = await lookAt(env)
  await sql`delete from kysely_migration where name = '0010-mail-askers'`.execute(db)
  const { code, of } = await doctor(env)
  expect(of('database')[0]).toMatch(/^warning: The tables lack 0010-mail-askers\./)
  expect(code).toBe(0)
  const left = [
    '0001-sign-in',
    '0002-factors-and-mail',
    '0003-single-sign-on',
    '0004-return-addresses',
    '0005-own-account',
    '0006-administration',
    '0007-push',
    '0008-plain-forms',
    '0009-purge',
  ].map(name => ({ name }))
  expect((await sql`select name from kysely_migration order by name`.execute(db)).rows).toEqual(left)
  await close()
})

test.runIf(!onPostgres)(
  'RX-9: tables of an older version: doctor leaves them as they are, migrate brings them up to date and keeps what is in them',
  async () => {
    const { env } = await makePlace()
    const dialect = new NodeSqliteDialect(join(env.GATEHOUSE_DATA_DIR ?? '', 'gatehouse.sqlite'), seconds(1))
    const db = new Kysely<Tables>({ dialect })
    const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrationsFor('sqlite') } }).migrateTo('0001-sign-in')
    expect(error).toBeUndefined()
    // By the older version's columns: those of today are not there yet.
    await sql`insert into users ("userId", "userIdent", "userTZLabel", "userCreated") values ('some-user', ${admin.username}, 'UTC', 1)`.execute(
      db,
    )
    const [before] = await db.selectFrom('users').selectAll().execute()
    await db.destroy()
    for (let i = 0; i < 2; i++)
      expect((await doctor(env)).of('database')[0]).toMatch(
        /^warning: The tables lack 0002-factors-and-mail, 0003-single-sign-on, 0004-return-addresses, 0005-own-account, 0006-administration, 0007-push, 0008-plain-forms, 0009-purge, 0010-mail-askers\./,
      )
    const ran =
      'Ran 0002-factors-and-mail.\nRan 0003-single-sign-on.\nRan 0004-return-addresses.\nRan 0005-own-account.\nRan 0006-administration.\nRan 0007-push.\nRan 0008-plain-forms.\nRan 0009-purge.\nRan 0010-mail-askers.\nThe tables are up to date.\n'
    expect((await runCli(env, ['migrate'])).stdout).toBe(ran)
    const { of } = await doctor(env)
    expect([of('database')[0], of('administrators')]).toEqual(['ok: The tables are up to date.', ['ok: admin@example.com is there.']])
    const { db: after, close } = await lookAt(env)
    expect(await after.selectFrom('users').selectAll().execute()).toEqual([{ ...before, userPasswordByMail: 0 }])
    await close()
  },
)

test.runIf(!onPostgres)('doctor: a SQLite file that is damaged', async () => {
  const { env, folder, server } = await startPlace()
  server.child.kill('SIGTERM')
  await server.ended
  // No page of it is unused, where damage would be none.
  const whole = new DatabaseSync(join(folder, 'gatehouse.sqlite'))
  whole.exec('vacuum')
  whole.close()
  // First the last page alone, with which it can still be opened; then so many that it cannot.
  for (const [bytes, words] of [
    [4096, /problem: .*gatehouse\.sqlite is damaged \(.+\)\. Stop the server and restore a backup\./],
    [size(folder) - 4096, /^problem: .*malformed/],
  ] as const) {
    const file = await open(join(folder, 'gatehouse.sqlite'), 'r+')
    await file.write(Buffer.alloc(bytes, 0x5a), 0, bytes, size(folder) - bytes)
    await file.close()
    const { code, of } = await doctor(env)
    expect([code, of('database').join()]).toEqual([1, expect.stringMatching(words)])
  }
})

const size = (folder: string) => statSync(join(folder, 'gatehouse.sqlite')).size

test.runIf(onPostgres)('doctor: a PostgreSQL that forgets', async () => {
  const { env, inDatabase } = await startPlace()
  await inDatabase(async db => {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
    await sql`alter database ${sql.ref(rows[0]?.name ?? '')} set synchronous_commit = off`.execute(db)
  })
  const { code, of } = await doctor(env)
  expect(code).toBe(1)
  expect(of('database')).toContainEqual(expect.stringMatching(/^problem: PostgreSQL has synchronous_commit=off/))
})

test.runIf(onPostgres)('doctor: a PostgreSQL that is away', async () => {
  const { env } = await startPlace()
  const { code, of, stdout } = await doctor({
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
] as const)('TL-01: the way to a database at %j with sslmode=%s, encrypted: %s', (host, sslmode, encrypted, level) => {
  expect(transportFinding(host, sslmode, encrypted).level).toBe(level)
})
