import { accountRoutes, routes } from '@gatehouse/wire'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { migrationsFor } from '../../src/db/migrations.ts'
import { countCode } from '../../src/factors/failed-codes.store.ts'
import { minutes } from '../../src/limits.ts'
import * as lockout from '../../src/sign-in/lockout.store.ts'
import { bindingOf, codeAt, deploymentOf, mailedLink, otp, outcomeOf, signIn, tokenOf } from '../credentials/deployment.ts'
import { makeInstallation, runCli, runUnread, startProcess } from './processes.ts'

const withUser = async () => {
  const { env, inDatabase } = await makeInstallation()
  const added = await runCli(env, ['user', 'add', ' Ada@Example.com '], 'correct horse battery\n')
  expect(added).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Added ada@example\.com \(id [0-9a-f-]{36}\)\.\n$/) })
  return { env, db: inDatabase }
}

test('user add reads the password from standard input and refuses it as an argument', async () => {
  const { env, db } = await withUser()
  const account = await db(one => one.selectFrom('users').selectAll().executeTakeFirstOrThrow())
  expect(account.userPassword).toMatch(/^\$argon2id\$/)
  expect(await runCli(env, ['user', 'add', 'grace@example.com', 'another long password'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Usage'),
  })
})

test('refuses impossible commands with a message and changes nothing', async () => {
  const { env, db } = await withUser()
  const refusals: [string[], string, string][] = [
    [['user', 'add', 'ada@example.com'], 'long enough password', 'A user ada@example.com already exists.'],
    [['user', 'add', 'grace'], 'long enough password', '"grace" is not an email address.'],
    [['user', 'add', 'grace@example.com'], 'too short', 'The password needs at least 15 characters. This one has 9.'],
    [['user', 'add', 'grace@example.com'], 'password1234567', 'The password is too common.'],
    [['user', 'add', 'grace@example.com'], '', 'The password needs at least 15 characters. This one has 0.'],
    [['user', 'delete', 'grace@example.com'], '', 'No user grace@example.com exists.'],
    [['user', 'unlock', 'grace@example.com'], '', 'No user grace@example.com exists.'],
    [['user', 'reset-factor', 'grace@example.com'], '', 'No user grace@example.com exists.'],
    [['migrate', 'now'], '', 'Usage'],
    [['doctor', 'https://grafana.example.com', 'more'], '', 'Usage'],
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

test('list, unlock, force-reset and delete work', async () => {
  const { env, db } = await withUser()
  const run = async (...args: string[]) => (await runCli(env, ['user', ...args])).stdout.trim()
  const counter = { failedLoginUserIdent: 'ada@example.com', failedLoginBrowser: '' }
  await db(async one => {
    for (let i = 0; i < 10; i++) await lockout.countAttempt(one, { ident: 'ada@example.com', blind: '' }, undefined, Date.now())
  })
  expect(await run('list')).toMatch(/^[0-9a-f-]{36} {2}ada@example\.com {2}locked until \d{4}-/)
  await db(one =>
    one
      .insertInto('failed_logins')
      .values({
        ...counter,
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
  expect(await run('list')).toContain('No users yet.')
  const events = await db(one => one.selectFrom('audit').select(['auditEvent', 'auditActor']).orderBy('auditAt').execute())
  expect(events.map(row => `${row.auditEvent} by ${row.auditActor}`)).toEqual([
    'user-added by cli',
    'user-unlocked by cli',
    'user-forced-reset by cli',
    'user-deleted by cli',
  ])
  expect(await db(one => one.selectFrom('emails').selectAll().execute())).toEqual([])
})

test('list shows a locked or disabled second factor, and unlock reactivates it', async () => {
  const { env, db } = await withUser()
  const run = async (...args: string[]) => (await runCli(env, ['user', ...args])).stdout.trim()
  const { userId } = await db(one => one.selectFrom('users').select('userId').executeTakeFirstOrThrow())
  const tryCodes = (count: number, now: number) =>
    db(async one => {
      for (let i = 0; i < count; i++) await countCode(one, userId, now)
    })
  await tryCodes(4, Date.now())
  expect(await run('list')).toMatch(/ada@example\.com$/)
  await tryCodes(1, Date.now() - minutes(20))
  expect(await run('list')).toMatch(/ada@example\.com$/)
  await tryCodes(5, Date.now())
  expect(await run('list')).toMatch(/ada@example\.com {2}second factor locked until \d{4}-\S+Z$/)
  await db(one => one.updateTable('failed_codes').set({ failedCodeAttempts: 100 }).execute())
  expect(await run('list')).toMatch(/ada@example\.com {2}second factor disabled$/)
  expect(await run('unlock', 'ada@example.com')).toBe('Unlocked ada@example.com.')
  expect(await run('list')).toMatch(/ada@example\.com$/)
  expect(await db(one => one.selectFrom('failed_codes').selectAll().execute())).toEqual([])
})

test('user reset-factor sends no mail for a user without a second factor', async () => {
  const { env, db } = await withUser()
  const reset = await runCli({ ...env, GATEHOUSE_SECOND_FACTOR: 'required' }, ['user', 'reset-factor', 'ada@example.com'])
  expect(reset).toEqual({
    code: 0,
    stdout: 'ada@example.com had no second factor. The user was signed out everywhere.\nThe next sign-in asks to set one up.\n',
    stderr: '',
  })
  expect(await db(one => one.selectFrom('outbox').selectAll().execute())).toEqual([])
})

test('--json prints data that programs can read, and nothing else', async () => {
  const { env, db } = await withUser()
  const json = async (...args: string[]) => JSON.parse((await runCli(env, [...args, '--json'], 'correct horse battery\n')).stdout)
  const { userId } = await db(one => one.selectFrom('users').select('userId').executeTakeFirstOrThrow())
  const unlocked = {
    id: userId,
    address: 'ada@example.com',
    mustResetPassword: false,
    passwordLockedUntil: null,
    secondFactorLockedUntil: null,
  }
  expect(await json('user', 'list')).toEqual([unlocked])
  await db(async one => {
    for (let i = 0; i < 5; i++) await countCode(one, userId, Date.now())
    for (let i = 0; i < 10; i++) await lockout.countAttempt(one, { ident: 'ada@example.com', blind: '' }, undefined, Date.now())
  })
  const instant = expect.stringMatching(/^\d{4}-\S+Z$/)
  expect(await json('user', 'list')).toEqual([{ ...unlocked, passwordLockedUntil: instant, secondFactorLockedUntil: instant }])
  expect(await json('user', 'add', 'grace@example.com')).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    address: 'grace@example.com',
  })
  expect(await json('migrate')).toEqual({ migrated: [] })
  expect(await json('version')).toMatchObject({ gatehouse: expect.stringMatching(/^\d+\.\d+\.\d+$/), node: process.versions.node })
  expect(await json('doctor')).toContainEqual({ level: 'ok', about: 'database', says: 'The tables are up to date.' })
})

test('ends quietly when the reader of a pipe closes it', async () => {
  const { env } = await makeInstallation()
  for (const args of [['--help'], ['user', 'list'], ['user', 'list', '--json']])
    expect([args, await runUnread(env, args)]).toEqual([args, { code: 141, stderr: '' }])
})

test('--help lists the commands', async () => {
  const { env } = await makeInstallation()
  expect(await runCli(env, ['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('user force-reset ADDRESS'), stderr: '' })
})

test('user add accepts a password of eight characters where a second factor is required', async () => {
  const { env } = await makeInstallation()
  const add = (policy: string) => runCli({ ...env, GATEHOUSE_SECOND_FACTOR: policy }, ['user', 'add', 'ada@example.com'], 'vqxwzjkp\n')
  expect(await add('skippable')).toMatchObject({ code: 1, stderr: 'The password needs at least 15 characters. This one has 8.\n' })
  expect(await add('required')).toMatchObject({ code: 0, stderr: '' })
})

const ada = { username: 'ada@example.com', password: 'correct horse battery' }

/** Ada is signed in, with a second factor, recovery codes, two wrong codes, mailed links of two kinds and a ticket. */
const withEverything = async () => {
  const installation = await makeInstallation()
  const env = { ...installation.env, GATEHOUSE_SECOND_FACTOR: 'required' }
  const deployment = await deploymentOf([await startProcess(env).ready], installation)
  const userId = await deployment.addUser(ada)
  const client = deployment.open()
  const { factorUUID, secret } = bindingOf(await signIn(client, ada))
  const token = tokenOf(outcomeOf(await client.post(routes.setupOTP.path, otp(ada, await codeAt(secret, Date.now()), factorUUID))))
  expect((await client.post(routes.plowlogin.path, token)).status).toBe(200)
  expect((await client.post(accountRoutes.userRecoveryCodes.path, {})).status).toBe(200)
  for (const code of [1, 2]) await deployment.open().post(routes.verifyOTP.path, otp(ada, code))
  await client.post(routes.magiclinkSend.path, [{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }])
  const oneTime = await mailedLink(deployment, ada.username, 'one-time-link')
  const withTicket = deployment.open()
  expect(outcomeOf(await withTicket.post(routes.magiclinkRedeem.path, oneTime)).tag).toBe('AuthRequires2FA')
  await client.post(routes.sendPasswordResetEmail.path, { useremail: ada.username })
  const reset = await mailedLink(deployment, ada.username, 'new-password')
  const stateOf = async (kind: string) => Object((await client.post(routes.mailLinkLook.path, { kind, ...reset })).body).state
  expect(await stateOf('PasswordReset')).toBe('Good')
  const isSignedIn = async () => (await client.get('/account')).status === 200
  expect(await isSignedIn()).toBe(true)
  return { ...installation, env, deployment, userId, client, secret, withTicket, stateOf, isSignedIn }
}

test('DP-01: user reset-factor removes all second factors, ends sessions, tickets and links, and notifies the user', async () => {
  const { env, deployment, userId, inDatabase, secret, withTicket, stateOf, isSignedIn } = await withEverything()
  const before = (await deployment.mails()).length
  const { code, stdout, stderr } = await runCli(env, ['user', 'reset-factor', 'Ada@example.com'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toBe(
    'Removed all second factors of ada@example.com. The user was signed out everywhere and is notified by email.\nThe next sign-in asks to set up a new one.\n',
  )
  expect(await isSignedIn()).toBe(false)
  expect(await stateOf('PasswordReset')).toBe('Expired')
  const byTicket = await withTicket.post(
    routes.verifyOTP.path,
    otp({ username: '', password: '' }, await codeAt(secret, Date.now() + 30_000)),
  )
  expect([byTicket.status, Object(byTicket.body).tag]).not.toEqual([200, 'AuthSuccessful'])
  const left = await inDatabase(async db => ({
    factors: await db.selectFrom('factors').selectAll().where('factorIdentity', '=', userId).execute(),
    recoveryCodes: await db.selectFrom('recovery_codes').selectAll().execute(),
    failedCodes: await db.selectFrom('failed_codes').selectAll().execute(),
    tickets: await db.selectFrom('tickets').selectAll().execute(),
    audit: await db
      .selectFrom('audit')
      .select(['auditActor', 'auditTarget', 'auditResult'])
      .where('auditEvent', '=', 'factor-removed')
      .execute(),
  }))
  expect(left).toEqual({
    factors: [],
    recoveryCodes: [],
    failedCodes: [],
    tickets: [],
    audit: [{ auditActor: 'cli', auditTarget: userId, auditResult: 'successful' }],
  })
  await expect.poll(async () => (await deployment.mails()).length, { timeout: 10_000 }).toBe(before + 1)
  const [notice] = await deployment.mails()
  expect(notice).toMatchObject({ to: ada.username, subject: expect.stringContaining('Second factor removed') })
  expect(notice?.text).not.toMatch(/#[\w-]+\.[\w-]+/)
  expect((await signIn(deployment.open(), ada)).tag).toBe('AuthRequiresFactorCreation')
})

test('user force-reset invalidates mailed links and tickets', async () => {
  const { env, inDatabase, stateOf, isSignedIn } = await withEverything()
  const { stdout } = await runCli(env, ['user', 'force-reset', ada.username])
  expect(stdout).toBe('ada@example.com was signed out everywhere and must reset the password.\n')
  expect([await isSignedIn(), await stateOf('PasswordReset')]).toEqual([false, 'Expired'])
  expect(await inDatabase(db => db.selectFrom('tickets').selectAll().execute())).toEqual([])
})

test('user delete leaves only the audit log', async () => {
  const { env, inDatabase, stateOf, isSignedIn } = await withEverything()
  expect(await runCli(env, ['user', 'delete', ada.username])).toMatchObject({ code: 0, stdout: 'Deleted ada@example.com.\n' })
  expect([await isSignedIn(), await stateOf('PasswordReset')]).toEqual([false, 'Unknown'])
  const tables = [
    'sessions',
    'tickets',
    'mail_links',
    'factors',
    'totp_bindings',
    'recovery_codes',
    'failed_codes',
    'challenges',
    'hand_overs',
    'notices',
  ] as const
  for (const table of tables)
    expect([table, await inDatabase(db => db.selectFrom(table).select(sql`1`.as('one')).execute())]).toEqual([table, []])
})

test('RX-9: migrate reports what it did, is idempotent, and can run twice concurrently', async () => {
  const { env } = await makeInstallation({ withoutTables: true })
  if (inject('postgres') === '') {
    const both = await Promise.all([runCli(env, ['migrate']), runCli(env, ['migrate'])])
    expect(both.map(one => one.code)).toEqual([0, 0])
    expect(both.map(one => one.stdout).sort()).toEqual([
      `${Object.keys(migrationsFor('sqlite'))
        .map(name => `Ran ${name}.\n`)
        .join('')}The tables are up to date.\n`,
      'The tables are already up to date.\n',
    ])
  }
  expect(await runCli(env, ['migrate'])).toEqual({ code: 0, stdout: 'The tables are already up to date.\n', stderr: '' })
})

test('RX-9: commands and the server refuse a newer database with one clear message', async () => {
  const { env, inDatabase } = await makeInstallation()
  await inDatabase(db => sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2999-01-01T00:00:00Z')`.execute(db))
  const sentence =
    /The database \S+ was made by a newer version of Gatehouse \(it has 9999-later\)\. Start that version, or restore a backup from before it\.\n$/
  for (const args of [['migrate'], ['user', 'list'], ['rotate-key']])
    expect(await runCli(env, args)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(sentence) })
  const server = startProcess(env)
  expect(await server.ended).toBe(1)
  expect(server.output.stderr).toMatch(new RegExp(`^Gatehouse cannot start:\n {2}${sentence.source}`))
  expect(server.output.stderr).not.toContain('gatehouse:gatehouse')
})
