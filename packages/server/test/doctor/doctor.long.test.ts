import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { routes } from '@gatehouse/wire'
import { expect, inject, test } from 'vitest'
import { seconds } from '../../src/limits.ts'
import { bindingOf, codeAt, openClient, otp, outcomeOf, signIn, tokenOf } from '../credentials/deployment.ts'
import { startSmtpSink } from '../mail/smtp-sink.ts'
import { makeCertificate } from '../support/certificate.ts'
import { freePort } from '../support/free-port.ts'
import { admin, runDoctor, startInstallation } from './run-doctor.ts'

const onPostgres = inject('postgres') !== ''

/** Shifts a process's clock by `ms` milliseconds. */
const shifted = (ms: number) => ({ NODE_OPTIONS: `--import=data:text/javascript,Date.now=(n=>()=>n()+${ms})(Date.now)` })

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

test('doctor checks a production server behind an HTTPS proxy and how many days the proxy’s certificate remains valid', async context => {
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
