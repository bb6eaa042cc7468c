import { accountRoutes, administrationRoutes, routes } from '@gatehouse/wire'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { minutes, seconds } from '../../src/limits.ts'
import { mailedLink } from '../credentials/mailed-link.ts'
import { startIdentityProvider } from '../sso/identity-provider.ts'
import {
  adaAtProvider,
  finishSignIn,
  returnFromProvider,
  signInAtProvider,
  startAtProvider,
  startWithProvider,
} from '../sso/sso-sign-in.ts'
import { codeAt, offered, otpOf, secretOf } from '../support/authenticator.ts'
import { ada, admin, type Browser, isSignedIn, startServer } from '../support/harness.ts'

// Concurrent changes to one account, and what an attacker with part of its credentials can do meanwhile.

const onPostgres = inject('postgres') !== ''
const grace = { username: 'grace@example.com', password: 'a third long password' }
const page = { accept: 'text/html' }

/** Holds a lock that blocks the server's writes until `release`. `untilHeld(count)` waits until `count` statements are blocked. */
const holdLock = async ({ config, db }: Awaited<ReturnType<typeof startServer>>, statement: string) => {
  const client = new pg.Client(config.databaseUrl)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('begin')
  await client.query(statement)
  // On another connection: within one transaction, pg_stat_activity does not change.
  const held = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const untilHeld = (count: number) => expect.poll(async () => (await held.execute(db)).rows.length, { timeout: seconds(10) }).toBe(count)
  return { untilHeld, release: () => client.query('commit') }
}

test.runIf(onPostgres)('SE-06, EM-10: ending all sessions also ends one that a concurrent sign-in is starting', async () => {
  const server = await startServer()
  const userId = await server.addUser()
  await server.addUser(admin)
  const [owner, administrator] = [server.openBrowser(), server.openBrowser()]
  await administrator.enter(admin)
  const ends = {
    'the owner ends the others': () => owner.send('POST', accountRoutes.userSessionEndOthers.path, {}),
    'an administrator ends them': () => administrator.send('POST', administrationRoutes.endSessions.path, { userId }),
    'an administrator ends them by id': () => administrator.send('POST', routes.logoutByUserId.path, userId),
    'an administrator forces a reset': () => administrator.send('POST', administrationRoutes.forceReset.path, { userId }),
  }
  for (const [name, end] of Object.entries(ends)) {
    await owner.enter()
    const attacker = server.openBrowser()
    const outcome = await attacker.signIn()
    if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
    const { untilHeld, release } = await holdLock(server, 'lock table audit in share mode')
    const started = attacker.send('POST', routes.plowlogin.path, outcome.contents)
    await untilHeld(1)
    const ended = end()
    await untilHeld(2)
    await release()
    expect([name, (await started).statusCode, (await ended).statusCode]).toEqual([name, 200, 200])
    expect([name, await isSignedIn(attacker)]).toEqual([name, false])
  }
})

test.runIf(onPostgres)('SE-06: ending all sessions also ends one that a concurrent password change renews', async () => {
  const server = await startServer()
  const userId = await server.addUser()
  await server.addUser(admin)
  const [attacker, administrator] = [server.openBrowser(), server.openBrowser()]
  await administrator.enter(admin)
  await attacker.enter()
  const { untilHeld, release } = await holdLock(server, 'lock table audit in share mode')
  const newpassword = 'a password of the attacker'
  const change = { useridentity: ada.username, oldpassword: ada.password, newpassword }
  const changed = attacker.send('POST', accountRoutes.userPasswordReset.path, change)
  await untilHeld(1)
  const ended = administrator.send('POST', routes.logoutByUserId.path, userId)
  await untilHeld(2)
  await release()
  expect([(await changed).statusCode, (await ended).statusCode]).toEqual([200, 200])
  expect(await isSignedIn(attacker)).toBe(false)
})

test.runIf(onPostgres)('keeps one administrator when two delete each other at once', async () => {
  const server = await startServer({ env: { GATEHOUSE_ADMINS: `${admin.username},${grace.username}` } })
  const [adminId, graceId] = [await server.addUser(admin), await server.addUser(grace)]
  const [one, other] = [server.openBrowser(), server.openBrowser()]
  await one.enter(admin)
  await other.enter(grace)
  const { untilHeld, release } = await holdLock(server, 'select 1 from users for update')
  const deleted = [
    one.send('POST', administrationRoutes.remove.path, { userId: graceId, userIdent: grace.username }),
    other.send('POST', administrationRoutes.remove.path, { userId: adminId, userIdent: admin.username }),
  ]
  await untilHeld(2)
  await release()
  expect((await Promise.all(deleted)).map(({ statusCode }) => statusCode).sort()).toEqual([200, 403])
  expect(await server.db.selectFrom('users').select('userIdent').execute()).toHaveLength(1)
})

test('does not let administrators delete themselves through /user/delete', async () => {
  const server = await startServer()
  await server.addUser(admin)
  const browser = server.openBrowser()
  await browser.enter(admin)
  const outcome = await browser.signIn(admin)
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  const { authTokenSelector: selector, authTokenToken: token } = outcome.contents
  const { statusCode, body } = await browser.send('POST', routes.userDelete.path, { userident: admin.username, selector, token })
  expect([statusCode, JSON.parse(body)]).toEqual([409, { error: 'userident: administrators cannot delete themselves' }])
  expect(await isSignedIn(browser)).toBe(true)
})

test('refuses an email change if the session ends during the password check', async () => {
  let afterVerify = async () => {}
  const server = await startServer({ afterVerify: () => afterVerify() })
  await server.addUser()
  const [attacker, owner] = [server.openBrowser(), server.openBrowser()]
  await attacker.enter()
  await owner.enter()
  afterVerify = async () => {
    afterVerify = async () => {}
    await owner.call(accountRoutes.userSessionEndOthers, {})
  }
  const request = { newemail: 'attacker@evil.example', password: ada.password }
  expect((await attacker.send('POST', accountRoutes.userEmailChange.path, request)).statusCode).toBe(403)
  expect((await server.deliver()).map(({ to }) => to)).not.toContain('attacker@evil.example')
})

test('EM-08, MF-04: refuses a factor reset with a password that was created after a sign-in with a trusted provider alone', async () => {
  const idp = await startIdentityProvider()
  onTestFinished(idp.stop)
  const there = { sub: 'ada-at-provider', email: ada.username, email_verified: true, name: 'Ada' }
  idp.users.set(there.sub, there)
  const sso = { ...idp.env('GOOGLE'), GATEHOUSE_SSO_TRUSTED: 'google', GATEHOUSE_SSO_PROVISION: 'on' }
  const server = await startServer({ env: { ...sso, GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  const signInAtProvider = async (browser: Browser) => {
    const out = await browser.get('/auth/page/plow/ssoLogin?provider=google', page)
    const back = await idp.visit(String(out.headers.location), there.sub)
    return browser.get(back.pathname + back.search, page)
  }
  const owner = server.openBrowser()
  await signInAtProvider(owner)
  const factor = offered(await owner.call(routes.continueSignIn, {}))
  const firstCode = await codeAt(secretOf(factor), server.clock.at)
  const begun = { otpUsername: ada.username, otpPassword: '', otpFactorUUID: factor.factorUUID, otpVerification: firstCode }
  expect((await owner.call(routes.setupOTP, begun)).tag).toBe('AuthSuccessful')
  server.clock.advance(minutes(1))

  // The attacker now holds the account at the provider and its mailbox, but not the authenticator.
  idp.users.set(there.sub, { ...there, amr: ['mfa'] })
  const attacker = server.openBrowser()
  await attacker.get(String((await signInAtProvider(attacker)).headers.location), page)
  expect(await isSignedIn(attacker)).toBe(true)
  const newpassword = 'a password of the attacker'
  await attacker.call(accountRoutes.userPasswordCreate, { useridentity: ada.username, newpassword, newpasswordverification: newpassword })
  await server.deliver()
  await attacker.call(routes.resetOTP, otpOf({ username: ada.username, password: newpassword }))
  const mails = await server.deliver()
  expect(mails.map(({ subject }) => subject)).toContainEqual(expect.stringContaining('Second factor not reset'))
  expect(() => mailedLink(mails, 'new-factor')).toThrow()
})

test.runIf(onPostgres)('signs in a new SSO user whose account another tab adds concurrently under another address', async () => {
  const { idp, server } = await startWithProvider({ env: { GATEHOUSE_SSO_PROVISION: 'on' } })
  const first = server.openBrowser()
  await finishSignIn(first, await signInAtProvider(first, idp))
  const { userGoogleId } = await server.db.selectFrom('users').select('userGoogleId').executeTakeFirstOrThrow()
  await server.db.deleteFrom('users').execute()
  const columns = '"userId", "userIdent", "userForcedReset", "userPasswordByMail", "userTZLabel", "userGoogleId", "userCreated"'
  const values = `'another-tab', 'countess@example.com', 0, 0, 'UTC', '${userGoogleId}', 0`
  const browser = server.openBrowser()
  const back = await idp.visit((await startAtProvider(browser)).headers.location, adaAtProvider.sub)
  const { untilHeld, release } = await holdLock(server, `insert into users (${columns}) values (${values})`)
  const arrived = returnFromProvider(browser, back)
  await untilHeld(1)
  await release()
  await finishSignIn(browser, await arrived)
  expect(await server.db.selectFrom('users').select('userId').execute()).toEqual([{ userId: 'another-tab' }])
})

test.runIf(onPostgres)('completes a password reset and a one-time link used at the same moment', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  await server.addUser()
  const browser = server.openBrowser()
  await browser.call(routes.sendPasswordResetEmail, { useremail: ada.username })
  const { selector, token } = mailedLink(await server.deliver(), 'new-password')
  server.clock.advance(1)
  await browser.call(routes.magiclinkSend, [{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }])
  const oneTimeLink = mailedLink(await server.deliver(), 'one-time-link')
  const newpassword = 'a new password of ada'
  const request = { username: ada.username, resettoken: `${selector}.${token}`, newpassword, newpasswordverification: newpassword }
  const { untilHeld, release } = await holdLock(server, 'lock table hand_overs in share mode')
  const reset = browser.send('POST', routes.resetPassword.path, request)
  await untilHeld(1)
  const redeemed = server.openBrowser().send('POST', routes.magiclinkRedeem.path, oneTimeLink)
  await untilHeld(2)
  await release()
  expect([(await reset).statusCode, (await redeemed).statusCode]).toEqual([200, 200])
})
