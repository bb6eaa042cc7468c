import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from './open.ts'
import type { Tables } from './schema.ts'
import { isBusy, NodeSqliteDialect } from './sqlite.ts'
import { MisplacedFile } from './sqlite-file.ts'
import { syncedByNext } from './statement-marks.ts'

const newFile = () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sqlite-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'test.sqlite')
}

test('RX-2: SQLite uses WAL with synchronous=FULL, so committed data survives a power failure, and enforces foreign keys', async () => {
  const { db, close } = await openDatabase(`sqlite:${newFile()}`)
  onTestFinished(close)
  const pragma = async (name: string) => Object.values(Object((await sql.raw(`pragma ${name}`).execute(db)).rows[0]))
  expect([await pragma('journal_mode'), await pragma('synchronous'), await pragma('foreign_keys')]).toEqual([['wal'], [2], [1]])
})

test('RX-2: a commit without sync does not change how later commits are synced', async () => {
  const { db, close } = await openDatabase(`sqlite:${newFile()}`)
  onTestFinished(close)
  const setting = async () => Object.values(Object((await sql`pragma synchronous`.execute(db)).rows[0]))
  expect(await setting()).toEqual([2])
  const seen: unknown[] = []
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, text) {
    seen.push(text)
    this.prepare(text).all()
  })
  onTestFinished(() => exec.mockRestore())
  const add = (key: string, on: Pick<typeof db, 'insertInto'> = db) =>
    on.insertInto('emails').values({ emailEmail: key, emailUser: null, emailVerkey: null }).modifyEnd(syncedByNext).execute()
  await add('a')
  expect(seen.splice(0)).toEqual(['pragma synchronous = normal', 'pragma synchronous = full'])
  await expect(add('a')).rejects.toThrow('UNIQUE')
  expect([seen.splice(0).length, await setting()]).toEqual([2, [2]])
  // The setting cannot change within a transaction, whose commit is synced as usual.
  await db.transaction().execute(tx => add('b', tx))
  expect([seen, await setting(), (await db.selectFrom('emails').selectAll().execute()).length]).toEqual([[], [2], 2])
})

const openTwo = async (patience: number) => {
  const file = newFile()
  const { close } = await openDatabase(`sqlite:${file}`)
  await close()
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(file, patience) })
  await db.selectFrom('users').selectAll().execute()
  const other = new DatabaseSync(file)
  onTestFinished(async () => {
    other.close()
    await db.destroy()
  })
  const addMail = (emailEmail: string) =>
    db.transaction().execute(tx => tx.insertInto('emails').values({ emailEmail, emailUser: null, emailVerkey: null }).execute())
  return { db, other, addMail }
}

test('a write waits for another process without blocking its own process', async () => {
  const { other, addMail } = await openTwo(60_000)
  other.exec('begin exclusive')
  const adding = addMail('a')
  // The timers of this process run meanwhile.
  await new Promise(resolve => setTimeout(resolve, 50))
  other.exec('commit')
  await adding
})

test('a write that waits too long fails as busy, and the writes behind it fail at once', async () => {
  const { other, addMail } = await openTwo(300)
  other.exec('begin exclusive')
  const start = performance.now()
  const results = await Promise.allSettled(['a', 'b', 'c', 'd', 'e', 'f'].map(addMail))
  expect(results.every(result => result.status === 'rejected' && isBusy(result.reason))).toBe(true)
  // Six consecutive waits of 300 ms would take 1.8 s.
  expect(performance.now() - start).toBeLessThan(1500)
  other.exec('commit')
  await new Promise(resolve => setTimeout(resolve, 300))
  await addMail('g')
})

test('a transaction takes the write lock at its start', async () => {
  const { db, other } = await openTwo(100)
  await db.transaction().execute(async tx => {
    await tx.selectFrom('users').selectAll().execute()
    expect(() => other.exec('begin immediate')).toThrow('database is locked')
  })
})

test('RX-16: a transaction whose file was moved away meanwhile fails at its commit and writes nothing', async () => {
  const file = newFile()
  const { db, close } = await openDatabase(`sqlite:${file}`)
  onTestFinished(close)
  const add = (on: Pick<typeof db, 'insertInto'>) =>
    on.insertInto('emails').values({ emailEmail: 'a', emailUser: null, emailVerkey: null }).execute()
  const adding = db.transaction().execute(async tx => {
    await add(tx)
    renameSync(file, `${file}.away`)
  })
  await expect(adding).rejects.toThrow(MisplacedFile)
  await expect(add(db)).rejects.toThrow(MisplacedFile)
  renameSync(`${file}.away`, file)
  expect(await db.selectFrom('emails').selectAll().execute()).toEqual([])
})
