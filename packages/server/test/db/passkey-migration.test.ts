import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, onTestFinished, test } from 'vitest'
import { migrationsFor } from '../../src/db/migrations.ts'
import { openDatabase } from '../../src/db/open.ts'
import { postgresDialect } from '../../src/db/postgres.ts'
import type { Tables } from '../../src/db/schema.ts'
import { NodeSqliteDialect } from '../../src/db/sqlite.ts'
import { makeEmptyDatabase } from '../support/engine.ts'

test('the migration to passkeys keeps a user’s authenticator app and phone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-migration-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { url, drop } = await makeEmptyDatabase(folder)
  onTestFinished(drop)
  const file = /^sqlite:(.+)$/.exec(url)?.[1]
  const engine = file ? 'sqlite' : 'postgres'
  const db = new Kysely<Tables>({ dialect: file ? new NodeSqliteDialect(file, 5000) : postgresDialect(url, true) })
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrationsFor(engine) } })
  const { error } = await migrator.migrateTo('0016-vouched-identities')
  expect(error).toBeUndefined()
  const user = ['user-1', 'ada@example.com', null, 0, 0, 'UTC', 1]
  await sql`insert into users ("userId", "userIdent", "userPassword", "userForcedReset", "userPasswordByMail", "userTZLabel", "userCreated") values (${sql.join(user)})`.execute(
    db,
  )
  for (const [uuid, type] of [
    ['factor-1', 'TOTP'],
    ['factor-2', 'Push'],
  ])
    await sql`insert into factors ("factorUUID", "factorIdentity", "factorFriendlyName", "factorStatus", "factorFactorType", "factorDateCreated", "factorDateVerified", "factorReplaces", "factorWrongCodes") values (${uuid}, 'user-1', ${type}, 'Verified', ${type}, 1, 2, 0, 0)`.execute(
      db,
    )
  await sql`insert into totp_bindings values ('factor-1', 'sealed', 'SHA1', 7)`.execute(db)
  await sql`insert into push_bindings values ('factor-2', 'key', 'ES256', 'topic')`.execute(db)
  await db.destroy()

  const migrated = await openDatabase(url)
  onTestFinished(() => migrated.close())
  expect(migrated.migrated[0]).toBe('0017-passkeys')
  const factors = await migrated.db
    .selectFrom('factors')
    .select(['factorUUID', 'factorFactorType', 'factorOptional', 'factorStatus'])
    .orderBy('factorUUID')
    .execute()
  expect(factors).toEqual([
    { factorUUID: 'factor-1', factorFactorType: 'TOTP', factorOptional: 0, factorStatus: 'Verified' },
    { factorUUID: 'factor-2', factorFactorType: 'Push', factorOptional: 0, factorStatus: 'Verified' },
  ])
  expect(await migrated.db.selectFrom('totp_bindings').selectAll().execute()).toHaveLength(1)
  expect(await migrated.db.selectFrom('push_bindings').selectAll().execute()).toHaveLength(1)
  // The database accepts the new type and no unknown one. A verified factor still stays verified.
  const change = (to: object) => migrated.db.updateTable('factors').set(to).where('factorUUID', '=', 'factor-1').execute()
  await change({ factorFactorType: 'Passkey' })
  await expect(change({ factorFactorType: 'Other' })).rejects.toThrow()
  await expect(change({ factorStatus: 'Unverified', factorDateVerified: null, factorExpires: 9 })).rejects.toThrow('stays verified')
  await migrated.db.deleteFrom('users').execute()
  expect(await migrated.db.selectFrom('totp_bindings').selectAll().execute()).toEqual([])
})
