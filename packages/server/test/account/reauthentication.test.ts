import { accountRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { minutes, seconds } from '../../src/limits.ts'
import { enroll } from '../support/authenticator.ts'
import { ada, admin, type Browser, isSignedIn, startServer } from '../support/harness.ts'

const confirm = (browser: Browser, password = ada.password) => browser.send('POST', accountRoutes.userPasswordConfirm.path, { password })
const answered = async (call: ReturnType<Browser['send']>) => {
  const { statusCode, json } = await call
  return [statusCode, json()]
}

test('SE-02: reauthentication renews the session’s value, invalidates the old one and keeps its expiry', async () => {
  const server = await startServer()
  const userId = await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  const times = () => server.db.selectFrom('sessions').select(['sessionCreated', 'sessionExpires', 'sessionFactor']).execute()
  const begun = await times()
  const old = browser.jar.get('gatehouse-session') ?? ''
  server.clock.advance(minutes(40))
  expect(await answered(confirm(browser))).toEqual([200, {}])
  const attacker = server.openBrowser()
  attacker.jar.set('gatehouse-session', old)
  expect([browser.jar.get('gatehouse-session') !== old, await isSignedIn(browser), await isSignedIn(attacker)]).toEqual([true, true, false])
  expect(await times()).toEqual(begun)
  const rows = await server.db.selectFrom('audit').selectAll().where('auditEvent', '=', 'password-confirmed').execute()
  expect(rows.map(row => [row.auditActor, row.auditTarget, row.auditResult])).toEqual([[userId, userId, 'successful']])
})

test('PW-11: a wrong password counts as a failed sign-in, and a lockout applies', async () => {
  const server = await startServer()
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  const value = browser.jar.get('gatehouse-session')
  for (let i = 0; i < 10; i++)
    expect(await answered(confirm(browser, 'wrong password wrong'))).toEqual([403, { error: 'password: is wrong' }])
  // During a lockout, the right password gets the same answer.
  expect(await answered(confirm(browser))).toEqual([403, { error: 'password: is wrong' }])
  expect(browser.jar.get('gatehouse-session')).toBe(value)
  server.clock.advance(seconds(30))
  expect((await confirm(browser)).statusCode).toBe(200)
  expect(await server.db.selectFrom('failed_logins').selectAll().execute()).toEqual([])
  expect(await answered(confirm(server.openBrowser()))).toEqual([401, { error: 'Sign in first' }])
})

test('reauthentication by password allows actions that require a recent sign-in, including those of administrators', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  await server.addUser(admin)
  const browser = server.openBrowser()
  const { factorUUID } = await enroll(browser, server.clock, admin)
  const factor = {
    factorCreationRequestIdentity: admin.username,
    factorCreationRequestFriendlyName: 'Phone',
    factorCreationRequestFactorType: 'TOTP',
  }
  const acts: [string, unknown, unknown][] = [
    [accountRoutes.userFactorAdd.path, factor, 200],
    [accountRoutes.userFactorRemove.path, { factorUUID }, 409],
    [accountRoutes.userRecoveryCodesAnew.path, {}, 200],
    [accountRoutes.userEmailChange.path, { newemail: 'new@example.com', password: admin.password }, 200],
    [routes.logoutByUserId.path, 'nobody', 200],
  ]
  server.clock.advance(minutes(15))
  for (const [path, body] of acts) {
    const refused = await browser.send('POST', path, body)
    expect([path, refused.statusCode, refused.json().error]).toEqual([path, 403, expect.stringMatching(/15 minutes/)])
  }
  expect((await browser.send('POST', accountRoutes.userFactorAdd.path, factor)).json()).toEqual({
    error: 'Sign in again first; the last time was more than 15 minutes ago',
    code: 'ReauthenticationRequired',
  })
  expect((await confirm(browser, admin.password)).statusCode).toBe(200)
  server.clock.advance(minutes(15) - 1)
  for (const [path, body, status] of acts) expect([path, (await browser.send('POST', path, body)).statusCode]).toEqual([path, status])
  server.clock.advance(1)
  expect((await browser.send('POST', accountRoutes.userFactorAdd.path, factor)).statusCode).toBe(403)
})

test('does not reauthenticate a user who is signed out or forced to reset during the password check', async () => {
  let happen = async () => {}
  const server = await startServer({ afterVerify: () => happen() })
  await server.addUser()
  for (const meanwhile of [
    async () => void (await server.db.updateTable('users').set({ userForcedReset: 1 }).execute()),
    async () => void (await server.db.deleteFrom('sessions').execute()),
  ]) {
    happen = async () => {}
    await server.db.updateTable('users').set({ userForcedReset: 0 }).execute()
    const browser = server.openBrowser()
    await browser.enter()
    const value = browser.jar.get('gatehouse-session')
    happen = meanwhile
    expect([(await confirm(browser)).statusCode, browser.jar.get('gatehouse-session')]).toEqual([403, value])
  }
})
