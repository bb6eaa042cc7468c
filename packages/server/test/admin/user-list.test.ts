import { administrationRoutes as calls } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { ada, admin } from '../support/harness.ts'
import { start } from './administrator.ts'

test('searches users by prefix and by part, filters them, and returns each user once across pages', async () => {
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
  // Prefix matches come first.
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
  expect(await server.refusal(calls.users, { after: 'nowhere' })).toEqual([400, 'after: is not a place in this list'])
  expect(await browser.call(calls.overview, {})).toEqual({
    users: 122,
    withoutFactor: 122,
    withPasskey: 0,
    skipped: 1,
    locked: 0,
    forcedReset: 0,
    mailsWaiting: 0,
    mailsTriedInVain: 0,
    mailsRefused: 0,
  })
})
