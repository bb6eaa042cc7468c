import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { join } from 'node:path'
import { routes } from '@gatehouse/wire'
import { expect, inject, onTestFinished, test } from 'vitest'
import { addMasterKey, readMasterKeys } from '../../src/config/master-key.ts'
import { spaceFinding } from '../../src/doctor/database.ts'
import { certificateFinding } from '../../src/doctor/public-url.ts'
import { createKeyring } from '../../src/keys/keyring.ts'
import { days, hours, seconds } from '../../src/limits.ts'
import { createMail } from '../../src/mail/mail.ts'
import { bindingOf, codeAt, openClient, otp, outcomeOf, signIn, tokenOf } from '../credentials/deployment.ts'
import { startSmtpSink } from '../mail/smtp-sink.ts'
import { makeInstallation } from '../processes/processes.ts'
import { makeCertificate } from '../support/certificate.ts'
import { freePort } from '../support/free-port.ts'
import { admin, runDoctor, startInstallation } from './run-doctor.ts'

const onPostgres = inject('postgres') !== ''

/** Shifts a process's clock by this much. */
const shifted = (ms: number) => ({ NODE_OPTIONS: `--import=data:text/javascript,Date.now=(n=>()=>n()+${ms})(Date.now)` })

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
    ['configuration', 'problem: GATEHOUSE_SECOND_FACTOR must be skippable, required or off.'],
  ])
})

test('doctor changes nothing: it creates no database and reports a server that is not running', async () => {
  const { env } = await makeInstallation()
  const { code, of } = await runDoctor(env)
  expect(code).toBe(1)
  expect(of('public URL')).toEqual([
    expect.stringMatching(/^problem: http:\/\/localhost:\d+\/ cannot be reached from here: .*ECONNREFUSED/),
  ])
  if (onPostgres) return
  expect(of('database')).toEqual([expect.stringMatching(/^warning: .*gatehouse\.sqlite does not exist yet\./)])
  expect(existsSync(join(env.GATEHOUSE_DATA_DIR ?? '', 'gatehouse.sqlite'))).toBe(false)
})

test('doctor reports a mail server that accepts or refuses the login, is unreachable or offers no TLS', async () => {
  const { env } = await startInstallation()
  const password = 'a-mail-password'
  const sink = await startSmtpSink({ user: 'gatehouse', password })
  const to = (login: string, query = '') => ({ ...env, GATEHOUSE_SMTP_URL: `smtp://${login}127.0.0.1:${sink.port}${query}` })
  const works = await runDoctor(to(`gatehouse:${password}@`))
  expect(works.of('mail')[0]).toMatch(/^warning: 127\.0\.0\.1:\d+ accepts the login, without TLS\./)
  expect(works.code).toBe(0)
  const refuses = await runDoctor(to('gatehouse:another-password@'))
  expect(refuses.of('mail')[0]).toMatch(/^problem: .* it rejects the user name or password in GATEHOUSE_SMTP_URL \(535\)\./)
  expect(refuses.code).toBe(1)
  const noTls = await runDoctor(to(`gatehouse:${password}@`, '?tls=required'))
  expect(noTls.of('mail')[0]).toMatch(/^problem: .* TLS/)
  await sink.stop()
  const away = await runDoctor(to(`gatehouse:${password}@`))
  expect(away.of('mail')[0]).toMatch(/^problem: .* does not accept mail: .*ECONNREFUSED/)
  expect(sink.mails).toEqual([])
  for (const { stdout } of [works, refuses, noTls, away]) expect(stdout).not.toMatch(/a-mail-password|another-password/)
})

test('TL-01: doctor reports mail over TLS and a certificate that is not trusted', async context => {
  const { env } = await startInstallation()
  const certificate = makeCertificate(2)
  if (!certificate) return context.skip('there is no openssl here')
  const sink = await startSmtpSink({ tls: certificate })
  for (const query of ['', '?tls=required']) {
    const to = { ...env, GATEHOUSE_SMTP_URL: sink.url + query }
    expect((await runDoctor({ ...to, NODE_EXTRA_CA_CERTS: certificate.certFile })).of('mail')[0]).toMatch(
      /^ok: .* accepts mail without a login, over TLS\.$/,
    )
    expect((await runDoctor(to)).of('mail')[0]).toMatch(/^problem: .* does not accept mail: .*certificate/)
  }
})

test('doctor names the cause when smtp:// and smtps:// are mixed up, and the variable for a private certificate authority', async context => {
  const certificate = makeCertificate(2)
  if (!certificate) return context.skip('there is no openssl here')
  const { env } = await startInstallation()
  const plain = await startSmtpSink({ tls: certificate })
  const secure = await startSmtpSink({ tls: certificate, fromTheStart: true })
  const at = async (url: string) =>
    (await runDoctor({ ...env, GATEHOUSE_SMTP_URL: url, GATEHOUSE_MAIL_FROM: 'a@example.com' })).of('mail')[0]
  expect(await at(`smtps://127.0.0.1:${plain.port}`)).toContain('use smtp:// (STARTTLS) instead of smtps://')
  expect(await at(`smtp://127.0.0.1:${secure.port}`)).toContain('use smtps:// instead of smtp://')
  for (const url of [`smtp://127.0.0.1:${plain.port}?tls=required`, `smtps://127.0.0.1:${secure.port}`])
    expect(await at(url)).toContain('NODE_EXTRA_CA_CERTS')
})

test('doctor reports waiting mail and since when it waits', async () => {
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
  const mail = createMail({ keyring, now: () => before, administrators: [] })
  await inDatabase(db => mail.queueRequest(db, { request: 'PasswordReset', ident: admin.username }))
  expect((await runDoctor(env)).of('mail')[1]).toBe(
    `warning: 1 email waits in the outbox, the oldest since ${new Date(before).toISOString()}. Check that Gatehouse is running and that the mail server accepts mail.`,
  )
})

test.each([
  [-90, 'problem', 'ahead of'],
  [90, 'problem', 'behind'],
  [12, 'warning', 'behind'],
] as const)('RX-8: doctor measures a clock that is %i s off', async (off, level, words) => {
  const { env } = await startInstallation()
  const { code, of } = await runDoctor({ ...env, ...shifted(seconds(off)) })
  const whose = onPostgres ? 'the database' : 'the public URL'
  expect(of('clock')).toEqual([
    expect.stringMatching(new RegExp(`^${level}: The clock of ${whose} is [\\d.]+ s ${words} this machine's\\. Synchronize both with NTP`)),
  ])
  const [, told = ''] = /is ([\d.]+) s/.exec(of('clock')[0] ?? '') ?? []
  expect(Math.abs(Number(told) - Math.abs(off))).toBeLessThan(1.5)
  expect(code).toBe(level === 'problem' ? 1 : 0)
})

test.runIf(onPostgres)('RX-8: a server with a wrong clock logs it and judges codes and tokens by the database’s clock', async () => {
  const { url, server } = await startInstallation({ ...shifted(seconds(90)), GATEHOUSE_SECOND_FACTOR: 'required' })
  await expect.poll(() => server.output.stderr).toContain("the database's clock differs from this machine's")
  const [, told = ''] = /"seconds":(-?\d+)/.exec(server.output.stderr) ?? []
  expect(Math.abs(Number(told) + 90)).toBeLessThan(2)
  const client = openClient([url])
  const { factorUUID, secret } = bindingOf(await signIn(client, admin))
  const setUp = async (at: number) => outcomeOf(await client.post(routes.setupOTP.path, otp(admin, await codeAt(secret, at), factorUUID)))
  expect((await setUp(Date.now() + seconds(90))).tag).toBe('AuthFailureFactorError')
  const before = Date.now()
  const { authTokenExpires } = tokenOf(await setUp(before))
  expect(Math.abs(Date.parse(authTokenExpires ?? '') - before - seconds(60))).toBeLessThan(seconds(1.5))
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

test('doctor checks a production server behind an HTTPS proxy and the days left of its certificate', async context => {
  const port = await freePort()
  const listen = `127.0.0.1:${await freePort()}`
  const sink = await startSmtpSink()
  const { env, url } = await startInstallation({
    NODE_ENV: 'production',
    GATEHOUSE_MASTER_KEY: randomBytes(32).toString('base64'),
    GATEHOUSE_PUBLIC_URL: `https://127.0.0.1:${port}`,
    GATEHOUSE_SMTP_URL: sink.url,
    GATEHOUSE_LISTEN: listen,
  })
  expect(url).toBe(`https://127.0.0.1:${port}`)
  const target = `http://${listen}`
  for (const [left, words] of [
    [5, /^warning: The certificate expires in [45] days\. Renew it\./],
    [90, /^ok: The certificate expires in (89|90) days\./],
  ] as const) {
    const certificate = makeCertificate(left)
    if (!certificate) return context.skip('there is no openssl here')
    const proxy = createSecureServer(certificate, (from, to) => {
      const headers = { ...from.headers, 'x-forwarded-for': from.socket.remoteAddress }
      request(target + from.url, { headers }, answer => {
        to.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(to)
      }).end()
    })
    await once(proxy.listen(port, '127.0.0.1'), 'listening')
    const { code, of } = await runDoctor({ ...env, NODE_EXTRA_CA_CERTS: certificate.certFile })
    expect(of('public URL')).toEqual([`ok: Gatehouse answers at https://127.0.0.1:${port}/.`, expect.stringMatching(words)])
    expect(of('administrators')).toEqual([expect.stringMatching(/^warning: No administrator is configured/)])
    expect(of('second factor')).toEqual([expect.stringMatching(/^warning: .*A stolen password is enough/)])
    expect(of('master key')[0]).toBe('ok: The master key is in GATEHOUSE_MASTER_KEY.')
    expect(code).toBe(0)
    expect((await runDoctor(env)).of('public URL')).toEqual([
      expect.stringMatching(/^problem: .* cannot be reached from here: .*certificate/),
    ])
    await new Promise(resolve => proxy.close(resolve))
  }
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
    'warning: No user grace@example.com exists. Add the user: npm run cli -- user add grace@example.com',
  ])
})

test('doctor reports free disk space and the remaining days of a certificate', () => {
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
