import { expect, onTestFinished, test } from 'vitest'
import { seconds } from '../../src/limits.ts'
import { ada } from '../support/harness.ts'
import { notifyAll, startWithSink } from './server-with-sink.ts'
import { recipientOf, startSmtpSink } from './smtp-sink.ts'

test.each([
  ['one recipient', ['slow@example.com']],
  ['every recipient of one domain', Array.from({ length: 30 }, (_, n) => `slow${n}@slow.example`)],
  ['five recipients of five domains', Array.from({ length: 5 }, (_, n) => `slow@slow${n}.example`)],
] as const)('RX-18: delivers to other recipients while the mail server hangs for %s', async (_, slow) => {
  const sink = await startSmtpSink()
  const deployment = await startWithSink(sink)
  for (const address of slow) sink.tarPits.add(address)
  const others = Array.from({ length: 40 }, (_, n) => `user${n}@example.com`)
  await notifyAll(deployment, [...slow, ...others])
  deployment.mailSender.start()
  onTestFinished(() => deployment.mailSender.stop())
  await expect.poll(() => sink.mails.length, { timeout: seconds(8) }).toBe(40)
  expect(new Set(sink.mails.map(recipientOf))).toEqual(new Set(others))
  // New mail is sent at once while the others still hang.
  await notifyAll(deployment, ['late@example.com'])
  await expect.poll(() => sink.mails.length, { timeout: seconds(3) }).toBe(41)
  // The slow mails stay in the outbox, and waiting for a slot does not count as an attempt. Sent mails are deleted a moment later.
  await expect.poll(async () => (await deployment.outbox()).length).toBe(slow.length)
  const waiting = await deployment.outbox()
  expect(Math.max(...waiting.map(mail => mail.mailAttempts))).toBe(1)
  expect(waiting.every(mail => mail.mailNext > deployment.clock.at)).toBe(true)
})

test.each([
  ['every sender', { refusesSender: 550 }],
  ['a recipient until Gatehouse signs in', { refusals: new Map([[ada.username, 530]]) }],
  ['a recipient temporarily', { refusals: new Map([[ada.username, 450]]) }],
] as const)('RX-19: retries when the mail server refuses %s', async (_, behavior) => {
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
