import { setTimeout } from 'node:timers/promises'
import { administrationRoutes as calls, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { countStretch } from '../../src/audit/audit-counts.store.ts'
import { days, minutes } from '../../src/limits.ts'
import { enroll } from '../support/authenticator.ts'
import { ada, admin, startServer } from '../support/harness.ts'
import { grace, type Started, start } from './administrator.ts'

/** Counts the same period on two servers: the second starts before the first commits. */
const countByTwo = async ({ db, clock }: Pick<Started, 'db' | 'clock'>) => {
  let second: Promise<boolean> | undefined
  await db.transaction().execute(async tx => {
    expect(await countStretch(tx, clock.at)).toBe(true)
    second = db.transaction().execute(later => countStretch(later, clock.at))
    await setTimeout(150)
  })
  await second
}

/** Adds up the counts of all slots. */
const totals = ({ series }: { series: { way: string; outcome: string; counts: number[] }[] }) =>
  Object.fromEntries(series.map(({ way, outcome, counts }) => [`${way} ${outcome}`, counts.reduce((all, one) => all + one, 0)]))

test('counts every sign-in step once, before and after aggregation, even with two servers', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  const { clock, db } = server
  await server.addUser(admin)
  await server.addUser()
  await server.addUser(grace)
  const browser = server.openBrowser()
  // The password passes, then the first code signs in.
  await enroll(browser, clock, admin)
  const visitor = server.openBrowser()
  for (let i = 0; i < 2; i++) await visitor.signIn({ ...ada, password: 'a wrong long password' })
  await visitor.signIn({ username: 'nobody@example.com', password: 'a wrong long password' })
  const offered = await visitor.signIn()
  if (offered.tag !== 'AuthRequiresFactorCreation') throw new Error(offered.tag)
  const otp = { otpUsername: ada.username, otpPassword: ada.password, otpFactorUUID: offered.contents.factorUUID }
  await visitor.call(routes.setupOTP, { ...otp, otpVerification: 123_456 })
  await visitor.call(routes.setupOTP, otp)
  const expected = {
    'Password Passed': 2,
    'Password WrongPassword': 3,
    'TOTP SignedIn': 1,
    'TOTP WrongCode': 1,
    'Skip SignedIn': 1,
  }
  const board = async (range: 'Day' | 'Week' | 'Quarter' = 'Day') => browser.call(calls.board, { range })
  expect(totals(await board())).toEqual(expected)
  expect(await db.selectFrom('audit_counts').selectAll().execute()).toEqual([])

  // The quarter-hour that just ended stays open, because its rows may still be uncommitted.
  clock.advance(minutes(15) + minutes(4))
  await server.backgroundJobs.countSteps()
  expect(await db.selectFrom('audit_counts').selectAll().execute()).toEqual([])
  clock.advance(minutes(2))
  await countByTwo(server)
  await server.backgroundJobs.countSteps()
  const counted = await db.selectFrom('audit_counts').selectAll().execute()
  expect(counted.length).toBeGreaterThan(3)
  expect(totals(await board())).toEqual(expected)
  // Later rows are read from the audit log.
  await visitor.signIn({ ...ada, password: 'a wrong long password' })
  for (const range of ['Day', 'Week', 'Quarter'] as const)
    expect([range, totals(await board(range))]).toEqual([range, { ...expected, 'Password WrongPassword': 4 }])
  clock.advance(minutes(21))
  await countByTwo(server)
  expect(totals(await board())).toEqual({ ...expected, 'Password WrongPassword': 4 })

  // Days follow the administrator's time zone: in Kathmandu a day starts at 18:15 UTC.
  await db.updateTable('users').set({ userTZLabel: 'Asia/Kathmandu' }).where('userIdent', '=', admin.username).execute()
  const { zone, step, slots } = await board('Week')
  expect([zone, step, slots.length, slots.at(-1)]).toEqual(['Asia/Kathmandu', 'Day', 7, '2026-11-19T18:15:00.000Z'])
  clock.advance(15 * minutes(60))
  const again = server.openBrowser()
  await again.signIn({ ...ada, password: 'a wrong long password' })
  const later = await server.openBrowser()
  for (const [name, value] of browser.jar) later.jar.set(name, value)
  await server.db.updateTable('sessions').set({ sessionSeen: clock.at }).execute()
  const week = await later.call(calls.board, { range: 'Week' })
  expect(week.slots.at(-1)).toBe('2026-11-20T18:15:00.000Z')
  expect(week.series.find(({ outcome }) => outcome === 'WrongPassword')?.counts).toEqual([0, 0, 0, 0, 0, 4, 1])
})

test('counts every step once after the clock was ahead for a while', async () => {
  const server = await start()
  const { clock, browser, backgroundJobs, db } = server
  const board = async () => totals(await browser.call(calls.board, { range: 'Week' }))['Password SignedIn']
  clock.advance(minutes(20))
  await backgroundJobs.countSteps()
  await server.openBrowser().enter()
  clock.advance(minutes(6))
  expect(await board()).toBe(2)
  clock.advance(days(30))
  // This sign-in lies in the future and does not count yet.
  await server.openBrowser().enter()
  clock.advance(minutes(21))
  await backgroundJobs.countSteps()
  clock.advance(-days(30) - minutes(20))
  await server.openBrowser().enter()
  clock.advance(minutes(14))
  expect(await board()).toBe(3)
  await server.openBrowser().enter()
  await countByTwo(server)
  const marks = await db.selectFrom('audit_counted').select('auditCountedUntil').execute()
  expect(marks.every(({ auditCountedUntil }) => auditCountedUntil <= clock.at)).toBe(true)
  expect(await board()).toBe(4)
  clock.advance(minutes(21))
  await countByTwo(server)
  await backgroundJobs.countSteps()
  expect(await board()).toBe(4)
  const later = await db.selectFrom('audit_counts').selectAll().where('auditCountFrom', '>', clock.at).execute()
  expect(later).toEqual([])
})

test('counts the whole audit log again if an earlier version counted fewer events, without counting a step twice', async () => {
  const server = await start()
  const { clock, browser, backgroundJobs, db } = server
  const row = await db.selectFrom('audit').selectAll().where('auditEvent', '=', 'sign-in').executeTakeFirstOrThrow()
  await db
    .insertInto('audit')
    .values({ ...row, auditId: 'by-passkey', auditEvent: 'passkey-sign-in', auditResult: 'successful: Passkey' })
    .execute()
  // An earlier version counted the password, and not the passkey.
  const from = row.auditAt - (row.auditAt % minutes(15))
  await db
    .insertInto('audit_counts')
    .values({ auditCountFrom: from, auditCountEvent: row.auditEvent, auditCountResult: row.auditResult, auditCountRows: 1 })
    .execute()
  await db
    .insertInto('audit_counted')
    .values({ auditCountedName: 'sign-ins', auditCountedUntil: from + minutes(15) })
    .execute()
  clock.advance(minutes(21))
  const expected = { 'Password SignedIn': 1, 'Passkey SignedIn': 1 }
  expect(totals(await browser.call(calls.board, { range: 'Day' }))).toEqual(expected)
  await backgroundJobs.countSteps()
  expect(totals(await browser.call(calls.board, { range: 'Day' }))).toEqual(expected)
  const counted = await db.selectFrom('audit_counts').select(['auditCountEvent', 'auditCountRows']).orderBy('auditCountEvent').execute()
  expect(counted).toEqual([
    { auditCountEvent: 'passkey-sign-in', auditCountRows: 1 },
    { auditCountEvent: 'sign-in', auditCountRows: 1 },
  ])
})
