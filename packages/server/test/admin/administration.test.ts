import { administrationRoutes as calls, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { minutes } from '../../src/limits.ts'
import { addAuthenticator, offered, otpOf } from '../support/authenticator.ts'
import { ada, admin, isSignedIn, startServer } from '../support/harness.ts'
import { audited, fillFailures, grace, start } from './administrator.ts'

test('AZ-01, AZ-03, LG-01: requires an administrator with a recent sign-in; a former administrator is refused from the next request on', async () => {
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
  // Reading requires no recent sign-in; changing does.
  expect((await browser.call(calls.user, { userId: adaId })).user.userIdent).toBe(ada.username)
  const stale = [403, 'Sign in again first; the last time was more than 15 minutes ago', 'ReauthenticationRequired']
  for (const [route, body] of [
    [calls.unlock, { userId: adaId }],
    [calls.endSessions, { userId: adaId }],
    [calls.add, { userIdent: grace.username, userTZLabel: 'UTC' }],
    [calls.remove, { userId: adaId, userIdent: ada.username }],
  ] as const)
    expect(await refusal(route, body)).toEqual(stale)
  // Other users get the same answer with and without a recent sign-in.
  expect(await refusal(calls.unlock, { userId: adaId }, user)).toEqual(forbidden)
  expect(await isSignedIn(user)).toBe(true)

  await server.db.updateTable('users').set({ userIdent: 'former@example.com' }).where('userId', '=', server.adminId).execute()
  expect(await refusal(calls.overview, {})).toEqual(forbidden)
  expect((await browser.get('/administration', { accept: 'text/html' })).statusCode).toBe(404)
})

test('SE-06, TH-02, MF-06, LG-01: unlock, forced reset, ending sessions and factor removal work at once and are audited', async () => {
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
  // The other factor remains, and so do the recovery codes.
  expect(await detail()).toEqual([['New phone'], 1])
  // The factor must belong to the named user.
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

test('an administrator invites a user, and deletes another by typing the address, but never their own account', async () => {
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
  // The audit log keeps the user's rows.
  expect((await audited(server, 'session-started')).filter(([, , target]) => target === adaId)).toHaveLength(1)
})

test('MF-01: refuses an administrator without a second factor and says what to do', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  const adminId = await server.addUser({ ...admin, username: 'to-be@example.com' })
  const userId = await server.addUser()
  const browser = server.openBrowser()
  // Skips set-up as a user, then becomes an administrator.
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
  // Enrolling a factor raises the session's level.
  await addAuthenticator(browser, server.clock, admin)
  expect((await browser.get('/administration', { accept: 'text/html' })).statusCode).toBe(200)
  await browser.call(calls.endSessions, { userId })
})
