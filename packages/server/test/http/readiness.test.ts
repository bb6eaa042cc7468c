import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { rename, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '@gatehouse/wire'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { seconds } from '../../src/limits.ts'
import { makeInstallation, startProcess } from '../processes/processes.ts'
import { startServer } from '../support/harness.ts'
import { nextAddress } from '../support/next-address.ts'

const onPostgres = inject('postgres') !== ''
const admin = { username: 'admin@example.com', password: 'a password for readiness' }

/** A running server, its readiness, and a sign-in as a request that writes. */
const startReady = async (more: Record<string, string> = {}) => {
  const { env, inDatabase } = await makeInstallation()
  const server = startProcess({ ...env, GATEHOUSE_ADMIN_PASSWORD: admin.password, ...more })
  const url = await server.ready
  const readiness = async () => (await fetch(`${url}/readyz`)).status
  const signIn = async () => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': nextAddress() }
    const body = JSON.stringify({ ...admin, useragent: '' })
    return (await fetch(url + routes.getAuthTokenWithError.path, { method: 'POST', headers, body })).status
  }
  expect([await readiness(), await signIn()]).toEqual([200, 200])
  return { env, inDatabase, server, readiness, signIn, file: join(env.GATEHOUSE_DATA_DIR ?? '', 'gatehouse.sqlite') }
}

/** A file system of a few megabytes; undefined if this user may not mount one. */
const mountSmallDisk = () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-small-disk-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder], { stdio: 'ignore' })
  onTestFinished(() => {
    if (status === 0) spawnSync('umount', ['-l', folder])
    rmdirSync(folder)
  })
  return status === 0 ? folder : undefined
}

test.runIf(!onPostgres)('RX-16: /readyz answers 503 while the disk is full, and 200 once space is free again', async context => {
  const folder = mountSmallDisk()
  if (folder === undefined) return context.skip('this user may not mount a small file system')
  const { readiness, signIn } = await startReady({ GATEHOUSE_DATA_DIR: folder })
  const { bavail, bsize } = await statfs(folder)
  await writeFile(join(folder, 'filler'), Buffer.alloc(bavail * bsize))
  await expect.poll(readiness, { timeout: seconds(5) }).toBe(503)
  await rm(join(folder, 'filler'))
  await expect.poll(readiness, { timeout: seconds(5) }).toBe(200)
  expect(await signIn()).toBe(200)
})

test.runIf(!onPostgres)(
  'RX-16: acknowledges no write and answers /readyz with 503 if the database file is replaced or deleted, and recovers when it is back',
  async () => {
    const { readiness, signIn, file, server, env } = await startReady()
    // A different file at the path is not the database.
    await rename(file, `${file}.away`)
    await writeFile(file, '')
    expect(await signIn()).toBe(503)
    await expect.poll(readiness, { timeout: seconds(5) }).toBe(503)
    await rm(file)
    await rename(`${file}.away`, file)
    expect(await signIn()).toBe(200)
    await expect.poll(readiness, { timeout: seconds(5) }).toBe(200)

    await rm(env.GATEHOUSE_DATA_DIR ?? '', { recursive: true })
    expect(await Promise.all(Array.from({ length: 20 }, signIn))).toEqual(Array(20).fill(503))
    await expect.poll(readiness, { timeout: seconds(5) }).toBe(503)
    expect(server.output.stderr).toContain(`The database file ${file} was deleted or replaced while the server runs`)
  },
)

test.runIf(onPostgres)('RX-16: /readyz answers 503 while PostgreSQL is read-only, like a standby', async () => {
  const { readiness, inDatabase } = await startReady()
  const set = (value: string) =>
    inDatabase(async db => {
      const name = (await sql<{ name: string }>`select current_database() as name`.execute(db)).rows[0]?.name ?? ''
      await sql`begin; set transaction read write; alter database ${sql.raw(name)} set default_transaction_read_only = ${sql.raw(value)}; commit`.execute(
        db,
      )
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name} and pid <> pg_backend_pid()`.execute(db)
    })
  await set('on')
  await expect.poll(readiness, { timeout: seconds(5) }).toBe(503)
  await set('off')
  await expect.poll(readiness, { timeout: seconds(5) }).toBe(200)
})

test('RX-16: /readyz writes at most once in two seconds', async () => {
  const { app, db, clock } = await startServer()
  const ask = async () => (await app.inject('/readyz')).statusCode
  const first = clock.at
  expect(await Promise.all(Array.from({ length: 20 }, ask))).toEqual(Array(20).fill(200))
  clock.advance(1)
  expect(await ask()).toBe(200)
  expect(await db.selectFrom('write_probes').selectAll().execute()).toEqual([{ probeId: 1, probeAt: first }])
  await expect
    .poll(async () => [await ask(), await db.selectFrom('write_probes').select('probeAt').execute()])
    .toEqual([200, [{ probeAt: clock.at }]])
})
