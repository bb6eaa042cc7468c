import { copyFile, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { routes } from '@gatehouse/wire'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { listTablesToCopy } from '../../src/db/copy.ts'
import { deploymentOf } from '../credentials/deployment.ts'
import { fillLargeDatabase } from '../support/large-database.ts'
import { makeEmptyPlace, makeFolder, rowsOf, urlOf } from './backup.ts'
import { makeInstallation, runCli, startProcess } from './processes.ts'

const ada = { username: 'ada@example.com', password: 'correct horse battery' }

/** Ada, who can sign in, among users, sessions and audit rows that only fill the tables. */
const makeFilledInstallation = async () => {
  const installation = await makeInstallation()
  await installation.inDatabase(db => fillLargeDatabase(db, { users: 1200, rows: 2000, end: Date.now() }))
  expect((await runCli(installation.env, ['user', 'add', ada.username], `${ada.password}\n`)).code).toBe(0)
  return installation
}

const signInAt = async (url: string) => {
  const response = await fetch(url + routes.getAuthTokenWithError.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ ...ada, useragent: '' }),
  })
  return Object(await response.json()).tag
}

const onSqlite = inject('postgres') === ''

test('a backup taken during writes contains the state of one instant, is readable only by its owner, and replaces no file', async () => {
  const installation = await makeFilledInstallation()
  await startProcess(installation.env).ready
  const file = join(await makeFolder(), 'backup.sqlite')
  let [writing, written] = [true, 0]
  const writer = installation.inDatabase(async db => {
    for (; writing; written++) {
      await setImmediate()
      await db.transaction().execute(async tx => {
        for (const half of ['one', 'two'])
          await sql`insert into notices ("noticeUser", "noticeKind", "noticeAt") values ('user-0', ${`${half}-${written}`}, 77)`.execute(tx)
      })
    }
  })
  await expect.poll(() => written).toBeGreaterThan(0)
  const backup = await runCli(installation.env, ['backup', file, '--json'])
  writing = false
  await writer
  expect(backup).toMatchObject({ code: 0, stderr: '' })
  const copy = new DatabaseSync(file, { readOnly: true })
  const count = (half: string) => copy.prepare('select count(*) as count from notices where "noticeKind" like ?').get(`${half}-%`)?.count
  expect(Number(count('one'))).toBeGreaterThan(0)
  expect(count('one')).toBe(count('two'))
  expect(JSON.parse(backup.stdout)).toMatchObject({ file, keyFile: null, undecryptable: 0, rows: { users: 1201, audit: 2001 } })
  copy.close()
  expect(await readdir(join(file, '..'))).toEqual(['backup.sqlite'])
  expect((await stat(file)).mode & 0o077).toBe(0)
  const again = await runCli(installation.env, ['backup', file])
  expect(again).toMatchObject({ code: 1, stdout: '', stderr: `${file} exists already. Nothing was written.\n` })
})

test('a backup contains every row and no master key; --with-key writes the key into a separate file', async () => {
  const installation = await makeFilledInstallation()
  const folder = await makeFolder()
  const [file, key] = [join(folder, 'backup.sqlite'), join(folder, 'backup.key')]
  const backup = await runCli(installation.env, ['backup', file, '--with-key', key])
  expect(backup).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(`Wrote the master key to ${key}.`) })
  const master = await readFile(join(installation.env.GATEHOUSE_DATA_DIR ?? '', 'master.key'), 'utf8')
  expect(await readFile(key, 'utf8')).toBe(master)
  expect((await stat(key)).mode & 0o077).toBe(0)
  expect((await readFile(file)).includes(master.trim())).toBe(false)
  expect(await rowsOf(`sqlite:${file}`)).toEqual(await rowsOf(urlOf(installation)))
})

test('a restore brings back every user and the history, and ends every session, ticket and link', async () => {
  const installation = await makeFilledInstallation()
  const server = startProcess(installation.env)
  const deployment = await deploymentOf([await server.ready], installation)
  const client = deployment.open()
  const { body } = await client.post(routes.getAuthTokenWithError.path, { ...ada, useragent: '' })
  expect((await client.post(routes.plowlogin.path, Object(body).contents)).status).toBe(200)
  expect((await client.get('/account')).status).toBe(200)
  await client.post(routes.sendPasswordResetEmail.path, { useremail: ada.username })
  const file = join(await makeFolder(), 'backup.sqlite')
  const backup = await runCli(installation.env, ['backup', file])
  expect(backup).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Without it, authenticator apps and Web Push notifications do not work after a restore.'),
  })
  server.child.kill('SIGTERM')
  await server.ended
  const before = await rowsOf(urlOf(installation))
  expect(before.get('sessions')?.length).toBeGreaterThan(0)

  const place = await makeEmptyPlace(installation)
  const restored = await runCli(place.env, ['restore', file])
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  expect(restored.stdout).toContain('Every session, ticket and mailed link has ended')
  expect(restored.stdout).toContain('Warning: what was revoked after the backup works again')
  const after = await rowsOf(place.url)
  const ended = ['sessions', 'tickets', 'hand_overs', 'mail_links', 'outbox', 'challenges', 'push_waits']
  for (const table of ended) expect([table, after.get(table)]).toEqual([table, []])
  const [row, ...others] = (after.get('audit') ?? []).filter(one => !before.get('audit')?.includes(one))
  expect([Object.fromEntries(JSON.parse(row ?? '[]')), others]).toEqual([
    expect.objectContaining({
      auditEvent: 'backup-restored',
      auditResult: expect.stringMatching(/^backup of \d{4}-\d\d-\d\dT[\d:.]+Z: [1-9]\d+ rows$/),
      auditActor: 'cli',
    }),
    [],
  ])
  expect(after.get('audit')).toEqual(expect.arrayContaining(before.get('audit') ?? []))
  for (const table of ['users', 'emails', 'factors', 'known_browsers', 'failed_logins', 'skips', 'push_keys'])
    expect([table, after.get(table)]).toEqual([table, before.get(table)])
  expect(await readdir(place.env.GATEHOUSE_DATA_DIR)).not.toContain('restoring.sqlite')

  const again = startProcess(place.env)
  expect(await signInAt(await again.ready)).toBe('AuthSuccessful')
  // The client of the old server sends its cookie to the new one, which has the same port.
  expect((await client.get('/account')).status).not.toBe(200)
})

test.runIf(onSqlite)('copies each table after the tables that it references', async () => {
  const { inDatabase } = await makeInstallation()
  await inDatabase(async db => {
    const tables = await listTablesToCopy(db)
    expect(tables.length).toBeGreaterThan(30)
    for (const [at, table] of tables.entries()) {
      const { rows } = await sql<{ table: string }>`select "table" from pragma_foreign_key_list(${table})`.execute(db)
      for (const { table: referenced } of rows)
        expect([table, tables.slice(0, at + 1)]).toEqual([table, expect.arrayContaining([referenced])])
    }
  })
})

test('a restore refuses a file that is not a backup, and a database that is in use or not empty, and changes nothing', async () => {
  const installation = await makeFilledInstallation()
  const folder = await makeFolder()
  const at = (name: string) => join(folder, name)
  expect((await runCli(installation.env, ['backup', at('good.sqlite')])).code).toBe(0)
  await writeFile(at('text.sqlite'), 'This is not a database.')
  new DatabaseSync(at('other.sqlite')).exec('create table notes (note text)')
  await copyFile(at('good.sqlite'), at('newer.sqlite'))
  const newer = new DatabaseSync(at('newer.sqlite'))
  newer.exec("insert into kysely_migration (name, timestamp) values ('9999-later', '2999-01-01')")
  newer.close()
  const place = await makeEmptyPlace(installation)
  for (const [name, words] of [
    ['missing.sqlite', /missing\.sqlite does not exist\./],
    ['text.sqlite', /text\.sqlite is not a backup that can be restored: .*not a database.*Nothing was changed\./],
    ['other.sqlite', /other\.sqlite is not a backup that can be restored: it has no tables of Gatehouse\. Nothing was changed\./],
    ['newer.sqlite', /newer\.sqlite is not a backup that can be restored: .*newer version of Gatehouse.*Nothing was changed\./],
  ] as const)
    expect(await runCli(place.env, ['restore', at(name)])).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(words) })
  const before = await rowsOf(urlOf(installation))
  const filled = await runCli(installation.env, ['restore', at('good.sqlite')])
  expect(filled).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('is not empty') })
  expect(await rowsOf(urlOf(installation))).toEqual(before)
  const running = startProcess(place.env)
  await running.ready
  expect(await runCli(place.env, ['restore', at('good.sqlite')])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(onSqlite ? /Another Gatehouse server is using/ : /is in use: connections from/),
  })
})

test('copy-database copies every row to SQLite and back, and refuses while a server runs', async () => {
  const installation = await makeFilledInstallation()
  const server = startProcess(installation.env)
  await server.ready
  const target = `sqlite:${join(await makeFolder(), 'copy.sqlite')}`
  expect(await runCli(installation.env, ['copy-database'], `${target}\n`)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(onSqlite ? /Another Gatehouse server is using/ : /is in use: connections from/),
  })
  server.child.kill('SIGTERM')
  await server.ended
  const before = await rowsOf(urlOf(installation))
  expect(await runCli(installation.env, ['copy-database'], `${target}\n`)).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^Copied \d+ rows of \d+ tables from .*\n.*GATEHOUSE_DATABASE_URL.*\n.*delete the old database/),
  })
  expect(await rowsOf(target)).toEqual(before)
  const place = await makeEmptyPlace(installation)
  expect(await runCli({ ...place.env, GATEHOUSE_DATABASE_URL: target }, ['copy-database'], `${place.url}\n`)).toMatchObject({ code: 0 })
  expect(await rowsOf(place.url)).toEqual(before)
  const moved = startProcess(place.env)
  expect(await signInAt(await moved.ready)).toBe('AuthSuccessful')
  for (const [address, words] of [
    [target, 'is not empty'],
    ['mysql://localhost/gatehouse', 'must be sqlite: and a path'],
    [urlOf(installation), 'is the one that is in use'],
  ] as const)
    expect(await runCli(installation.env, ['copy-database'], `${address}\n`)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(words),
    })
})
