import { administrationRoutes as calls } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { hours, limits, minutes, seconds } from '../../src/limits.ts'
import { enroll } from '../support/authenticator.ts'
import { ada, admin, isSignedIn, startServer } from '../support/harness.ts'
import { audited, fillFailures, grace, start } from './administrator.ts'

const detailOf = async ({ browser, adaId }: Awaited<ReturnType<typeof start>>) => browser.call(calls.user, { userId: adaId })

test('names the cause of a lockout: how many wrong passwords came from how many addresses', async () => {
  const server = await start()
  const wrong = { ...ada, password: 'a wrong long password' }
  const [one, two] = ['203.0.113.7', '203.0.113.8'].map(address => server.openBrowser({ address }))
  if (!one || !two) throw new Error('no browser')
  for (let i = 0; i < 4; i++) await one.signIn(wrong)
  for (let i = 0; i < 6; i++) await two.signIn(wrong)
  expect(await detailOf(server)).toMatchObject({
    user: { locks: [{ of: 'Password', attempts: 10, until: new Date(server.clock.at + seconds(30)).toISOString() }] },
    wrongPasswordAddresses: 2,
  })
  await server.db.updateTable('failed_logins').set({ failedLoginAttempts: 100 }).execute()
  expect(await detailOf(server)).toMatchObject({ user: { locks: [{ of: 'Password', attempts: 100 }] } })
  expect((await detailOf(server)).user.locks[0]?.until).toBeNull()
  await server.browser.call(calls.unlock, { userId: server.adaId })
  expect(await detailOf(server)).toMatchObject({ user: { locks: [] }, wrongPasswordAddresses: 0 })
})

test('shows how many wrong codes caused a second-factor lockout, and when approval requests resume', async () => {
  const server = await start()
  const until = server.clock.at + hours(3)
  await server.db
    .insertInto('failed_codes')
    .values({ failedCodeUser: server.adaId, failedCodeAttempts: 5, failedCodePausedUntil: until, failedCodeAllowed: 0 })
    .execute()
  await server.db
    .insertInto('push_counts')
    .values({
      pushCountUser: server.adaId,
      pushCountLast: 1,
      pushCountSecondLast: null,
      pushCountThirdLast: null,
      pushCountSinceSuccess: 2,
      pushCountDenied: 2,
      pushCountUnanswered: 0,
      pushCountPausedUntil: until,
      pushCountAllowed: 0,
    })
    .execute()
  const end = new Date(until).toISOString()
  expect(await detailOf(server)).toMatchObject({
    user: { locks: [{ of: 'SecondFactor', attempts: 5, until: end }] },
    approvalsPausedUntil: end,
  })
  await server.browser.call(calls.unlock, { userId: server.adaId })
  expect((await detailOf(server)).approvalsPausedUntil).toBeNull()
})

test.each([
  ['off', 'Off', 0],
  ['skippable', 'Skippable', 2],
  ['required', 'Required', 0],
])('with second factors %s, shows how often a user may still skip set-up', async (policy, secondFactorPolicy, skipsLeft) => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: policy } })
  const adminId = await server.addUser(admin)
  const adaId = await server.addUser()
  const browser = server.openBrowser()
  if (policy === 'off') await browser.enter(admin)
  else await enroll(browser, server.clock, admin)
  await server.db.insertInto('skips').values({ skipUser: adaId, skipCount: 1, skipFirst: server.clock.at }).execute()
  expect(await browser.call(calls.user, { userId: adaId })).toMatchObject({ secondFactorPolicy, skipsLeft })
  // Administrators can never skip, and other users only for a week.
  expect(await browser.call(calls.user, { userId: adminId })).toMatchObject({ secondFactorPolicy, skipsLeft: 0 })
  await server.db
    .updateTable('skips')
    .set({ skipFirst: server.clock.at - limits.skip.within })
    .execute()
  expect(await browser.call(calls.user, { userId: adaId })).toMatchObject({ skipsLeft: 0 })
})

test('ends one session of a user and no other', async () => {
  const server = await start()
  const { browser, adaId, adminId, clock } = server
  const [phone, laptop] = [server.openBrowser(), server.openBrowser()]
  await phone.enter()
  clock.advance(seconds(1))
  await laptop.enter()
  const [newest] = (await detailOf(server)).sessions
  if (!newest) throw new Error('no session')
  // The cookie does not contain the session's id.
  expect(laptop.jar.get('gatehouse-session')).not.toContain(newest.sessionId)
  await browser.call(calls.endSession, { userId: adminId, sessionId: newest.sessionId })
  expect(await isSignedIn(laptop)).toBe(true)
  await browser.call(calls.endSession, { userId: adaId, sessionId: newest.sessionId })
  expect([await isSignedIn(laptop), await isSignedIn(phone)]).toEqual([false, true])
  // Ending it again changes nothing.
  await browser.call(calls.endSession, { userId: adaId, sessionId: newest.sessionId })
  expect(await audited(server, 'sign-out-by-administrator')).toEqual([['one-session', adminId, adaId]])
  expect(await server.refusal(calls.endSession, { userId: 'nobody', sessionId: 'x' })).toEqual([404, 'userId: there is no such user'])
  const own = (await browser.call(calls.user, { userId: adminId })).sessions
  expect(own.map(session => session.own)).toEqual([true])
  clock.advance(minutes(15))
  expect(await server.refusal(calls.endSession, { userId: adaId, sessionId: 'x' })).toEqual([
    403,
    'Sign in again first; the last time was more than 15 minutes ago',
    'ReauthenticationRequired',
  ])
})

test('mails a link to choose a password, as an invitation if the user has never signed in and has no password', async () => {
  const server = await start()
  const { browser, adaId, adminId } = server
  await browser.call(calls.forceReset, { userId: adaId })
  await browser.call(calls.sendLink, { userId: adaId })
  const graceId = await server.addUser(grace)
  await server.db.updateTable('users').set({ userPassword: null }).where('userId', '=', graceId).execute()
  await browser.call(calls.sendLink, { userId: graceId })
  const mails = await server.deliver()
  expect(mails.map(({ to, text }) => [to, /new-password#[\w-]{22}\.[\w-]{43}/.test(text)]).toSorted()).toEqual([
    [ada.username, true],
    [grace.username, true],
  ])
  expect(mails.find(({ to }) => to === ada.username)?.text).toContain('30 minutes')
  expect(mails.find(({ to }) => to === grace.username)?.text).toContain('24 hours')
  expect(await audited(server, 'mail-requested')).toEqual([
    ['PasswordReset', adminId, adaId],
    ['PasswordReset', adminId, graceId],
  ])
  const owner = server.openBrowser()
  expect(await server.refusal(calls.sendLink, { userId: adaId }, owner)).toEqual([
    403,
    'Only an administrator who signed in within the last 15 minutes may do this',
  ])
})

test('sorts the list by last sign-in and by the time added, in both directions and across pages', async () => {
  const server = await start()
  const { browser, db, clock } = server
  clock.advance(seconds(5))
  const people = Array.from({ length: 60 }, (_, i) => `p${String(i).padStart(2, '0')}@example.com`)
  for (const [i, username] of people.entries()) {
    await db
      .insertInto('users')
      .values({
        userId: `id-${i}`,
        userIdent: username,
        userPassword: null,
        userForcedReset: 0,
        userPasswordByMail: 0,
        userTZLabel: 'UTC',
        userAzureId: null,
        userGoogleId: null,
        userPakId: null,
        // Each group of three users shares one time; the list orders each group by address.
        userCreated: clock.at + Math.floor(i / 3),
      })
      .execute()
  }
  clock.advance(seconds(5))
  await server.openBrowser().enter()
  const all = async (asked: object) => {
    const found: string[] = []
    for (let after: string | null | undefined, page = 0; page < 5; page++) {
      const list = await browser.call(calls.users, { ...asked, ...(after && { after }) })
      found.push(...list.users.map(user => user.userIdent))
      after = list.after
      if (!after) return found
    }
    throw new Error('the list has no end')
  }
  const added = [ada.username, admin.username, ...people]
  const addedSorted = [...added]
  expect(await all({ sort: 'Added' })).toEqual(addedSorted)
  expect(await all({ sort: 'Added', descending: true })).toEqual(addedSorted.toReversed())
  expect(await all({ sort: 'Address', descending: true })).toEqual(added.toSorted().toReversed())
  const signedIn = await all({ sort: 'LastSignIn', descending: true })
  expect(signedIn.slice(0, 2)).toEqual([ada.username, admin.username])
  expect(signedIn).toHaveLength(62)
  expect(await all({ sort: 'LastSignIn' })).toEqual(signedIn.toReversed())
  expect(await all({ sort: 'Added', descending: true, search: 'p1' })).toEqual(people.slice(10, 20).toReversed())
  expect(await server.refusal(calls.users, { sort: 'Added', after: 'sorted soon p@example.com' })).toEqual([
    400,
    'after: is not a place in this list',
  ])
})

test('counts the users of each filter among those that a search finds', async () => {
  const server = await start()
  const { browser, clock } = server
  await server.addUser(grace)
  await fillFailures(server, 10)
  await server.db.updateTable('users').set({ userForcedReset: 1 }).where('userIdent', '=', grace.username).execute()
  await server.db.insertInto('skips').values({ skipUser: server.adaId, skipCount: 1, skipFirst: clock.at }).execute()
  const counts = async (search?: string) => (await browser.call(calls.users, search === undefined ? {} : { search })).counts
  const everyone = { All: 3, WithoutFactor: 3, Skipped: 1, Locked: 1, ForcedReset: 1, Administrators: 1, WithPasskey: 0 }
  expect(await counts()).toEqual(everyone)
  expect(await counts('@example.com')).toEqual(everyone)
  expect(await counts('ada@')).toEqual({ ...everyone, All: 1, WithoutFactor: 1, ForcedReset: 0, Administrators: 0, WithPasskey: 0 })
  expect(await counts('grace')).toEqual({
    All: 1,
    WithoutFactor: 1,
    Skipped: 0,
    Locked: 0,
    ForcedReset: 1,
    Administrators: 0,
    WithPasskey: 0,
  })
  expect(await counts('nobody')).toEqual({
    All: 0,
    WithoutFactor: 0,
    Skipped: 0,
    Locked: 0,
    ForcedReset: 0,
    Administrators: 0,
    WithPasskey: 0,
  })
})
