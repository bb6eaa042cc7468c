import { routes } from '@gatehouse/wire'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import type { OpenDatabase } from '../../src/db/open.ts'
import { hours, minutes, seconds } from '../../src/limits.ts'
import * as accounts from '../../src/users/users.store.ts'
import { enroll, outcomeOf } from '../credentials/deployment.ts'
import { ada } from '../support/harness.ts'
import { askForLink, askForReset, notifyAll, startWithSink } from './server-with-sink.ts'
import { recipientOf, startSmtpSink } from './smtp-sink.ts'

test('RX-6: while the mail server is down a mail waits longer after each attempt; then it is sent once, with the same id and date', async () => {
  const sink = await startSmtpSink()
  const deployment = await startWithSink(sink)
  await sink.stop()
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
  const figures = await deployment.metrics.render()
  expect(figures).toContain('\ngatehouse_mail_failures_total 8\n')
  expect(figures).toContain('\ngatehouse_mails_sent_total 1\n')
  expect(sink.mails.map(({ messageId, subject }) => [messageId, subject])).toEqual([
    [`<${mail?.mailId}@localhost>`, expect.stringContaining('Second factor added')],
  ])
  expect(sink.mails[0]?.date?.getTime()).toBe(mail?.mailCreated)
  expect(await deployment.outbox()).toEqual([])
  expect(deployment.logged.join('')).not.toContain(ada.username)
})

test.each(['is-silent', 'drops', 'swallows', 451] as const)(
  'RX-6: with a mail server that %s, responses stay the same, sign-ins don’t wait and no mail is lost',
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
    // Everything else works while the delivery hangs.
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
    expect(kinds).toEqual(['Second factor added · Gatehouse', 'reset', 'reset'])
    expect(sink.mails.map(mail => mail.messageId)).toEqual(expect.arrayContaining(swallowed))
    expect(new Set(sink.mails.map(mail => mail.messageId)).size).toBe(sink.mails.length)
    expect(await deployment.outbox()).toEqual([])
  },
)

test('RX-6: after 20 minutes without a mail server, sends each queued mail once', async () => {
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
  // Parallel rounds act like several servers.
  await Promise.all(Array.from({ length: 6 }, () => deployment.mailSender.round()))
  expect(sink.mails.map(recipientOf).sort()).toEqual([...names].sort())
  expect(new Set(sink.mails.map(mail => mail.messageId)).size).toBe(60)
})

/** Makes the database refuse to delete mails. @returns a function that removes the refusal */
const refuseDeletes = async (db: OpenDatabase['db']) => {
  if (inject('postgres') === '') {
    await sql`create trigger keep before delete on outbox begin select raise(abort, 'planted fault'); end`.execute(db)
    return () => sql`drop trigger keep`.execute(db)
  }
  await sql`create function keep() returns trigger language plpgsql as $$ begin raise exception 'planted fault'; end $$`.execute(db)
  await sql`create trigger keep before delete on outbox for each row execute function keep()`.execute(db)
  return () => sql`drop trigger keep on outbox`.execute(db)
}

test('RX-6: does not resend a mail whose row could not be deleted', async () => {
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

test('EM-03, RX-6: drops a mail whose link expired while the mail server was down, and records that', async () => {
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
] as const)('RX-6: retries a mailed link (%s) well before it expires', async (page, ask, outage, patience) => {
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

test('RX-6: drops a request for mail that waited too long', async () => {
  const sink = await startSmtpSink()
  const deployment = await startWithSink(sink)
  await deployment.open().post(...askForReset(ada.username))
  deployment.clock.advance(hours(1))
  await deployment.mailSender.round()
  expect(sink.mails).toEqual([])
  expect(await deployment.db.selectFrom('mail_links').selectAll().execute()).toEqual([])
})
