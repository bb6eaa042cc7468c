import { accountRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import type { Tables } from '../../src/db/schema.ts'
import { days, hours, minutes, seconds } from '../../src/limits.ts'
import { mailedLink } from '../credentials/mailed-link.ts'
import { codeAt, enroll, offered, otpOf } from '../support/authenticator.ts'
import { ada, isSignedIn, startServer } from '../support/harness.ts'

type Server = Awaited<ReturnType<typeof startServer>>
const grace = { username: 'grace@example.com', password: 'a compiler of her own' }

/** Tables whose rows expire. */
const mortal = [
  'hand_overs',
  'sessions',
  'tickets',
  'mail_links',
  'challenges',
  'outbox',
  'factors',
  'totp_bindings',
  'emails',
  'failed_logins',
  'known_browsers',
] as const satisfies (keyof Tables)[]

const count = async (server: Server) => {
  const counts: Partial<Record<keyof Tables, number>> = {}
  for (const table of mortal) counts[table] = (await server.db.selectFrom(table).selectAll().execute()).length
  return counts
}

/** Creates a row of every kind that expires. */
const startBusy = async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  await server.addUser()
  await server.addUser(grace)
  const [browser, other] = [server.openBrowser(), server.openBrowser()]
  const { secret } = await enroll(browser, server.clock)
  server.clock.advance(seconds(30))
  // An unused hand-over code, a decided challenge and an open one.
  await other.call(routes.verifyOTP, { ...otpOf(ada), otpVerification: await codeAt(secret, server.clock.at) })
  expect(await other.signIn()).toEqual({ tag: 'AuthRequires2FA' })
  // A factor that is never verified, and one created by a reset.
  offered(await other.signIn(grace))
  await other.call(routes.resetOTP, otpOf(ada))
  // Links of every kind, one of them redeemed for a ticket.
  await other.call(routes.magiclinkSend, [{ email: grace.username, redirect: { tag: 'RedirectDashboard' } }])
  await other.call(routes.sendPasswordResetEmail, { useremail: ada.username })
  await browser.call(accountRoutes.userEmailChange, { newemail: 'new@example.com', password: ada.password })
  const link = mailedLink(await server.deliver(), 'one-time-link', grace.username)
  expect((await other.call(routes.magiclinkRedeem, link)).tag).toBe('AuthRequiresFactorCreation')
  await other.signIn({ ...grace, password: 'wrong password wrong' })
  server.clock.advance(1)
  await other.call(routes.sendPasswordResetEmail, { useremail: ada.username })
  return { server, browser, secret }
}

test('DP-02: after eight days the tables hold only live rows', async () => {
  const { server } = await startBusy()
  const before = await count(server)
  expect(before).toEqual({
    hand_overs: 2,
    sessions: 1,
    tickets: 1,
    mail_links: 4,
    challenges: 2,
    outbox: 1,
    factors: 3,
    totp_bindings: 2,
    emails: 3,
    failed_logins: 1,
    known_browsers: 2,
  })
  server.clock.advance(hours(2))
  await server.backgroundJobs.purge()
  server.clock.advance(days(8))
  await server.backgroundJobs.purge()
  await server.deliver()
  expect(await count(server)).toEqual({
    hand_overs: 0,
    sessions: 0,
    tickets: 0,
    mail_links: 0,
    challenges: 0,
    outbox: 0,
    // Ada's authenticator, and the addresses of both users.
    factors: 1,
    totp_bindings: 1,
    emails: 2,
    // The server keeps counts of failed attempts for 30 days, and known browsers for a year.
    failed_logins: 1,
    known_browsers: 2,
  })
  server.clock.advance(days(366))
  await server.backgroundJobs.purge()
  expect(await count(server)).toMatchObject({ failed_logins: 0, known_browsers: 0, factors: 1, emails: 2 })
})

test('DP-02: keeps live rows, which still work after the purge', async () => {
  const { server, browser, secret } = await startBusy()
  await server.backgroundJobs.purge()
  expect(await isSignedIn(browser)).toBe(true)
  const mails = await server.deliver()
  for (const [kind, page] of [
    ['PasswordReset', 'new-password'],
    ['FactorReset', 'new-factor'],
    ['EmailChange', 'confirm-email'],
  ] as const)
    expect([kind, (await browser.call(routes.mailLinkLook, { kind, ...mailedLink(mails, page) })).state]).toEqual([kind, 'Good'])
  const confirm = mailedLink(mails, 'confirm-email')
  server.clock.advance(seconds(30))
  const outcome = await browser.call(routes.verifyOTP, { ...otpOf(ada), otpVerification: await codeAt(secret, server.clock.at) })
  expect(outcome.tag).toBe('AuthSuccessful')
  server.clock.advance(minutes(20))
  await server.backgroundJobs.purge()
  expect(await browser.call(accountRoutes.userEmailConfirm, confirm)).toEqual({})
})

test('distinguishes an expired link from an unknown one for a week', async () => {
  const { server, browser } = await startBusy()
  const link = mailedLink(await server.deliver(), 'new-password')
  const look = async () => (await browser.call(routes.mailLinkLook, { kind: 'PasswordReset', ...link })).state
  server.clock.advance(days(7))
  await server.backgroundJobs.purge()
  expect(await look()).toBe('Expired')
  server.clock.advance(minutes(30))
  await server.backgroundJobs.purge()
  expect(await look()).toBe('Unknown')
})

test('TH-02: keeps a password disabled after a hundred failures, even after 1,000 days without an attempt', async () => {
  const server = await startServer()
  await server.addUser()
  await server.openBrowser().signIn({ ...ada, password: 'wrong password wrong' })
  await server.db.updateTable('failed_logins').set({ failedLoginAttempts: 100 }).execute()
  server.clock.advance(days(1000))
  await server.backgroundJobs.purge()
  expect(await server.openBrowser().signIn()).toEqual({ tag: 'AuthFailureFailedLogin' })
})

test('marks an unanswered challenge as expired', async () => {
  const { server } = await startBusy()
  server.clock.advance(minutes(10))
  await server.backgroundJobs.purge()
  const rows = await server.db
    .selectFrom('challenges')
    .select(['challengeStatus', 'challengeDateResponded'])
    .orderBy('challengeDateCreated')
    .execute()
  expect(rows.map(row => row.challengeStatus).sort()).toEqual(['Approved', 'Expired'])
  expect(rows.filter(row => row.challengeStatus === 'Expired').map(row => row.challengeDateResponded)).toEqual([null])
})

test('EM-03: drops a mail whose link expired before it could be sent, and audits it', async () => {
  const server = await startServer()
  await server.addUser()
  await server.openBrowser().call(routes.sendPasswordResetEmail, { useremail: ada.username })
  server.clock.advance(minutes(30))
  expect(await server.deliver()).toEqual([])
  expect(await server.db.selectFrom('outbox').selectAll().execute()).toEqual([])
  const told = await server.db.selectFrom('audit').select('auditResult').where('auditEvent', '=', 'mail-dropped').execute()
  expect(told).toEqual([{ auditResult: 'expired: PasswordReset' }])
})
