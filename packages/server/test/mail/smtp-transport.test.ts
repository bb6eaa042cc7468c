import { routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { seconds } from '../../src/limits.ts'
import { openClient, startInProcess } from '../credentials/deployment.ts'
import { makeInstallation, startProcess } from '../processes/processes.ts'
import { makeCertificate } from '../support/certificate.ts'
import { ada, startServer } from '../support/harness.ts'
import { admin, askForReset, notifyAll, startWithSink } from './server-with-sink.ts'
import { startSmtpSink } from './smtp-sink.ts'

test.each([
  ['https://sign-in.example.com/gatehouse', 'sign-in.example.com'],
  ['http://192.0.2.7:8080', '[192.0.2.7]'],
  ['http://[2001:db8::7]:8080', '[IPv6:2001:db8::7]'],
])('a server at %s introduces itself to the mail server as %s', async (publicUrl, greeting) => {
  const sink = await startSmtpSink()
  const deployment = await startInProcess({
    GATEHOUSE_SMTP_URL: sink.url,
    GATEHOUSE_PUBLIC_URL: publicUrl,
    GATEHOUSE_MAIL_FROM: 'a@example.com',
  })
  await notifyAll({ ...deployment, ...deployment.server }, [ada.username])
  await deployment.server.mailSender.round()
  expect(sink.heard).toContain(`EHLO ${greeting}\r\n`)
})

test('a mail has one recipient, the same link in text and HTML, and headers against automatic replies', async () => {
  const sink = await startSmtpSink()
  const server = await startServer({ env: { GATEHOUSE_SMTP_URL: sink.url, GATEHOUSE_MAIL_FROM: 'Acme Monitoring <sign-in@acme.example>' } })
  await server.addUser()
  await server.openBrowser().call(routes.sendPasswordResetEmail, { useremail: ada.username })
  await server.mailSender.round()
  const [mail, ...more] = sink.mails
  if (!mail || Array.isArray(mail.to)) throw new Error('expected a mail to one recipient')
  expect(more).toEqual([])
  expect([mail.from?.text, mail.to?.text, mail.cc, mail.bcc]).toEqual([
    '"Acme Monitoring" <sign-in@acme.example>',
    ada.username,
    undefined,
    undefined,
  ])
  expect(mail.messageId).toMatch(/^<[0-9a-f-]{36}@acme\.example>$/)
  expect(mail.subject).toContain('Acme Monitoring')
  expect(mail.date?.getTime()).toBe(server.clock.at)
  expect([mail.headers.get('auto-submitted'), mail.headers.get('x-auto-response-suppress')]).toEqual(['auto-generated', 'All'])
  expect(mail.headers.get('content-type')).toMatchObject({ value: 'multipart/alternative' })
  expect(mail.attachments).toEqual([])
  const [link = 'none'] = /http:\S+\/new-password#[\w-]{22}\.[\w-]{43}/.exec(mail.text ?? '') ?? []
  expect(mail.html).toContain(`href="${link}"`)
})

test.each([
  ['offers no STARTTLS', false, '?tls=required'],
  ['has an untrusted certificate', true, '?tls=required'],
  ['has an untrusted certificate, with the default for TLS', true, ''],
  ['has an untrusted certificate, with optional TLS', true, '?tls=optional'],
] as const)('TL-01: sends nothing in clear text to a mail server that %s; the mail waits', async (_, tls, query) => {
  const secret = 'a-mail-password'
  const sink = await startSmtpSink({ tls: tls ? (makeCertificate(2) ?? 'built-in') : 'none', user: 'gatehouse', password: secret })
  const deployment = await startWithSink({ url: `smtp://gatehouse:${secret}@127.0.0.1:${sink.port}${query}` })
  await deployment.open().post(...askForReset(ada.username))
  await deployment.mailSender.round()
  expect(sink.connections).toBe(1)
  expect(sink.mails).toEqual([])
  expect(await deployment.outbox()).toHaveLength(1)
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const never = ['MAIL', 'AUTH', ada.username, 'new-password', secret, base64(secret), base64(`\0gatehouse\0${secret}`)]
  for (const text of never) expect(sink.heard).not.toContain(text)
  expect(deployment.logged.join('')).not.toContain(secret)
})

test('TL-01: signs in to a mail server with a trusted certificate and sends mail encrypted', async context => {
  const { env, inDatabase } = await makeInstallation()
  const certificate = makeCertificate(2)
  if (!certificate) return context.skip('needs openssl')
  const sink = await startSmtpSink({ tls: certificate, user: 'gatehouse', password: 'a-mail-password' })
  const server = startProcess({
    ...env,
    GATEHOUSE_SMTP_URL: `smtp://gatehouse:a-mail-password@127.0.0.1:${sink.port}?tls=required`,
    GATEHOUSE_ADMIN_PASSWORD: admin.password,
    NODE_EXTRA_CA_CERTS: certificate.certFile,
  })
  await openClient([await server.ready]).post(...askForReset(admin.username))
  await expect.poll(() => sink.mails.length, { timeout: seconds(10) }).toBe(1)
  expect(sink.mails[0]?.text).toContain('/new-password#')
  for (const text of ['MAIL', 'AUTH', admin.username, 'new-password']) expect(sink.heard).not.toContain(text)
  await expect.poll(() => inDatabase(db => db.selectFrom('outbox').selectAll().execute())).toEqual([])
})
