import { expect, test } from 'vitest'
import * as lockout from '../src/lockout.ts'
import { makePlace, runCli } from './processes.ts'

const withUser = async () => {
  const { env, inDatabase } = await makePlace()
  const added = await runCli(env, ['user', 'add', ' Ada@Example.com '], 'correct horse battery\n')
  expect(added).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Added ada@example\.com \(id [0-9a-f-]{36}\)\.\n$/) })
  return { env, db: inDatabase }
}

test('user add takes the password from standard input and never as an argument', async () => {
  const { env, db } = await withUser()
  const account = await db(one => one.selectFrom('users').selectAll().executeTakeFirstOrThrow())
  expect(account.userPassword).toMatch(/^\$argon2id\$/)
  expect(await runCli(env, ['user', 'add', 'grace@example.com', 'another long password'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Usage'),
  })
})

test('what cannot be done is refused in words, and nothing changes', async () => {
  const { env, db } = await withUser()
  const refusals: [string[], string, string][] = [
    [['user', 'add', 'ada@example.com'], 'long enough password', 'There is a user ada@example.com already.'],
    [['user', 'add', 'grace'], 'long enough password', '"grace" is not an e-mail address.'],
    [['user', 'add', 'grace@example.com'], 'too short', 'The password must have at least 15 characters; this one has 9.'],
    [['user', 'add', 'grace@example.com'], '', 'The password must have at least 15 characters; this one has 0.'],
    [['user', 'delete', 'grace@example.com'], '', 'There is no user grace@example.com.'],
    [['user', 'unlock', 'grace@example.com'], '', 'There is no user grace@example.com.'],
    [['user', 'constructor', 'grace@example.com'], '', 'Usage'],
    [['token', 'list'], '', 'Usage'],
    [['user', 'list', 'ada@example.com'], '', 'Usage'],
    [['user', 'list', '--all'], '', "Unknown option '--all'"],
    [[], '', 'Usage'],
  ]
  for (const [args, input, words] of refusals) {
    expect([args, await runCli(env, args, `${input}\n`)]).toMatchObject([
      args,
      { code: 1, stdout: '', stderr: expect.stringContaining(words) },
    ])
  }
  expect(await db(one => one.selectFrom('users').select('userIdent').execute())).toEqual([{ userIdent: 'ada@example.com' }])
})

test('list, unlock, force-reset and delete do what they say', async () => {
  const { env, db } = await withUser()
  const run = async (...args: string[]) => (await runCli(env, ['user', ...args])).stdout.trim()
  const count = { failedLoginUserIdent: 'ada@example.com', failedLoginBrowser: '' }
  await db(async one => {
    for (let i = 0; i < 10; i++) await lockout.countTry(one, count, Date.now())
  })
  expect(await run('list')).toMatch(/^[0-9a-f-]{36} {2}ada@example\.com {2}locked until \d{4}-/)
  await db(one =>
    one
      .insertInto('failed_logins')
      .values({
        ...count,
        failedLoginBrowser: 'b',
        failedLoginAttempts: 100,
        failedLoginLockCreated: 1,
        failedLoginLockExpires: 2,
        failedLoginRefused: 0,
        failedLoginAllowed: 1,
      })
      .execute(),
  )
  expect(await run('list')).toMatch(/ada@example\.com {2}locked until reset$/)
  expect(await run('unlock', 'ada@example.com')).toBe('Unlocked ada@example.com.')
  expect(await run('list')).toMatch(/ada@example\.com$/)
  expect(await run('force-reset', 'ada@example.com')).toContain('must reset the password')
  expect(await run('list')).toMatch(/ada@example\.com {2}must reset the password$/)
  expect(await run('delete', 'ADA@example.com')).toBe('Deleted ada@example.com.')
  expect(await run('list')).toContain('There are no users yet.')
  const events = await db(one => one.selectFrom('audit').select(['auditEvent', 'auditActor']).orderBy('auditAt').execute())
  expect(events.map(row => `${row.auditEvent} by ${row.auditActor}`)).toEqual([
    'user-added by cli',
    'user-unlocked by cli',
    'user-forced-reset by cli',
    'user-deleted by cli',
  ])
  expect(await db(one => one.selectFrom('emails').selectAll().execute())).toEqual([])
})

test('--help says what there is', async () => {
  const { env } = await makePlace()
  expect(await runCli(env, ['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('user force-reset ADDRESS'), stderr: '' })
})
