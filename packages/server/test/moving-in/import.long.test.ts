import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { routes } from '@gatehouse/wire'
import { expect, inject, test } from 'vitest'
import { importAuthelia } from '../../src/cli/import/import.ts'
import { limits } from '../../src/limits.ts'
import { openClient, outcomeOf } from '../credentials/deployment.ts'
import { makeInstallation, runCli, startProcess } from '../processes/processes.ts'
import { environment } from '../support/environment.ts'
import { startServer } from '../support/harness.ts'

const count = 10_000
const salts = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** Each user has a different salt of 128 bits. */
const hashOf = (n: number) =>
  `$2b$04$${`${salts[n % 64]}${salts[(n >> 6) % 64]}${salts[n >> 12]}`.padEnd(22, 'u')}zWVy59b0Agqt2fc24DeEJ9QLRuENNqS`
const known = '$2b$04$abcdefghijklmnopqrstuuzWVy59b0Agqt2fc24DeEJ9QLRuENNqS'

const countUsers = ({ inDatabase }: Awaited<ReturnType<typeof makeInstallation>>) =>
  inDatabase(async db => {
    const users = await db.selectFrom('users').select(['userIdent', 'userGroups', 'userPassword', 'userPasswordKind']).execute()
    const factors = await db
      .selectFrom('factors')
      .innerJoin('totp_bindings', 'factorTOTPBindingFactorUUID', 'factorUUID')
      .select('factorUUID')
      .execute()
    const audited = await db.selectFrom('audit').select('auditTarget').where('auditEvent', '=', 'user-added').execute()
    return { users, factors: factors.length, audited: audited.length }
  })

/** Starts an import. `untilLines` waits until it has printed this many lines, or has ended. */
const startImport = (env: Record<string, string>, args: readonly string[]) => {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/cli/cli.ts'), 'import', ...args], { env: environment(env) })
  let lines = 0
  let mostMemory = 0
  let stderr = ''
  child.stderr.on('data', chunk => (stderr += chunk))
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  const note = async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
    mostMemory = Math.max(mostMemory, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  }
  child.stdout.on('data', chunk => {
    lines += String(chunk).split('\n').length - 1
    void note()
  })
  const untilLines = async (least: number) => {
    while (lines < least && child.exitCode === null) await new Promise(resolve => setTimeout(resolve, 5))
  }
  return { child, ended, untilLines, mostMemory: () => mostMemory, stderr: () => stderr }
}

test('RX-1: an import of 10,000 users that is killed three times loses nothing, ends up complete, and stays below 300 MB', async () => {
  const installation = await makeInstallation()
  const { env } = installation
  const file = join(env.GATEHOUSE_DATA_DIR ?? '', 'users.csv')
  const rows = Array.from(
    { length: count },
    (_, n) => `user${n}@example.com,${n === 77 ? known : hashOf(n)},dev ops,JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP`,
  )
  await writeFile(file, ['email,password_hash,groups,totp', ...rows].join('\n'))
  for (const least of [150, 900, 2000]) {
    const { child, ended, untilLines } = startImport(env, ['csv', file, '--apply'])
    await untilLines(least)
    child.kill('SIGKILL')
    await ended
    const { users, factors, audited } = await countUsers(installation)
    expect(users.length).toBeLessThan(count)
    expect([factors, audited, users.length % limits.import.usersAtOnce]).toEqual([users.length, users.length, 0])
  }
  const last = startImport(env, ['csv', file, '--apply'])
  expect([await last.ended, last.stderr()]).toEqual([0, ''])
  expect(last.mostMemory()).toBeGreaterThan(20)
  expect(last.mostMemory()).toBeLessThan(300)
  const { users, factors, audited } = await countUsers(installation)
  expect([users.length, factors, audited]).toEqual([count, count, count])
  for (const user of users)
    expect(user).toMatchObject({ userGroups: 'dev ops', userPasswordKind: 'bcrypt 4', userPassword: expect.stringContaining('$argon2id$') })
  const again = JSON.parse((await runCli(env, ['import', 'csv', file, '--json'])).stdout)
  expect(again.counts).toEqual({ create: 0, unchanged: count, differs: 0, skip: 0, bad: 0 })
  const server = startProcess({ ...env, GATEHOUSE_SECOND_FACTOR: 'skippable' })
  const client = openClient([await server.ready])
  const user = { username: 'user77@example.com', password: 'the old password of bcrypt é' }
  expect(outcomeOf(await client.post(routes.getAuthTokenWithError.path, { ...user, useragent: '' })).tag).toBe('AuthRequires2FA')
}, 1_800_000)

test('a dry run of 10,000 users of Authelia stays below 400 MB', async () => {
  const { env } = await makeInstallation()
  const file = join(env.GATEHOUSE_DATA_DIR ?? '', 'users.yml')
  const entries = Array.from(
    { length: count },
    (_, n) =>
      `    user${n}:\n        password: ${hashOf(n)}\n        displayname: User ${n}\n        email: user${n}@example.com\n        groups:\n            - dev\n`,
  )
  await writeFile(file, `users:\n${entries.join('')}`)
  const dry = startImport(env, ['authelia', file])
  expect([await dry.ended, dry.stderr()]).toEqual([0, ''])
  expect(dry.mostMemory()).toBeGreaterThan(20)
  expect(dry.mostMemory()).toBeLessThan(400)
}, 300_000)

// The documented memory of the largest files. These are dry runs, so one database is enough.
test.runIf(inject('postgres') === '')(
  'the largest YAML file takes less than 1.3 GB of memory, and the largest CSV file less than 350 MB',
  async () => {
    const { env } = await makeInstallation()
    const file = join(env.GATEHOUSE_DATA_DIR ?? '', 'users')
    const { yamlBytes, usersMost } = limits.import
    const entry = (n: number) =>
      `    user${n}:\n        password: ${known}\n        displayname: User ${n}\n        email: user${n}@example.com\n        groups:\n            - dev\n`
    let text = 'users:\n'
    for (let n = 0; text.length < yamlBytes - 200; n++) text += entry(n)
    await writeFile(file, text)
    const yaml = startImport(env, ['authelia', file])
    expect([await yaml.ended, yaml.stderr()]).toEqual([0, ''])
    const rows = Array.from({ length: usersMost }, (_, n) => `user${n}@example.com,${known},dev ops,JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP`)
    await writeFile(file, ['email,password_hash,groups,totp', ...rows].join('\n'))
    const csv = startImport(env, ['csv', file])
    expect([await csv.ended, csv.stderr()]).toEqual([0, ''])
    expect(yaml.mostMemory()).toBeGreaterThan(20)
    expect(yaml.mostMemory()).toBeLessThan(1300)
    expect(csv.mostMemory()).toBeGreaterThan(20)
    expect(csv.mostMemory()).toBeLessThan(350)
  },
  600_000,
)

test('passwords with the costs that Authelia sets by default work', async () => {
  const server = await startServer()
  const file = join(import.meta.dirname, 'default-costs.yml')
  await importAuthelia({
    args: [file],
    options: new Map([['apply', '']]),
    config: server.config,
    database: { db: server.db, clock: { now: () => server.clock.at, ahead: () => 0, stop: () => {} }, close: async () => {}, migrated: [] },
    write: () => {},
    data: () => {},
  })
  const users = await server.db.selectFrom('users').select(['userIdent', 'userPassword']).execute()
  const names = users.flatMap(({ userIdent, userPassword }) => (userPassword === null ? [] : [userIdent.split('@')[0] ?? '']))
  expect(names).toHaveLength(13)
  for (const name of names) await server.openBrowser().enter({ username: `${name}@example.com`, password: `the old password of ${name} é` })
}, 300_000)
