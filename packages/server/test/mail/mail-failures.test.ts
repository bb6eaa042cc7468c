import { routes } from '@gatehouse/wire'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import type { OpenDatabase } from '../../src/db/open.ts'
import { createKeyring } from '../../src/keys/keyring.ts'
import { days, hours, minutes, seconds } from '../../src/limits.ts'
import { createMail } from '../../src/mail/mail.ts'
import * as outbox from '../../src/mail/outbox.store.ts'
import * as accounts from '../../src/users/users.store.ts'
import { enroll, openClient, outcomeOf, signIn, startInProcess, tokenOf } from '../credentials/deployment.ts'
import { makeInstallation, startProcess } from '../processes/processes.ts'
import { makeCertificate } from '../support/certificate.ts'
import { freePort } from '../support/free-port.ts'
import { ada, startServer } from '../support/harness.ts'
import { recipientOf, startSmtpSink } from './smtp-sink.ts'

const admin = { username: 'admin@example.com', password: 'a password for mail trouble' }
type Ask = (name: string) => [path: string, body: unknown]
const askForReset: Ask = useremail => [routes.sendPasswordResetEmail.path, { useremail }]
const askForLink: Ask = email => [routes.magiclinkSend.path, [{ email, redirect: { tag: 'RedirectDashboard' } }]]

/** A server in this process that sends by a mail server of the test's. */
const startWithSink = async (sink: { url: string }) => {
  const deployment = await startInProcess({ GATEHOUSE_SMTP_URL: sink.url })
  await deployment.addUser(ada)
  const outbox = () => deployment.server.db.selectFrom('outbox').selectAll().orderBy('mailId').execute()
  return { ...deployment, ...deployment.server, outbox }
}

test('RX-6: while the mail server is down a mail waits, longer each time, and when it is back goes out once, as the one it always was', async () => {
  const sink = await startSmtpSink()
  const deployment = await startWithSink(sink)
  await sink.stop()
  // Whose notice it is has signed in meanwhile, and asked for more.
  await enroll(deployment, ada)
  const [mail] = await deployment.outbox()
  expect(await deployment.outbox()).toHaveLength(1)
  for (const wait of [5, 15, 45, 135, 405, 900, 900, 900].map(seconds)) {
    await deployment.mailSender.round()
    expect(await deployment.outbox()).toMatchObject([{ mailId: mail?.mailId, mailNext: deployment.clock.at + wait }])
    deployment.clock.advance(wait - 1)
    await deployment.mailSender.round()
    expect(await deployment.outbox()).toMatchObject([{ mailNext: deployment.clock.at + 1 }])
    deployment.clock.advance(1)
  }
  await sink.start()
  await deployment.mailSender.round()
  await deployment.mailSender.round()
  expect(sink.mails.map(({ messageId, subject }) => [messageId, subject])).toEqual([
    [`<${mail?.mailId}@localhost>`, expect.stringContaining('second factor')],
  ])
  expect(sink.mails[0]?.date?.getTime()).toBe(mail?.mailCreated)
  expect(await deployment.outbox()).toEqual([])
  expect(deployment.logged.join('')).not.toContain(ada.username)
})

test.each(['is-silent', 'drops', 'swallows', 451] as const)(
  'RX-6: whatever the mail server does (%s), no answer changes, no sign-in waits and no mail is lost',
  async behavior => {
    const sink = await startSmtpSink()
    const deployment = await startWithSink(sink)
    sink.behavior = behavior
    const asked = await Promise.all([ada.username, 'nobody@example.com'].map(name => deployment.open().post(...askForReset(name))))
    expect(asked).toMatchObject([
      { status: 200, body: {} },
      { status: 200, body: {} },
    ])
    const round = deployment.mailSender.round()
    await expect.poll(() => sink.connections).toBe(1)
    // With a mail under way that may never end, everything else goes on.
    const { client, token } = await enroll(deployment, ada)
    expect((await client.post(routes.plowlogin.path, token)).status).toBe(200)
    expect((await client.get('/account')).status).toBe(200)
    expect(outcomeOf(await deployment.open().post(...askForReset(ada.username)))).toEqual({})
    await sink.stop()
    await round

    const swallowed = sink.mails.map(mail => mail.messageId)
    sink.mails.length = 0
    sink.behavior = 'takes'
    await sink.start()
    deployment.clock.advance(minutes(3))
    await deployment.mailSender.round()
    const kinds = sink.mails.map(mail => (mail.text?.includes('/new-password#') ? 'reset' : mail.subject)).sort()
    expect(kinds).toEqual(['A second factor was added · Gatehouse', 'reset', 'reset'])
    expect(sink.mails.map(mail => mail.messageId)).toEqual(expect.arrayContaining(swallowed))
    expect(new Set(sink.mails.map(mail => mail.messageId)).size).toBe(sink.mails.length)
    expect(await deployment.outbox()).toEqual([])
  },
)

test('RX-6: what piled up while the mail server was down for 20 minutes goes out when it is back, each mail once', async () => {
  const sink = await startSmtpSink()
  const deployment = await startWithSink(sink)
  const names = Array.from({ length: 60 }, (_, n) => `user${n}@example.com`)
  for (const userIdent of names)
    await accounts.addAccount(deployment.db, { userIdent, userPassword: null, userTZLabel: 'UTC', now: deployment.clock.at })
  await deployment.db.updateTable('users').set({ userPassword: 'some hash' }).execute()
  await sink.stop()
  for (const name of names) expect((await deployment.open().post(...askForReset(name))).status).toBe(200)
  for (let minute = 0; minute < 20; minute++) {
    await deployment.mailSender.round()
    deployment.clock.advance(minutes(1))
  }
  expect(await deployment.outbox()).toHaveLength(60)
  await sink.start()
  deployment.clock.advance(minutes(5))
  // Several carry the outbox away at once, as several servers do.
  await Promise.all(Array.from({ length: 6 }, () => deployment.mailSender.round()))
  expect(sink.mails.map(recipientOf).sort()).toEqual([...names].sort())
  expect(new Set(sink.mails.map(mail => mail.messageId)).size).toBe(60)
})

/** Has the database fail to delete mails. @returns takes that away */
const refuseDeletes = async (db: OpenDatabase['db']) => {
  if (inject('postgres') === '') {
    await sql`create trigger keep before delete on outbox begin select raise(abort, 'planted fault'); end`.execute(db)
    return () => sql`drop trigger keep`.execute(db)
  }
  await sql`create function keep() returns trigger language plpgsql as $$ begin raise exception 'planted fault'; end $$`.execute(db)
  await sql`create trigger keep before delete on outbox for each row execute function keep()`.execute(db)
  return () => sql`drop trigger keep on outbox`.execute(db)
}

/** Queues a notice for each address. */
const notifyAll = async (
  deployment: Pick<Awaited<ReturnType<typeof startWithSink>>, 'config' | 'clock' | 'db'>,
  addresses: readonly string[],
) => {
  const mail = createMail({ keyring: createKeyring(deployment.config.masterKeys), now: () => deployment.clock.at, administrators: [] })
  for (const userIdent of addresses) {
    const reader = { userId: 'x', userIdent, userTZLabel: 'UTC' }
    await mail.notify(deployment.db, reader, { kind: 'factor-added' }, { address: '', userAgent: '' })
  }
}

test.each([
  ['one recipient', ['slow@example.com']],
  ['every recipient of one domain', Array.from({ length: 30 }, (_, n) => `slow${n}@slow.example`)],
  ['five recipients of five domains', Array.from({ length: 5 }, (_, n) => `slow@slow${n}.example`)],
] as const)('RX-18: mail to others is not delayed while the mail server does not answer for %s', async (_, slow) => {
  const sink = await startSmtpSink()
  const deployment = await startWithSink(sink)
  for (const address of slow) sink.tarPits.add(address)
  const others = Array.from({ length: 40 }, (_, n) => `user${n}@example.com`)
  await notifyAll(deployment, [...slow, ...others])
  deployment.mailSender.start()
  onTestFinished(() => deployment.mailSender.stop())
  await expect.poll(() => sink.mails.length, { timeout: seconds(8) }).toBe(40)
  expect(new Set(sink.mails.map(recipientOf))).toEqual(new Set(others))
  // What comes while they still hang is sent at once.
  await notifyAll(deployment, ['late@example.com'])
  await expect.poll(() => sink.mails.length, { timeout: seconds(3) }).toBe(41)
  // None of the slow recipients was given up, and waiting for a slot is not an attempt.
  // A mail that the mail server has taken is deleted right after.
  await expect.poll(async () => (await deployment.outbox()).length).toBe(slow.length)
  const waiting = await deployment.outbox()
  expect(Math.max(...waiting.map(mail => mail.mailAttempts))).toBe(1)
  expect(waiting.every(mail => mail.mailNext > deployment.clock.at)).toBe(true)
})

test('RX-17: a server that stops aborts the mail under way and leaves every mail in the outbox, due at once', async () => {
  const sink = await startSmtpSink()
  const deployment = await startWithSink(sink)
  sink.tarPits.add(ada.username)
  await notifyAll(deployment, [...Array<string>(4).fill(ada.username), ...Array.from({ length: 6 }, (_, n) => `user${n}@example.com`)])
  for (let n = 0; n < 6; n++) sink.tarPits.add(`user${n}@example.com`)
  const round = deployment.mailSender.round()
  await expect.poll(() => sink.connections).toBeGreaterThan(3)
  const begun = performance.now()
  await deployment.mailSender.stop()
  await round
  expect(performance.now() - begun).toBeLessThan(seconds(1))
  const waiting = await deployment.outbox()
  expect(waiting.map(({ mailNext, mailAttempts }) => [mailNext, mailAttempts])).toEqual(Array(10).fill([deployment.clock.at, 0]))
})

test('RX-19: a recipient that the mail server refuses for good is tried once, and administrators see it for a week', async () => {
  const sink = await startSmtpSink()
  const deployment = await startWithSink(sink)
  const userId = (await deployment.db.selectFrom('users').select('userId').executeTakeFirstOrThrow()).userId
  sink.refusals.set(ada.username, 550)
  await deployment.open().post(...askForReset(ada.username))
  await notifyAll(deployment, ['grace@example.com'])
  await deployment.mailSender.round()
  expect(sink.mails.map(recipientOf)).toEqual(['grace@example.com'])
  const before = sink.connections
  for (let hour = 0; hour < 80; hour++) {
    deployment.clock.advance(hours(1))
    await deployment.mailSender.round()
  }
  expect(sink.connections).toBe(before)
  const keyring = createKeyring(deployment.config.masterKeys)
  const [refused, ...others] = await outbox.listMails(deployment.db, keyring, 10)
  expect(others).toEqual([])
  // Nothing is left of the link.
  expect(refused).toMatchObject({ mailRefused: 550, mailAttempts: 1 })
  expect(refused?.content).toEqual({ to: ada.username, message: { kind: 'password-reset' } })
  expect([await outbox.countWaiting(deployment.db), await outbox.countRefused(deployment.db)]).toEqual([0, 1])
  expect(await outbox.oldestWaiting(deployment.db)).toBeUndefined()
  const told = await deployment.db
    .selectFrom('audit')
    .select(['auditResult', 'auditTarget'])
    .where('auditEvent', '=', 'mail-refused')
    .execute()
  expect(told).toEqual([{ auditResult: '550: password-reset', auditTarget: userId }])
  expect(deployment.logged.join('')).not.toContain(ada.username)
  deployment.clock.advance(days(7))
  await deployment.chores.purge()
  expect(await deployment.outbox()).toEqual([])
})

test.each([
  ['every sender', { refusesSender: 550 }],
  ['a recipient, because it wants a login first', { refusals: new Map([[ada.username, 530]]) }],
  ['a recipient for now', { refusals: new Map([[ada.username, 450]]) }],
] as const)('RX-19: a mail server that refuses %s is asked again', async (_, behavior) => {
  const sink = await startSmtpSink()
  const deployment = await startWithSink(sink)
  Object.assign(sink, behavior)
  await notifyAll(deployment, [ada.username])
  await deployment.mailSender.round()
  expect(await deployment.outbox()).toMatchObject([{ mailRefused: null, mailAttempts: 1, mailNext: deployment.clock.at + seconds(5) }])
  Object.assign(sink, { refusesSender: 0, refusals: new Map() })
  deployment.clock.advance(seconds(5))
  await deployment.mailSender.round()
  expect(sink.mails.map(recipientOf)).toEqual([ada.username])
})

test('RX-6: a mail that was sent while the database could not delete it is not sent again', async () => {
  const sink = await startSmtpSink()
  const deployment = await startWithSink(sink)
  await notifyAll(deployment, [ada.username])
  const repair = await refuseDeletes(deployment.db)
  await deployment.mailSender.round().catch(() => {})
  for (let n = 0; n < 4; n++) {
    deployment.clock.advance(minutes(3))
    await deployment.mailSender.round().catch(() => {})
  }
  expect([sink.mails.length, (await deployment.outbox()).length]).toEqual([1, 1])
  await repair()
  await deployment.mailSender.round()
  expect([sink.mails.length, await deployment.outbox()]).toEqual([1, []])
})

test.each([
  ['https://sign-in.example.com/gatehouse', 'sign-in.example.com'],
  ['http://192.0.2.7:8080', '[192.0.2.7]'],
  ['http://[2001:db8::7]:8080', '[IPv6:2001:db8::7]'],
])('a server at %s greets the mail server as %s', async (publicUrl, greeting) => {
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

test('EM-03, RX-6: a link that has expired while the mail server was down is not mailed, and the audit says so', async () => {
  const sink = await startSmtpSink()
  const deployment = await startWithSink(sink)
  await sink.stop()
  for (const ask of [askForReset, askForLink]) await deployment.open().post(...ask(ada.username))
  await deployment.mailSender.round()
  expect(await deployment.outbox()).toHaveLength(2)
  await sink.start()
  deployment.clock.advance(minutes(30))
  await deployment.mailSender.round()
  expect(sink.mails).toEqual([])
  expect(await deployment.outbox()).toEqual([])
  const dropped = deployment.db.selectFrom('audit').select('auditResult').where('auditEvent', '=', 'mail-dropped').orderBy('auditResult')
  expect(await dropped.execute()).toEqual([{ auditResult: 'expired: one-time-link' }, { auditResult: 'expired: password-reset' }])
})

test.each([
  ['one-time-link', askForLink, minutes(8), minutes(1)],
  ['new-password', askForReset, minutes(20), minutes(3)],
] as const)('RX-6: a mailed link (%s) is not kept back until it is worth nothing', async (page, ask, outage, patience) => {
  const sink = await startSmtpSink()
  const deployment = await startWithSink(sink)
  await sink.stop()
  await deployment.open().post(...ask(ada.username))
  for (const back = deployment.clock.at + outage; deployment.clock.at < back; deployment.clock.advance(seconds(1)))
    await deployment.mailSender.round()
  await sink.start()
  deployment.clock.advance(patience)
  await deployment.mailSender.round()
  expect(sink.mails.map(mail => mail.text)).toEqual([expect.stringContaining(`/${page}#`)])
})

test('RX-6: a wish for mail that nobody could look at in time is not granted any more', async () => {
  const sink = await startSmtpSink()
  const deployment = await startWithSink(sink)
  await deployment.open().post(...askForReset(ada.username))
  deployment.clock.advance(hours(1))
  await deployment.mailSender.round()
  expect(sink.mails).toEqual([])
  expect(await deployment.db.selectFrom('mail_links').selectAll().execute()).toEqual([])
})

test('a mail is as it should be: one reader, text and HTML with the same link, no answer by a machine', async () => {
  const sink = await startSmtpSink()
  const server = await startServer({ env: { GATEHOUSE_SMTP_URL: sink.url, GATEHOUSE_MAIL_FROM: 'Acme Monitoring <sign-in@acme.example>' } })
  await server.addUser()
  await server.openBrowser().call(routes.sendPasswordResetEmail, { useremail: ada.username })
  await server.mailSender.round()
  const [mail, ...more] = sink.mails
  if (!mail || Array.isArray(mail.to)) throw new Error('no mail to one reader')
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
  ['has a certificate nobody vouches for', true, '?tls=required'],
  ['has one, though it need not have', true, ''],
  ['has one, though none is wanted', true, '?tls=optional'],
] as const)('TL-01: to a mail server that %s nothing is said in clear, and the mail waits', async (_, tls, wish) => {
  const secret = 'a-mail-password'
  const sink = await startSmtpSink({ tls: tls ? (makeCertificate(2) ?? 'built-in') : 'none', user: 'gatehouse', password: secret })
  const deployment = await startWithSink({ url: `smtp://gatehouse:${secret}@127.0.0.1:${sink.port}${wish}` })
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

/** A place whose servers send by a mail server of the test's. */
const makePlaceWithSink = async () => {
  const sink = await startSmtpSink()
  const installation = await makeInstallation()
  const env = { ...installation.env, GATEHOUSE_SMTP_URL: sink.url, GATEHOUSE_ADMIN_PASSWORD: admin.password }
  const start = async () => startProcess({ ...env, GATEHOUSE_LISTEN: `127.0.0.1:${await freePort()}` })
  const outbox = () => installation.inDatabase(db => db.selectFrom('outbox').selectAll().execute())
  return { ...installation, env, sink, start, outbox }
}

test('TL-01: to a mail server whose certificate is vouched for mail goes encrypted, after signing in', async context => {
  const { env, inDatabase } = await makeInstallation()
  const certificate = makeCertificate(2)
  if (!certificate) return context.skip('there is no openssl here')
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

test('RX-6: a server whose mail server is down starts, lets people in and answers at once; the mail arrives when that is back', async () => {
  const { sink, start, outbox } = await makePlaceWithSink()
  await sink.stop()
  const server = await start()
  const client = openClient([await server.ready])
  const begun = performance.now()
  for (const ask of [askForReset, askForLink]) expect((await client.post(...ask(admin.username))).status).toBe(200)
  expect((await client.post(routes.plowlogin.path, tokenOf(await signIn(client, admin)))).status).toBe(200)
  expect((await client.get('/account')).status).toBe(200)
  expect(performance.now() - begun).toBeLessThan(seconds(2))
  // Refused once, at the least: it is then that the wait begins.
  await expect.poll(() => server.output.stderr, { timeout: seconds(10) }).toContain('sending an email failed; it stays in the outbox')
  await sink.start()
  await expect.poll(() => sink.mails.length, { timeout: seconds(20) }).toBe(2)
  await expect.poll(outbox).toEqual([])
  expect(sink.mails).toHaveLength(2)
  expect(new Set(sink.mails.map(mail => mail.messageId)).size).toBe(2)
  expect(server.output.stderr).not.toContain(admin.username)
})

test.each(['is-silent', 'swallows'] as const)(
  'RX-6: a server is killed while its mail server %s: another sends the mail when the first one would have had its time, as the same mail',
  async behavior => {
    const { sink, start, outbox, inDatabase } = await makePlaceWithSink()
    sink.behavior = behavior
    const first = await start()
    await openClient([await first.ready]).post(...askForReset(admin.username))
    await expect.poll(() => (behavior === 'swallows' ? sink.mails.length : sink.connections), { timeout: seconds(10) }).toBe(1)
    first.child.kill('SIGKILL')
    await first.ended
    const [mail, ...more] = await outbox()
    expect(more).toEqual([])
    expect(mail?.mailAttempts).toBe(1)
    expect(mail?.mailNext).toBeGreaterThan(Date.now() + minutes(1.5))

    const swallowed = sink.mails.map(({ messageId }) => messageId)
    sink.mails.length = 0
    sink.behavior = 'takes'
    const second = await start()
    await second.ready
    await new Promise(resolve => setTimeout(resolve, seconds(1.5)))
    expect(sink.mails).toEqual([])
    await inDatabase(db => db.updateTable('outbox').set({ mailNext: Date.now() }).execute())
    await expect.poll(() => sink.mails.length, { timeout: seconds(10) }).toBe(1)
    await expect.poll(outbox).toEqual([])
    const id = `<${mail?.mailId}@localhost>`
    expect([...swallowed, ...sink.mails.map(({ messageId }) => messageId)]).toEqual(behavior === 'swallows' ? [id, id] : [id])
  },
)

test.runIf(inject('postgres') !== '')('three servers at one outbox send each mail once', async () => {
  const { sink, start, outbox, inDatabase } = await makePlaceWithSink()
  const servers = await Promise.all([start(), start(), start()])
  const client = openClient(await Promise.all(servers.map(server => server.ready)))
  const names = Array.from({ length: 60 }, (_, n) => `user${n}@example.com`)
  await inDatabase(async db => {
    for (const userIdent of names)
      await accounts.addAccount(db, { userIdent, userPassword: 'some hash', userTZLabel: 'UTC', now: Date.now() })
  })
  await Promise.all(names.map(name => client.post(...askForReset(name))))
  await expect.poll(() => sink.mails.length, { timeout: seconds(30) }).toBe(60)
  await expect.poll(outbox).toEqual([])
  await new Promise(resolve => setTimeout(resolve, seconds(1.5)))
  expect(sink.mails).toHaveLength(60)
  expect(new Set(sink.mails.map(mail => mail.messageId)).size).toBe(60)
})
