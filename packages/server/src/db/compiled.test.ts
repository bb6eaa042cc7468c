import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { compiledOnce, runBoth } from './compiled.ts'
import { openDatabase } from './open.ts'
import { preparedAs } from './statement-marks.ts'

const open = () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-compiled-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return openDatabase(`sqlite:${folder}/test.sqlite`)
}
const email = (emailEmail: string, emailVerkey: string | null) => ({ emailEmail, emailUser: null, emailVerkey })

test('compiles a statement once for each database and gives it new values each time', async () => {
  let built = 0
  const insert = compiledOnce((db, row: ReturnType<typeof email>) => {
    built++
    return db.insertInto('emails').values(row).returning('emailEmail').modifyEnd(preparedAs('test'))
  })
  for (const databases of [1, 2]) {
    const { db, close } = await open()
    expect(await insert(db, email('a@example.com', null))).toEqual([{ emailEmail: 'a@example.com' }])
    await db.transaction().execute(tx => insert(tx, email('b@example.com', 'key')))
    const rows = await db.selectFrom('emails').selectAll().orderBy('emailEmail').execute()
    expect(rows.map(row => [row.emailEmail, row.emailVerkey])).toEqual([
      ['a@example.com', null],
      ['b@example.com', 'key'],
    ])
    expect(built).toBe(databases)
    await close()
  }
})

test('accepts a value that is used several times, together with constants', async () => {
  const { db, close } = await open()
  const find = compiledOnce((db, { name }: { name: string }) =>
    db
      .selectFrom('emails')
      .select('emailEmail')
      .where(e => e.or([e('emailEmail', '=', name), e('emailVerkey', '=', name)]))
      .where('emailEmail', '!=', 'never@example.com'),
  )
  for (const row of [email('a@example.com', 'b@example.com'), email('b@example.com', null), email('never@example.com', 'a@example.com')])
    await db.insertInto('emails').values(row).execute()
  const found = async (name: string) => (await find(db, { name })).map(row => row.emailEmail).sort()
  expect(await found('a@example.com')).toEqual(['a@example.com'])
  expect(await found('b@example.com')).toEqual(['a@example.com', 'b@example.com'])
  await close()
})

test('runs two statements on the connection of a transaction and returns the rows of each', async () => {
  const { db, close } = await open()
  const insert = compiledOnce((db, row: ReturnType<typeof email>) => db.insertInto('emails').values(row).returning('emailEmail'))
  const count = compiledOnce((db, _: Record<string, never>) => db.selectFrom('emails').select(db.fn.countAll<number>().as('count')))
  const rows = await db.transaction().execute(tx => runBoth(tx, insert.bind(tx, email('a@example.com', null)), count.bind(tx, {})))
  expect(rows).toEqual([[{ emailEmail: 'a@example.com' }], [{ count: 1 }]])
  await close()
})
