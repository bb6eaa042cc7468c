import { accountRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { hours, minutes } from '../../src/limits.ts'
import { mailedLink } from '../credentials/mailed-link.ts'
import { ada, admin, type Browser, isSignedIn, startServer } from '../support/harness.ts'

const grace = { username: 'grace@example.com', password: 'a compiler of her own' }

/** Ada, and an administrator who has just signed in. */
const startAdministered = async () => {
  const server = await startServer()
  const [userId, adminId] = [await server.addUser(), await server.addUser(admin)]
  const administrator = server.openBrowser()
  await administrator.enter(admin)
  return { server, userId, adminId, administrator }
}

const addGrace = { username: grace.username, authenticateduser: admin.username, timezone: 'Europe/Amsterdam' }

/** The hand-over code of a sign-in, which a deletion requires. */
const reauthenticate = async (browser: Browser, account = admin) => {
  const outcome = await browser.signIn(account)
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  return { selector: outcome.contents.authTokenSelector, token: outcome.contents.authTokenToken }
}

test('an invited user sets the password with the mailed link and signs in', async () => {
  const { server, administrator } = await startAdministered()
  expect(await administrator.call(routes.userAdd, { ...addGrace, username: ' Grace@Example.com' })).toMatchObject({ ident: grace.username })
  const mails = await server.deliver()
  expect(mails.map(mail => mail.to)).toEqual([grace.username])
  expect(mails[0]?.text).toContain('24 hours')
  const { selector, token } = mailedLink(mails, 'new-password', grace.username)
  const invited = server.openBrowser()
  const look = () => invited.call(routes.mailLinkLook, { kind: 'PasswordReset', selector, token })
  server.clock.advance(hours(24) - 1)
  expect(await look()).toEqual({ state: 'Good', email: grace.username })
  expect(await invited.signIn(grace)).toEqual({ tag: 'AuthFailureFailedLogin' })
  const choice = { newpassword: grace.password, newpasswordverification: grace.password }
  expect(await invited.call(routes.resetPassword, { username: grace.username, resettoken: `${selector}.${token}`, ...choice })).toEqual({
    passkeys: [],
  })
  expect(await look()).toEqual({ state: 'Used' })
  expect(await isSignedIn(invited)).toBe(false)
  await invited.enter(grace)
  expect(await isSignedIn(invited)).toBe(true)
  // The notice uses the time zone given with the invitation.
  const [notice] = await server.deliver()
  expect([notice?.to, notice?.text]).toEqual([grace.username, expect.stringContaining('21 Nov 2026, 03:59 (Europe/Amsterdam)')])
})

test('an invitation expires after a day; the password reset then works instead', async () => {
  const { server, administrator } = await startAdministered()
  await administrator.call(routes.userAdd, addGrace)
  const old = mailedLink(await server.deliver(), 'new-password')
  server.clock.advance(hours(24))
  const invited = server.openBrowser()
  expect(await invited.call(routes.mailLinkLook, { kind: 'PasswordReset', ...old })).toEqual({ state: 'Expired' })
  await invited.call(routes.sendPasswordResetEmail, { useremail: grace.username })
  const link = mailedLink(await server.deliver(), 'new-password', grace.username)
  expect(link).not.toEqual(old)
  expect((await invited.call(routes.mailLinkLook, { kind: 'PasswordReset', ...link })).state).toBe('Good')
})

test('PW-12: administrator calls refuse a password; an invited user has no password and gets a mail with a link instead', async () => {
  const { server, administrator, userId } = await startAdministered()
  for (const field of ['password', 'userPassword', 'newpassword']) {
    for (const [route, body] of [
      [routes.userAdd, addGrace],
      [routes.userUpdate, { authenticateduser: admin.username, userid: userId }],
      [routes.sendPasswordResetEmail, { useremail: ada.username }],
    ] as const) {
      const response = await administrator.send('POST', route.path, { ...body, [field]: grace.password })
      expect([route.path, response.statusCode]).toEqual([route.path, 400])
    }
  }
  expect(await server.deliver()).toEqual([])
  await administrator.call(routes.userAdd, addGrace)
  const mails = await server.deliver()
  expect(mails.map(({ to }) => to)).toEqual([grace.username])
  expect(mailedLink(mails, 'new-password')).toBeTruthy()
  const { userPassword } = await server.db
    .selectFrom('users')
    .select('userPassword')
    .where('userIdent', '=', grace.username)
    .executeTakeFirstOrThrow()
  expect(userPassword).toBeNull()
  expect(await server.openBrowser().signIn({ ...grace, password: '' })).toEqual({ tag: 'AuthFailureFailedLogin' })
})

test('AZ-01: only an administrator with a recent sign-in manages users; everyone else gets the same answer for any user', async () => {
  const { server, userId, adminId, administrator } = await startAdministered()
  const [anonymous, user, stale] = [server.openBrowser(), server.openBrowser(), server.openBrowser()]
  await stale.enter(admin)
  server.clock.advance(minutes(15))
  await user.enter()
  await administrator.enter(admin)
  const rows = () => server.db.selectFrom('users').selectAll().orderBy('userId').execute()
  const before = await rows()
  const refusals: string[] = []
  for (const [browser, name] of [
    [anonymous, ada.username],
    [user, ada.username],
    [user, admin.username],
    [user, adminId],
    [stale, admin.username],
    // An administrator with a recent sign-in, but `authenticateduser` names another user.
    [administrator, ada.username],
    [administrator, 'nobody'],
    [administrator, ''],
  ] as const) {
    for (const username of [ada.username, admin.username, 'nobody@example.com']) {
      for (const [route, body] of [
        [routes.userAdd, { username, authenticateduser: name, timezone: 'UTC' }],
        [routes.userByUsername, { username, authenticateduser: name }],
      ] as const)
        refusals.push(await refusalOf(browser, route.path, body))
    }
    for (const userid of [userId, adminId, 'unknown'])
      refusals.push(await refusalOf(browser, routes.userUpdate.path, { authenticateduser: name, userid, timezone: 'Asia/Tokyo' }))
  }
  for (const browser of [anonymous, user, stale, administrator]) {
    for (const userident of [ada.username, 'nobody@example.com'])
      refusals.push(await refusalOf(browser, routes.userDelete.path, { userident, selector: 'a', token: 'b' }))
  }
  expect([...new Set(refusals)]).toEqual(['403 {"error":"Only an administrator who signed in within the last 15 minutes may do this"}'])
  expect(await rows()).toEqual(before)
  expect(await server.deliver()).toEqual([])
})

const refusalOf = async (browser: Browser, path: string, body: unknown) => {
  const { statusCode, body: answer } = await browser.send('POST', path, body)
  return `${statusCode} ${answer}`
}

test('AZ-03: refuses a former administrator from the next request on', async () => {
  const { server, userId, adminId, administrator } = await startAdministered()
  expect(await administrator.call(routes.logoutByUserId, userId)).toBe(true)
  await server.db.updateTable('users').set({ userIdent: 'former@example.com' }).where('userId', '=', adminId).execute()
  expect(await isSignedIn(administrator)).toBe(true)
  expect((await administrator.send('POST', routes.logoutByUserId.path, userId)).statusCode).toBe(403)
  expect((await administrator.send('POST', routes.userAdd.path, { ...addGrace, authenticateduser: adminId })).statusCode).toBe(403)
})

test('AZ-04: returns only the documented user fields, and never a password', async () => {
  const { server, userId, adminId, administrator } = await startAdministered()
  await server.db.updateTable('users').set({ userAzureId: 'tenant/object' }).where('userId', '=', userId).execute()
  const answer = async (path: string, body: unknown) => (await administrator.send('POST', path, body)).json()
  expect(await answer(routes.userAdd.path, addGrace)).toEqual({ userIdent: grace.username, userTZLabel: 'Europe/Amsterdam' })
  const found = { userIdent: ada.username, userTZLabel: 'UTC', userAzureId: 'tenant/object', userGoogleId: null, userPakId: null }
  expect(await answer(routes.userByUsername.path, { username: ' ADA@example.com', authenticateduser: adminId })).toEqual(found)
  const zone = { authenticateduser: admin.username, userid: userId, timezone: 'Asia/Tokyo' }
  expect(await answer(routes.userUpdate.path, zone)).toEqual({ ...found, userTZLabel: 'Asia/Tokyo' })
  // Without a time zone nothing changes.
  expect(await answer(routes.userUpdate.path, { authenticateduser: admin.username, userid: userId })).toEqual({
    ...found,
    userTZLabel: 'Asia/Tokyo',
  })
  const proof = await reauthenticate(administrator)
  expect(await answer(routes.userDelete.path, { userident: ada.username, ...proof })).toEqual({})
  expect(await answer(routes.logoutByUserId.path, userId)).toBe(false)
  expect(await answer(routes.logoutBySelf.path, {})).toBe('Signed out')
})

const noTimeZones = [
  'Mars/Olympus',
  '',
  '+02:00',
  'Europe/Amsterdam; drop table users',
  '../../etc/passwd',
  '__proto__',
  'Europe/Amsterdam\n',
  'x'.repeat(64),
]

test('refuses an unknown time zone and names the field', async () => {
  const { server, userId, administrator } = await startAdministered()
  for (const timezone of noTimeZones) {
    for (const [route, body] of [
      [routes.userAdd, { ...addGrace, timezone }],
      [routes.userUpdate, { authenticateduser: admin.username, userid: userId, timezone }],
    ] as const) {
      const response = await administrator.send('POST', route.path, body)
      const sentence = 'timezone: expected a time zone like Europe/Amsterdam'
      expect([timezone, response.statusCode, response.json()]).toEqual([timezone, 400, { error: sentence, code: 'TimeZoneUnknown' }])
    }
  }
  expect((await server.db.selectFrom('users').select('userTZLabel').execute()).map(row => row.userTZLabel)).toEqual(['UTC', 'UTC'])
})

test('reports a taken address to an administrator, in any spelling, and sends no mail', async () => {
  const { server, administrator } = await startAdministered()
  for (const username of [ada.username, ' ADA@EXAMPLE.COM']) {
    const response = await administrator.send('POST', routes.userAdd.path, { ...addGrace, username })
    expect([response.statusCode, response.json()]).toEqual([409, { error: 'username: there is a user of this name already' }])
  }
  expect(await server.deliver()).toEqual([])
})

test('tells an administrator that a user does not exist', async () => {
  const { administrator } = await startAdministered()
  const unknown = async (path: string, body: unknown) => (await administrator.send('POST', path, body)).statusCode
  expect(await unknown(routes.userByUsername.path, { username: 'nobody@example.com', authenticateduser: admin.username })).toBe(404)
  expect(await unknown(routes.userUpdate.path, { userid: 'nobody', authenticateduser: admin.username })).toBe(404)
  const proof = await reauthenticate(administrator)
  expect(await unknown(routes.userDelete.path, { userident: 'nobody@example.com', ...proof })).toBe(404)
})

test('adds a new user at an address that another user has requested but not confirmed; the confirmation is then refused', async () => {
  const { server, administrator } = await startAdministered()
  const browser = server.openBrowser()
  await browser.enter()
  await browser.call(accountRoutes.userEmailChange, { newemail: grace.username, password: ada.password })
  const link = mailedLink(await server.deliver(), 'confirm-email', grace.username)
  expect(await administrator.call(routes.userAdd, addGrace)).toMatchObject({ ident: grace.username })
  expect((await browser.send('POST', accountRoutes.userEmailConfirm.path, link)).statusCode).toBe(410)
  expect(await server.db.selectFrom('emails').select(['emailEmail', 'emailVerkey']).orderBy('emailEmail').execute()).toEqual(
    [ada.username, admin.username, grace.username].sort().map(emailEmail => ({ emailEmail, emailVerkey: null })),
  )
})

test('LG-01: audits every act of an administrator, refused or not', async () => {
  const { server, userId, adminId, administrator } = await startAdministered()
  const user = server.openBrowser()
  await user.enter()
  const later = () => server.clock.advance(1)
  later()
  const since = server.clock.at
  const acts: [Browser, string, unknown][] = [
    [administrator, routes.userAdd.path, addGrace],
    [administrator, routes.userAdd.path, addGrace],
    [administrator, routes.userByUsername.path, { username: ada.username, authenticateduser: adminId }],
    [administrator, routes.userByUsername.path, { username: 'nobody@example.com', authenticateduser: adminId }],
    [administrator, routes.userUpdate.path, { userid: userId, authenticateduser: adminId, timezone: 'UTC' }],
    [administrator, routes.userUpdate.path, { userid: 'nobody', authenticateduser: adminId }],
    [administrator, routes.userDelete.path, { userident: ada.username, selector: 'a', token: 'b' }],
    [user, routes.userAdd.path, addGrace],
    [user, routes.userUpdate.path, { userid: userId, authenticateduser: userId }],
    [user, routes.userByUsername.path, { username: ada.username, authenticateduser: userId }],
    [user, routes.userDelete.path, { userident: ada.username, selector: 'a', token: 'b' }],
    [user, routes.logoutByUserId.path, adminId],
  ]
  for (const [browser, path, body] of acts) {
    await browser.send('POST', path, body)
    later()
  }
  const rows = await server.db.selectFrom('audit').selectAll().where('auditAt', '>=', since).orderBy('auditAt').execute()
  expect(rows.map(row => [row.auditEvent, row.auditResult, row.auditActor])).toEqual([
    ['user-added', 'successful', adminId],
    ['user-added', 'taken', adminId],
    ['user-looked-up', 'successful', adminId],
    ['user-looked-up', 'unknown-user', adminId],
    ['user-updated', 'successful', adminId],
    ['user-updated', 'unknown-user', adminId],
    ['user-deleted', 'hand-over-refused', adminId],
    ['user-added', 'forbidden', userId],
    ['user-updated', 'forbidden', userId],
    ['user-looked-up', 'forbidden', userId],
    ['user-deleted', 'forbidden', userId],
    ['sign-out-by-administrator', 'forbidden', userId],
  ])
  expect(rows.every(row => row.auditAddress && row.auditUserAgent === 'Test/1.0' && row.auditRequestId)).toBe(true)
  const graceId = (await server.db.selectFrom('users').select('userId').where('userIdent', '=', grace.username).executeTakeFirstOrThrow())
    .userId
  expect([rows[0]?.auditTarget, rows[2]?.auditTarget]).toEqual([graceId, userId])
})

test('LG-02: neither logs nor audits the address in a failed user-management call', async () => {
  const { server, adminId, administrator } = await startAdministered()
  const user = server.openBrowser()
  await user.enter()
  const username = 'hunter2@hunter2.example'
  for (const browser of [user, administrator]) {
    await browser.send('POST', routes.userByUsername.path, { username, authenticateduser: adminId })
    await browser.send('POST', routes.userDelete.path, { userident: username, ...(await reauthenticate(administrator)) })
  }
  await user.send('POST', routes.userAdd.path, { ...addGrace, username })
  const rows = await server.db.selectFrom('audit').selectAll().where('auditEvent', 'like', 'user-%').execute()
  expect(rows).toHaveLength(5)
  expect(JSON.stringify(rows) + server.logged.join('')).not.toContain('hunter2')
})
