import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { routes } from '@gatehouse/wire'
import { expect, inject, onTestFinished, test } from 'vitest'
import { addMasterKey, readMasterKeys } from '../../src/config/master-key.ts'
import { spaceFinding } from '../../src/doctor/database.ts'
import { certificateFinding } from '../../src/doctor/public-url.ts'
import { createKeyring } from '../../src/keys/keyring.ts'
import { days, hours } from '../../src/limits.ts'
import { createMail } from '../../src/mail/mail.ts'
import { createServerLanguages } from '../../src/texts/server-languages.ts'
import { bindingOf, codeAt, openClient, otp, outcomeOf, signIn, tokenOf } from '../credentials/deployment.ts'
import { makeInstallation } from '../processes/processes.ts'
import { freePort } from '../support/free-port.ts'
import { commandLine } from '../support/program.ts'
import { admin, runDoctor, startInstallation } from './run-doctor.ts'

const onPostgres = inject('postgres') !== ''

test('doctor reports a healthy installation without problems and prints no secret', async () => {
  const { env, folder } = await startInstallation()
  const { code, lines, stdout } = await runDoctor(env)
  expect(lines.filter(line => line.level !== 'ok')).toEqual([])
  expect(code).toBe(0)
  expect([...new Set(lines.map(line => line.about))].sort()).toEqual(
    [
      'administrators',
      'clock',
      'configuration',
      'database',
      'devices',
      'live updates',
      'mail',
      'master key',
      'passkeys',
      'public URL',
      'second factor',
      'single sign-on',
      'user address',
    ].sort(),
  )
  const keys = readMasterKeys({ text: undefined, file: join(folder, 'master.key'), own: undefined })
  for (const key of Array.isArray(keys) ? keys : []) expect(stdout).not.toContain(key.toString('base64').slice(0, 12))
  for (const secret of [admin.password, 'gatehouse:gatehouse']) expect(stdout).not.toContain(secret)
})

test('doctor reports every configuration problem at once and then stops', async () => {
  const { env } = await makeInstallation()
  const { code, lines } = await runDoctor({ ...env, GATEHOUSE_NOPE: '1', GATEHOUSE_SECOND_FACTOR: 'perhaps' })
  expect(code).toBe(1)
  expect(lines.map(line => [line.about, line.text])).toEqual([
    ['configuration', 'problem: GATEHOUSE_NOPE is not a Gatehouse variable.'],
    [
      'configuration',
      'problem: GATEHOUSE_SECOND_FACTOR must be skippable, required, phishing-resistant, phishing-resistant-administrators or off.',
    ],
  ])
})

test('doctor changes nothing: it creates no database and reports a server that is not running', async () => {
  const { env } = await makeInstallation({ withoutTables: true })
  const { code, of } = await runDoctor(env)
  expect(code).toBe(1)
  expect(of('public URL')).toEqual([
    expect.stringMatching(/^problem: http:\/\/localhost:\d+\/ cannot be reached from here: .*ECONNREFUSED/),
  ])
  if (onPostgres) return
  expect(of('database')).toEqual([expect.stringMatching(/^warning: .*gatehouse\.sqlite does not exist yet\./)])
  expect(existsSync(join(env.GATEHOUSE_DATA_DIR ?? '', 'gatehouse.sqlite'))).toBe(false)
})

test('doctor reports how many emails wait in the outbox, and since when', async () => {
  const { env, inDatabase, server, folder } = await startInstallation()
  expect((await runDoctor(env)).of('mail')).toEqual([
    expect.stringMatching(/^ok: No mail server is configured. Mail is kept in .*\/mail\.$/),
    'ok: The outbox is empty.',
  ])
  expect((await runDoctor({ ...env, GATEHOUSE_PUBLIC_URL: 'http://192.0.2.7' })).of('mail')[0]).toBe(
    `ok: No mail server is configured. Mail is kept in ${join(folder, 'mail')}.`,
  )
  server.child.kill('SIGTERM')
  await server.ended
  const before = Date.now() - hours(1)
  const keyring = createKeyring(() => {
    const keys = readMasterKeys({ text: undefined, file: join(folder, 'master.key'), own: undefined })
    return Array.isArray(keys) ? keys : []
  })
  const mail = createMail({ keyring, now: () => before, administrators: [], texts: createServerLanguages([], 'en') })
  await inDatabase(db => mail.queueRequest(db, { request: 'PasswordReset', ident: admin.username }))
  expect((await runDoctor(env)).of('mail')[1]).toBe(
    `warning: 1 email waits in the outbox, the oldest since ${new Date(before).toISOString()}. Check that Gatehouse is running and that the mail server accepts mail.`,
  )
})

test('RX-8: a server with a correct clock logs nothing about it', async () => {
  const { server } = await startInstallation()
  await new Promise(resolve => setTimeout(resolve, 200))
  expect(server.output.stderr).not.toContain('clock')
})

test('doctor reports that something else answers at the public URL', async () => {
  const { env } = await startInstallation()
  const other = createServer((_, response) => response.end('ok'))
  await once(other.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void other.close())
  const { port } = Object(other.address())
  const { code, of } = await runDoctor({ ...env, GATEHOUSE_PUBLIC_URL: `http://127.0.0.1:${port}/login` })
  expect(code).toBe(1)
  expect(of('public URL')[0]).toMatch(/^problem: Something other than Gatehouse answers at http:\/\/127\.0\.0\.1:\d+\/login\/ \(200\)/)
})

test('DP-01: doctor reports a key file that others can read', async () => {
  const { env, folder } = await startInstallation()
  const file = join(folder, 'master.key')
  await chmod(file, 0o640)
  const group = await runDoctor(env)
  expect([group.code, group.of('master key')[0]]).toEqual([0, expect.stringMatching(/^warning: The group of .*master\.key can read it/)])
  await chmod(file, 0o644)
  const others = await runDoctor(env)
  expect([others.code, others.of('master key')[0]]).toEqual([
    1,
    `problem: Every user of this machine can read ${file}. Restrict it: chmod 600 ${file}`,
  ])
})

test('CR-02: doctor reports an interrupted key rotation and a missing key', async () => {
  const { env, folder, url, server } = await startInstallation({ GATEHOUSE_SECOND_FACTOR: 'required' })
  const client = openClient([url])
  const { factorUUID, secret } = bindingOf(await signIn(client, admin))
  tokenOf(outcomeOf(await client.post(routes.setupOTP.path, otp(admin, await codeAt(secret, Date.now()), factorUUID))))
  server.child.kill('SIGTERM')
  await server.ended
  addMasterKey(join(folder, 'master.key'))
  expect((await runDoctor(env)).of('master key')[1]).toMatch(/^warning: \d secrets and emails are encrypted with an old master key\./)
  await writeFile(join(folder, 'master.key'), randomBytes(32).toString('base64'))
  const gone = await runDoctor(env)
  expect([gone.code, gone.of('master key')[1]]).toEqual([
    1,
    expect.stringMatching(/^problem: \d secrets and emails are encrypted with a master key that is missing here/),
  ])
})

test('doctor reports configured administrators without an account', async () => {
  const { env } = await startInstallation()
  expect((await runDoctor({ ...env, GATEHOUSE_ADMINS: 'admin@example.com,grace@example.com' })).of('administrators')).toEqual([
    'ok: admin@example.com is a user.',
    `warning: No user grace@example.com exists. Add the user: ${commandLine} user add grace@example.com`,
  ])
})

test('doctor warns of a nearly full disk and of a certificate that expires soon', () => {
  const megabyte = 1024 ** 2
  expect([50, 500, 5000].map(n => spaceFinding(n * megabyte, '/data').level)).toEqual(['problem', 'warning', 'ok'])
  expect([days(13), days(15), Number.NaN].map(left => certificateFinding(left).level)).toEqual(['warning', 'ok', 'warning'])
})

test('doctor checks the servers for push notifications, which are optional', async () => {
  const { env } = await makeInstallation()
  const ntfy = createServer((request, response) => response.writeHead(request.url === '/v1/health' ? 200 : 404).end())
  await once(ntfy.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void ntfy.close())
  const address = ntfy.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const dead = `http://127.0.0.1:${await freePort()}`
  const { of, stdout } = await runDoctor({
    ...env,
    GATEHOUSE_NTFY_URL: url,
    GATEHOUSE_GOTIFY_URL: dead,
    GATEHOUSE_GOTIFY_TOKEN: 'some-token',
  })
  expect(of('devices').slice(0, 2)).toEqual([
    `ok: ntfy answers at ${url}.`,
    expect.stringMatching(/^warning: Gotify cannot be reached at .* Users who open the approver still see pending requests\.$/),
  ])
  expect(stdout).not.toContain('some-token')
})
