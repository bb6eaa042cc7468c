import { setTimeout } from 'node:timers/promises'
import { accountRoutes, administrationRoutes as calls, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { countStretch } from '../../src/audit/audit-counts.store.ts'
import { days, minutes } from '../../src/limits.ts'
import { codeAt, enroll, offered, otpOf, secretOf } from '../support/authenticator.ts'
import { ada, admin, isSignedIn, startServer } from '../support/harness.ts'

const grace = { username: 'grace@example.com', password: 'a third long password' }

/** A server with an administrator who has just signed in, and Ada. */
const start = async (env: Record<string, string> = {}) => {
  const server = await startServer({ env })
  const adminId = await server.addUser(admin)
  const adaId = await server.addUser()
  const browser = server.openBrowser()
  await browser.enter(admin)
  const refusal = async (route: { path: string }, body: unknown, by = browser) => {
    const { statusCode, body: text } = await by.send('POST', route.path, body)
    const { error, code } = JSON.parse(text)
    return code === undefined ? [statusCode, error] : [statusCode, error, code]
  }
  return { ...server, adminId, adaId, browser, refusal }
}
type Started = Awaited<ReturnType<typeof start>>

const audited = async ({ db }: Started, event: string) =>
  (await db.selectFrom('audit').selectAll().where('auditEvent', '=', event).orderBy('auditAt').execute()).map(row => [
    row.auditResult,
    row.auditActor,
    row.auditTarget,
  ])

const fillFailures = async (server: Started, times: number) => {
  for (let i = 0; i < times; i++) await server.openBrowser().signIn({ ...ada, password: 'a wrong long password' })
}

test('AZ-01, AZ-03, LG-01: acts want an administrator who signed in lately; a role that is taken away is gone with the next request', async () => {
  const server = await start()
  const { browser, refusal, adaId, clock } = server
  const user = server.openBrowser()
  await user.enter()
  const forbidden = [403, 'Only an administrator who signed in within the last 15 minutes may do this']
  for (const userId of [adaId, server.adminId, 'nobody'])
    for (const by of [user, server.openBrowser()]) {
      expect(await refusal(calls.unlock, { userId }, by)).toEqual(forbidden)
      expect(await refusal(calls.user, { userId }, by)).toEqual(forbidden)
    }
  expect((await audited(server, 'user-unlocked')).map(([result, , target]) => [result, target])).toEqual(
    [adaId, server.adminId, 'nobody'].map(target => ['forbidden', target]),
  )
  expect(await refusal(calls.unlock, { userId: 'nobody' })).toEqual([404, 'userId: there is no such user'])

  clock.advance(minutes(15))
  // To look needs no sign-in of a moment ago, to act does.
  expect((await browser.call(calls.user, { userId: adaId })).user.userIdent).toBe(ada.username)
  const stale = [403, 'Sign in again first; the last time was more than 15 minutes ago', 'ReauthenticationRequired']
  for (const [route, body] of [
    [calls.unlock, { userId: adaId }],
    [calls.endSessions, { userId: adaId }],
    [calls.add, { userIdent: grace.username, userTZLabel: 'UTC' }],
    [calls.remove, { userId: adaId, userIdent: ada.username }],
  ] as const)
    expect(await refusal(route, body)).toEqual(stale)
  // A user is told the same whether the sign-in was lately or not.
  expect(await refusal(calls.unlock, { userId: adaId }, user)).toEqual(forbidden)
  expect(await isSignedIn(user)).toBe(true)

  await server.db.updateTable('users').set({ userIdent: 'former@example.com' }).where('userId', '=', server.adminId).execute()
  expect(await refusal(calls.overview, {})).toEqual(forbidden)
  expect((await browser.get('/administration', { accept: 'text/html' })).statusCode).toBe(404)
})

test('SE-06, TH-02, MF-06, LG-01: an administrator unlocks, forces a reset, ends sessions, removes a factor; each acts at once and is audited', async () => {
  const server = await start({ GATEHOUSE_SECOND_FACTOR: 'off' })
  const { browser, adaId, adminId } = server
  const owner = server.openBrowser()
  await owner.enter()

  await fillFailures(server, 10)
  const { users } = await browser.call(calls.users, { filter: 'Locked' })
  expect(users).toMatchObject([{ userIdent: ada.username, locks: [{ of: 'Password', until: expect.stringMatching(/Z$/) }] }])
  expect((await server.openBrowser().signIn()).tag).toBe('AuthFailureFailedLogin')
  await browser.call(calls.unlock, { userId: adaId })
  expect((await server.openBrowser().signIn()).tag).toBe('AuthSuccessful')

  await browser.call(calls.endSessions, { userId: adaId })
  expect(await isSignedIn(owner)).toBe(false)
  await owner.enter()
  await browser.call(calls.forceReset, { userId: adaId })
  expect(await isSignedIn(owner)).toBe(false)
  expect((await owner.signIn()).tag).toBe('AuthFailureForcedReset')
  expect((await browser.call(calls.users, { filter: 'ForcedReset' })).users.map(user => user.userIdent)).toEqual([ada.username])

  const factor = {
    factorUUID: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    factorIdentity: adaId,
    factorFriendlyName: 'Old phone',
    factorStatus: 'Verified',
    factorFactorType: 'TOTP',
    factorDateCreated: 1,
    factorDateVerified: 1,
    factorDateLastUsed: null,
    factorExpires: null,
    factorReplaces: 0,
    factorWrongCodes: 0,
  } as const
  await server.db
    .insertInto('factors')
    .values([factor, { ...factor, factorUUID: '8c9e6679-7425-40de-944b-e07fc1f90ae7', factorFriendlyName: 'New phone' }])
    .execute()
  await server.db.insertInto('recovery_codes').values({ recoveryCodeUser: adaId, recoveryCodeHash: 'x', recoveryCodeCreated: 1 }).execute()
  const detail = async () => {
    const { factors, recoveryCodes } = await browser.call(calls.user, { userId: adaId })
    return [factors.map(one => one.factorFriendlyName), recoveryCodes]
  }
  expect(await server.openBrowser().send('POST', calls.removeFactor.path, { userId: adaId, factorUUID: factor.factorUUID })).toMatchObject({
    statusCode: 403,
  })
  await browser.call(calls.removeFactor, { userId: adaId, factorUUID: factor.factorUUID })
  // What is left is a second factor still, and the codes stand in for it.
  expect(await detail()).toEqual([['New phone'], 1])
  // Another user's is not this one's.
  const graceId = await server.addUser(grace)
  expect(await server.refusal(calls.removeFactor, { userId: graceId, factorUUID: '8c9e6679-7425-40de-944b-e07fc1f90ae7' })).toEqual([
    404,
    'userId: there is no such user',
  ])
  await browser.call(calls.removeFactor, { userId: adaId, factorUUID: '8c9e6679-7425-40de-944b-e07fc1f90ae7' })
  expect(await detail()).toEqual([[], 0])
  const mails = (await server.deliver()).filter(({ to }) => to === ada.username)
  expect(mails.filter(({ subject }) => /two factor|second factor|authenticator/i.test(subject))).toHaveLength(2)

  for (const event of ['user-unlocked', 'sign-out-by-administrator', 'user-forced-reset'])
    expect([event, await audited(server, event)]).toEqual([event, [['successful', adminId, adaId]]])
  expect((await audited(server, 'factor-removed')).map(([result]) => result).sort()).toEqual(['successful', 'successful', 'unknown-user'])
})

test('an administrator adds a user, who is invited, and deletes one by the typed address, though never himself', async () => {
  const server = await start()
  const { browser, refusal, adaId, adminId } = server
  await browser.call(calls.add, { userIdent: ' Grace@Example.com', userTZLabel: 'Europe/Amsterdam' })
  expect(await refusal(calls.add, { userIdent: grace.username, userTZLabel: 'UTC' })).toEqual([
    409,
    expect.stringContaining('there is a user of this address already'),
  ])
  expect((await browser.call(calls.mails, {})).mails).toMatchObject([{ mailTo: grace.username, mailKind: 'invitation', mailAttempts: 0 }])
  expect(JSON.stringify(await browser.call(calls.mails, {}))).not.toContain('new-password')
  expect((await server.deliver()).map(({ to }) => to)).toEqual([grace.username])

  const owner = server.openBrowser()
  await owner.enter()
  expect(await refusal(calls.remove, { userId: adaId, userIdent: grace.username })).toEqual([
    400,
    'userIdent: is not the address of this user',
  ])
  expect(await refusal(calls.remove, { userId: adminId, userIdent: admin.username })).toEqual([
    409,
    'userId: administrators cannot do this to their own account',
  ])
  await browser.call(calls.remove, { userId: adaId, userIdent: ' ADA@example.com ' })
  expect(await isSignedIn(owner)).toBe(false)
  expect(await refusal(calls.user, { userId: adaId })).toEqual([404, 'userId: there is no such user'])
  expect((await browser.call(calls.overview, {})).users).toBe(2)
  // The audit keeps its rows.
  expect((await audited(server, 'session-started')).filter(([, , target]) => target === adaId)).toHaveLength(1)
})

test('the list is found by beginning and by part, filtered, and read page by page, each user once', async () => {
  const server = await start()
  const { browser, db, clock, adaId } = server
  const people = Array.from({ length: 120 }, (_, i) => `p${String(i).padStart(3, '0')}_%@example.com`)
  await db
    .insertInto('users')
    .values(
      people.map((userIdent, i) => ({
        userId: `id-${i}`,
        userIdent,
        userPassword: null,
        userForcedReset: 0,
        userPasswordByMail: 0,
        userTZLabel: 'UTC',
        userAzureId: null,
        userGoogleId: null,
        userPakId: `pak-${i}`,
        userCreated: clock.at,
      })),
    )
    .execute()
  const all = async (asked: object) => {
    const found: string[] = []
    for (let after: string | null | undefined, pages = 0; pages < 10; pages++) {
      const page = await browser.call(calls.users, { ...asked, ...(after && { after }) })
      found.push(...page.users.map(user => user.userIdent))
      after = page.after
      if (!after) return found
    }
    throw new Error('the list has no end')
  }
  expect(await all({})).toEqual([ada.username, admin.username, ...people])
  // Those that begin with it come first; the rest hold it somewhere else.
  expect(await all({ search: 'A' })).toEqual([ada.username, admin.username, ...people])
  expect(await all({ search: 'p11' })).toEqual(people.slice(110, 120))
  expect(await all({ search: '1_%@' })).toEqual(people.filter(name => name.includes('1_%@')))
  expect(await all({ search: 'nobody' })).toEqual([])
  expect(await all({ filter: 'Administrators' })).toEqual([admin.username])

  const mobile = server.openBrowser()
  await mobile.enter()
  await db.insertInto('skips').values({ skipUser: 'id-7', skipCount: 2, skipFirst: clock.at }).execute()
  expect((await browser.call(calls.users, { filter: 'Skipped' })).users).toMatchObject([
    { userIdent: people[7], skipCount: 2, skipMost: 3, ways: ['Pak'], factors: 0, sessions: 0, locks: [] },
  ])
  const [listed] = (await browser.call(calls.users, { search: ada.username })).users
  expect(listed).toMatchObject({ userId: adaId, sessions: 1, ways: ['Password'], lastSignIn: new Date(clock.at).toISOString() })
  expect(await server.refusal(calls.users, { after: 'nowhere' })).toEqual([400, 'after: is no place in the list'])
  expect(await browser.call(calls.overview, {})).toEqual({
    users: 122,
    withoutFactor: 122,
    skipped: 1,
    locked: 0,
    forcedReset: 0,
    mailsWaiting: 0,
    mailsTriedInVain: 0,
    mailsRefused: 0,
  })
})

/** Two servers count the same at once: the second begins before the first has committed. */
const countByTwo = async ({ db, clock }: Pick<Started, 'db' | 'clock'>) => {
  let second: Promise<boolean> | undefined
  await db.transaction().execute(async tx => {
    expect(await countStretch(tx, clock.at)).toBe(true)
    second = db.transaction().execute(later => countStretch(later, clock.at))
    await setTimeout(150)
  })
  await second
}

/** All counts of a way and an outcome, in all slots. */
const totals = ({ series }: { series: { way: string; outcome: string; counts: number[] }[] }) =>
  Object.fromEntries(series.map(({ way, outcome, counts }) => [`${way} ${outcome}`, counts.reduce((all, one) => all + one, 0)]))

test('the board counts every step once, before and after it has been counted for good, also by two servers at once', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  const { clock, db } = server
  await server.addUser(admin)
  await server.addUser()
  await server.addUser(grace)
  const browser = server.openBrowser()
  // The first code passes, which signs in; before it the password did.
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

  // A quarter of an hour that has just ended is left: a row of it may be committed any moment.
  clock.advance(minutes(15) + minutes(4))
  await server.chores.countSteps()
  expect(await db.selectFrom('audit_counts').selectAll().execute()).toEqual([])
  clock.advance(minutes(2))
  await countByTwo(server)
  await server.chores.countSteps()
  const counted = await db.selectFrom('audit_counts').selectAll().execute()
  expect(counted.length).toBeGreaterThan(3)
  expect(totals(await board())).toEqual(expected)
  // What comes after the mark is read from the audit itself.
  await visitor.signIn({ ...ada, password: 'a wrong long password' })
  for (const range of ['Day', 'Week', 'Quarter'] as const)
    expect([range, totals(await board(range))]).toEqual([range, { ...expected, 'Password WrongPassword': 4 }])
  clock.advance(minutes(21))
  await countByTwo(server)
  expect(totals(await board())).toEqual({ ...expected, 'Password WrongPassword': 4 })

  // Days are those of the administrator's time zone: in Kathmandu the new one has begun at 18:15 UTC.
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

test('a clock that was ahead once costs the board nothing: what comes after it is counted, and once', async () => {
  const server = await start()
  const { clock, browser, chores, db } = server
  const board = async () => totals(await browser.call(calls.board, { range: 'Week' }))['Password SignedIn']
  clock.advance(minutes(20))
  await chores.countSteps()
  await server.openBrowser().enter()
  clock.advance(minutes(6))
  expect(await board()).toBe(2)
  clock.advance(days(30))
  // Somebody signs in meanwhile; it is not told before that day has come.
  await server.openBrowser().enter()
  clock.advance(minutes(21))
  await chores.countSteps()
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
  await chores.countSteps()
  expect(await board()).toBe(4)
  const later = await db.selectFrom('audit_counts').selectAll().where('auditCountFrom', '>', clock.at).execute()
  expect(later).toEqual([])
})

test('MF-01: where there are second factors an administrator without one administers nothing, and is told what to do', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  const adminId = await server.addUser({ ...admin, username: 'to-be@example.com' })
  const userId = await server.addUser()
  const browser = server.openBrowser()
  // Puts it off as the user that he is, then is made an administrator.
  const who = { ...admin, username: 'to-be@example.com' }
  const { factorUUID } = offered(await browser.signIn(who))
  const skipped = await browser.call(routes.setupOTP, { ...otpOf(who), otpFactorUUID: factorUUID, otpVerification: null })
  if (skipped.tag !== 'AuthSuccessful') throw new Error(skipped.tag)
  await browser.call(routes.plowlogin, skipped.contents)
  await server.db.updateTable('users').set({ userIdent: admin.username }).where('userId', '=', adminId).execute()
  const error = 'Administration requires a second factor. Sign out, sign in again and set one up'
  for (const [route, body] of [
    [calls.overview, {}],
    [calls.user, { userId }],
    [calls.forceReset, { userId }],
    [calls.endSessions, { userId }],
    [calls.add, { userIdent: grace.username, userTZLabel: 'UTC' }],
    [routes.userByUsername, { username: ada.username, authenticateduser: adminId }],
  ] as const) {
    const response = await browser.send('POST', route.path, body)
    expect([route.path, response.statusCode, response.json()]).toEqual([route.path, 403, { error }])
  }
  const page = await browser.get('/administration/users', { accept: 'text/html' })
  expect([page.statusCode, page.body.includes('Sign out, sign in again')]).toEqual([403, true])
  // A factor of his own steps the session up.
  const added = await browser.call(accountRoutes.userFactorAdd, {
    factorCreationRequestIdentity: admin.username,
    factorCreationRequestFriendlyName: 'Phone',
    factorCreationRequestFactorType: 'TOTP',
  })
  const verifyTOTPFactorRequestCode = await codeAt(secretOf(added), server.clock.at)
  await browser.call(accountRoutes.userFactorVerify, { verifyTOTPFactorRequestFactorUUID: added.factorUUID, verifyTOTPFactorRequestCode })
  expect((await browser.get('/administration', { accept: 'text/html' })).statusCode).toBe(200)
  await browser.call(calls.endSessions, { userId })
})
