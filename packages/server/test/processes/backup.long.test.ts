import { spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { environment } from '../support/environment.ts'
import { fillLargeDatabase } from '../support/large-database.ts'
import { commandArguments } from '../support/program.ts'
import { makeEmptyPlace, makeFolder, rowsOf, urlOf } from './backup.ts'
import { makeInstallation, runCli } from './processes.ts'

const makeLargeInstallation = async (users: number) => {
  const installation = await makeInstallation()
  await runCli(installation.env, ['user', 'add', 'ada@example.com'], 'correct horse battery\n')
  await installation.inDatabase(db => fillLargeDatabase(db, { users, rows: users, end: Date.now() }))
  return installation
}

/**
 * Kills a command repeatedly, each time later, until it has done its work or was killed six times.
 * @param whole how long a run without a kill took
 * @param afterKill checks what the command left. Returns whether it had done its work before it was killed
 * @returns whether the command has done its work
 */
const killAndRepeat = async (
  env: Record<string, string>,
  args: string[],
  input: string,
  whole: number,
  afterKill: () => Promise<boolean>,
) => {
  for (const [kills, part] of [0.15, 0.3, 0.45, 0.6, 0.75, 0.9].entries()) {
    const child = spawn(process.execPath, [...commandArguments, ...args], { env: environment(env) })
    child.stdin.end(input)
    const ended = new Promise<NodeJS.Signals | null>(resolve => child.on('close', (_, signal) => resolve(signal)))
    await setTimeout(whole * part)
    child.kill('SIGKILL')
    if ((await ended) === null) {
      expect(kills).toBeGreaterThan(1)
      return true
    }
    if (await afterKill()) {
      expect(kills).toBeGreaterThan(1)
      return true
    }
  }
  return false
}

/** The rows after a restore, without the audit row that it adds. Users have to sign in again, so sessions are gone. */
const restoredRows = async (url: string) => {
  const rows = await rowsOf(url)
  const audit = rows.get('audit') ?? []
  const others = audit.filter(row => !row.includes('"backup-restored"'))
  expect(audit.length - others.length).toBe(1)
  return rows.set('audit', others)
}

/** A command that was killed early leaves a database without tables. */
const countUsers = async (url: string) => (await rowsOf(url)).get('users')?.length ?? 0

const timed = async (work: () => Promise<{ code: number | null; stderr: string }>) => {
  const start = performance.now()
  expect(await work()).toMatchObject({ code: 0, stderr: '' })
  return performance.now() - start
}

test('100,000 users survive a backup, a restore and two copies with every row', { timeout: 600_000 }, async () => {
  const installation = await makeLargeInstallation(100_000)
  const folder = await makeFolder()
  const [file, copied] = [join(folder, 'backup.sqlite'), `sqlite:${join(folder, 'copied.sqlite')}`]
  const before = await rowsOf(urlOf(installation))
  expect(before.get('users')).toHaveLength(100_001)
  await timed(() => runCli(installation.env, ['backup', file]))
  expect(await rowsOf(`sqlite:${file}`)).toEqual(before)
  const restored = await makeEmptyPlace(installation)
  await timed(() => runCli(restored.env, ['restore', file]))
  expect(await restoredRows(restored.url)).toEqual(new Map([...before, ['sessions', []]]))
  await timed(() => runCli(installation.env, ['copy-database'], `${copied}\n`))
  expect(await rowsOf(copied)).toEqual(before)
  const back = await makeEmptyPlace(installation)
  await timed(() => runCli({ ...back.env, GATEHOUSE_DATABASE_URL: copied }, ['copy-database'], `${back.url}\n`))
  expect(await rowsOf(back.url)).toEqual(before)
})

test('kill -9 during a backup, a restore or a copy loses nothing, and the next run finishes', { timeout: 600_000 }, async () => {
  const installation = await makeLargeInstallation(20_000)
  const before = await rowsOf(urlOf(installation))
  const folder = await makeFolder()
  const file = join(folder, 'backup.sqlite')

  const backupTime = await timed(() => runCli(installation.env, ['backup', join(folder, 'first.sqlite')]))
  const isBackedUp = await killAndRepeat(installation.env, ['backup', file], '', backupTime, async () => {
    // The command gives the backup its name last, so a backup with its name is whole.
    const isWhole = (await readdir(folder)).includes('backup.sqlite')
    if (isWhole) expect(await rowsOf(`sqlite:${file}`)).toEqual(before)
    return isWhole
  })
  if (!isBackedUp) await timed(() => runCli(installation.env, ['backup', file]))
  expect(await rowsOf(`sqlite:${file}`)).toEqual(before)
  expect((await readdir(folder)).sort()).toEqual(['backup.sqlite', 'first.sqlite'])

  const elsewhere = await makeEmptyPlace(installation)
  const restoreTime = await timed(() => runCli(elsewhere.env, ['restore', file]))
  const place = await makeEmptyPlace(installation)
  await killAndRepeat(place.env, ['restore', file], '', restoreTime, async () => {
    const users = await countUsers(place.url)
    expect([0, before.get('users')?.length]).toContain(users)
    return users !== 0
  })
  if ((await countUsers(place.url)) === 0) await timed(() => runCli(place.env, ['restore', file]))
  expect(await restoredRows(place.url)).toEqual(new Map([...before, ['sessions', []]]))

  const target = await makeEmptyPlace(installation)
  const other = await makeEmptyPlace(installation)
  const copyTime = await timed(() => runCli(installation.env, ['copy-database'], `${other.url}\n`))
  await killAndRepeat(installation.env, ['copy-database'], `${target.url}\n`, copyTime, async () => {
    expect(await rowsOf(urlOf(installation))).toEqual(before)
    return (await countUsers(target.url)) !== 0
  })
  if ((await countUsers(target.url)) === 0) await timed(() => runCli(installation.env, ['copy-database'], `${target.url}\n`))
  expect(await rowsOf(target.url)).toEqual(before)
})
