import { routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { hours, limits, minutes, seconds } from '../../src/limits.ts'
import { startSmtpSink } from '../mail/smtp-sink.ts'
import { ada, startServer } from '../support/harness.ts'

/** A server with an account locked for 30 s and an unsent mail. The tests then change its clock. */
const startWaiting = async () => {
  const sink = await startSmtpSink()
  const server = await startServer({ env: { GATEHOUSE_SMTP_URL: sink.url } })
  await server.addUser()
  const browser = server.openBrowser()
  const tag = async (password: string) => (await browser.signIn({ ...ada, password })).tag
  await server.backgroundJobs.clockSteps.look()
  for (let n = 0; n < limits.lockout.waitFrom; n++) await tag('a wrong password')
  expect(await tag(ada.password)).toBe('AuthFailureFailedLogin')
  await sink.stop()
  await browser.call(routes.sendPasswordResetEmail, { useremail: ada.username })
  await server.mailSender.round()
  await sink.start()
  return { ...server, sink, tag }
}

test.each([minutes(1), hours(1), hours(24 * 30)])('a clock set back by %i ms extends no lockout and delays no mail', async step => {
  const { backgroundJobs, clock, mailSender, sink, tag, logged } = await startWaiting()
  clock.advance(-step)
  await backgroundJobs.clockSteps.look()
  const told = JSON.parse(logged.find(line => line.includes('the clock changed')) ?? '{}')
  expect(told).toMatchObject({ level: 40, direction: 'back' })
  expect(Math.abs(told.seconds - step / 1000)).toBeLessThan(10)
  await mailSender.round()
  expect(sink.mails).toHaveLength(1)
  // The lockout is neither lifted nor extended.
  clock.advance(seconds(29))
  expect(await tag(ada.password)).toBe('AuthFailureFailedLogin')
  clock.advance(seconds(2))
  expect(await tag(ada.password)).toBe('AuthSuccessful')
})

test('a server that starts after the clock was set back corrects lockouts and mail', async () => {
  const { backgroundJobs, clock, mailSender, sink, tag } = await startWaiting()
  clock.advance(-hours(1))
  await backgroundJobs.clockSteps.rebase()
  await mailSender.round()
  expect(sink.mails).toHaveLength(1)
  clock.advance(seconds(31))
  expect(await tag(ada.password)).toBe('AuthSuccessful')
})

test('after the clock was set back, an older mail is due at once, too', async () => {
  const { backgroundJobs, clock, db } = await startWaiting()
  await db
    .updateTable('outbox')
    .set({ mailCreated: clock.at - hours(2), mailNext: clock.at + minutes(14) })
    .execute()
  clock.advance(-hours(1))
  await backgroundJobs.clockSteps.rebase()
  expect(await db.selectFrom('outbox').select('mailNext').execute()).toEqual([{ mailNext: clock.at }])
})

test('a clock that varies by a few seconds changes nothing', async () => {
  const { backgroundJobs, clock, db, logged } = await startWaiting()
  const state = async () => [
    await db.selectFrom('outbox').selectAll().execute(),
    await db.selectFrom('failed_logins').selectAll().execute(),
  ]
  const before = await state()
  for (let n = 0; n < 20; n++) {
    clock.advance(n % 2 === 0 ? seconds(10) : -seconds(9))
    await backgroundJobs.clockSteps.look()
    await backgroundJobs.clockSteps.rebase()
  }
  expect(await state()).toEqual(before)
  expect(logged.join('')).not.toContain('the clock changed')
})

test('after the clock is set back, a second-factor lockout ends at most one full lockout period from now', async () => {
  const { backgroundJobs, clock, db } = await startWaiting()
  const { userId } = await db.selectFrom('users').select('userId').executeTakeFirstOrThrow()
  const codes = { failedCodeUser: userId, failedCodeAttempts: 5, failedCodeAllowed: 1 } as const
  await db
    .insertInto('failed_codes')
    .values({ ...codes, failedCodePausedUntil: clock.at + limits.codes.pause })
    .execute()
  clock.advance(-hours(1))
  await backgroundJobs.clockSteps.rebase()
  expect(await db.selectFrom('failed_codes').select('failedCodePausedUntil').execute()).toEqual([
    { failedCodePausedUntil: clock.at + limits.codes.pause },
  ])
})
