import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import * as audit from '../../src/audit/audit.store.ts'
import { joinedToNext, preparedAs, syncedByNext } from '../../src/db/statement-marks.ts'
import { lockAccount } from '../../src/users/users.store.ts'
import { enroll } from '../support/authenticator.ts'
import { startServer } from '../support/harness.ts'

const row = { emailUser: null, emailVerkey: null }

test('RX-1: a transaction whose last statement fails without being awaited writes nothing and reports the failure', async () => {
  const { db } = await startServer()
  const insert = (emailEmail: string) => db.insertInto('emails').values({ ...row, emailEmail })
  await insert('taken@example.com').execute()
  const inserted = db.transaction().execute(async tx => {
    await tx
      .insertInto('emails')
      .values({ ...row, emailEmail: 'new@example.com' })
      .execute()
    await tx
      .insertInto('emails')
      .values({ ...row, emailEmail: 'taken@example.com' })
      .modifyEnd(joinedToNext)
      .execute()
  })
  await expect(inserted).rejects.toThrow(/unique/i)
  expect(await db.selectFrom('emails').select('emailEmail').where('emailEmail', 'like', '%n@example.com').execute()).toEqual([
    { emailEmail: 'taken@example.com' },
  ])
  // The connection is usable afterwards.
  await db.transaction().execute(tx =>
    tx
      .insertInto('emails')
      .values({ ...row, emailEmail: 'new@example.com' })
      .execute(),
  )
})

test('two rows of the audit in one transaction, neither awaited, are both written', async () => {
  const { db, clock } = await startServer()
  const event = { event: 'sign-out', result: 'successful', actor: null, target: 'joined', now: clock.at } as const
  await db.transaction().execute(async tx => {
    await audit.record(tx, event, undefined)
    await audit.record(tx, event, undefined)
  })
  expect(await db.selectFrom('audit').selectAll().where('auditTarget', '=', 'joined').execute()).toHaveLength(2)
})

test('MF-10: a sign-in that waited for the account demands a factor that was added in the meantime', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  const { db } = server
  await server.addUser()
  await enroll(server.openBrowser(), server.clock)
  const factor = await db.selectFrom('factors').selectAll().executeTakeFirstOrThrow()
  await db.deleteFrom('factors').execute()
  let signedIn: Promise<{ tag: string }> | undefined
  await db.transaction().execute(async tx => {
    await lockAccount(tx, factor.factorIdentity)
    await tx.insertInto('factors').values(factor).execute()
    signedIn = server.openBrowser().signIn()
    // SQLite runs nothing beside a transaction.
    if (inject('postgres'))
      await expect
        .poll(
          async () =>
            (await sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(db)).rows,
        )
        .toHaveLength(1)
  })
  expect(await signedIn).toMatchObject({ tag: 'AuthRequires2FA' })
})

test.runIf(inject('postgres'))(
  'a statement that the next commit syncs waits for no sync, and later ones on its connection do',
  async () => {
    const { db } = await startServer()
    const settings = await db.connection().execute(async connection => {
      const [inserted] = await connection
        .insertInto('emails')
        .values({ ...row, emailEmail: 'new@example.com' })
        .returning('emailEmail')
        .modifyEnd(preparedAs('test-without-sync'))
        .modifyEnd(syncedByNext)
        .execute()
      const { rows } = await sql<{ later: string }>`select current_setting('synchronous_commit') as later`.execute(connection)
      return { ...inserted, ...rows[0] }
    })
    expect(settings).toEqual({ emailEmail: 'new@example.com', set_config: 'off', later: 'on' })
  },
)
