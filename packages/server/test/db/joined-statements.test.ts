import { expect, test } from 'vitest'
import * as audit from '../../src/audit/audit.store.ts'
import { joinedToNext } from '../../src/db/statement-marks.ts'
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
