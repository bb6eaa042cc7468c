import { expect, test } from 'vitest'
import { createKeyring } from '../../src/keys/keyring.ts'
import { days, hours, seconds } from '../../src/limits.ts'
import * as outbox from '../../src/mail/outbox.store.ts'
import { ada } from '../support/harness.ts'
import { askForReset, notifyAll, startWithSink } from './server-with-sink.ts'
import { recipientOf, startSmtpSink } from './smtp-sink.ts'

// Mail that stays in the outbox when a server stops or a mail server refuses it. `npm test` runs this file on both databases.

test('RX-17: a stopping server aborts its deliveries and leaves every mail in the outbox, due at once', async () => {
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

test('RX-19: tries a permanently refused recipient once, and shows administrators the mail for a week', async () => {
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
  // The stored mail no longer contains the link.
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
  await deployment.backgroundJobs.purge()
  expect(await deployment.outbox()).toEqual([])
})
