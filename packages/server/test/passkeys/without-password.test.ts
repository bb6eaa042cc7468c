import { accountRoutes, administrationRoutes, passkeyRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { minutes } from '../../src/limits.ts'
import { startLinked } from '../sso/sso-sign-in.ts'
import { ada, admin, type Browser } from '../support/harness.ts'
import { makePasskeyDevice } from '../support/passkey-device.ts'
import { addPasskey, optionsFor, origin, usePasskey } from '../support/passkey-users.ts'
import { linkIn } from '../support/second-factor-users.ts'

/** Ada signed in with Google, and has no password. */
const startWithoutPassword = async () => {
  const { server, browser } = await startLinked()
  await server.db.updateTable('users').set({ userPassword: null }).execute()
  return { server, browser }
}

const unlink = (browser: Browser) => browser.send('POST', accountRoutes.userProviderUnlink.path, { provider: 'Google', password: '' })

test('a user without a password signs in, reauthenticates and changes the address with a passkey', async () => {
  const { server, browser } = await startWithoutPassword()
  const device = makePasskeyDevice(origin)
  await addPasskey(browser, device)
  const other = server.openBrowser()
  const outcome = await usePasskey(other, device)
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  await other.call(routes.plowlogin, outcome.contents)
  expect((await other.call(accountRoutes.userAccount, {})).hasPassword).toBe(false)
  server.clock.advance(minutes(16))
  const change = async () =>
    other.send('POST', accountRoutes.userEmailChange.path, {
      newemail: 'ada@example.org',
      password: '',
      credential: device.get(await optionsFor(other, 'Reauthentication')),
    })
  expect((await change()).json()).toMatchObject({ code: 'ReauthenticationRequired' })
  await other.call(passkeyRoutes.passkeyConfirm, { credential: device.get(await optionsFor(other, 'Reauthentication')) })
  expect((await change()).statusCode).toBe(200)
  expect((await server.deliver()).map(({ to }) => to)).toContain('ada@example.org')
  // Without the passkey, the session alone does not suffice.
  const bare = { newemail: 'ada@example.net', password: '' }
  expect((await other.send('POST', accountRoutes.userEmailChange.path, bare)).statusCode).toBe(403)
})

test('a user with a passkey and no password gets the ordinary link to set a password, and no invitation', async () => {
  const { server, browser } = await startWithoutPassword()
  await addPasskey(browser, makePasskeyDevice(origin))
  await unlink(browser)
  const ask = async () => {
    server.clock.advance(minutes(1))
    await browser.call(routes.sendPasswordResetEmail, { useremail: ada.username })
    return (await server.deliver()).find(mail => mail.text.includes('/new-password#'))
  }
  const reset = async (mail: Awaited<ReturnType<typeof ask>>) => {
    const { selector, token } = linkIn(mail).claim
    const password = 'a password set by email'
    const body = { username: ada.username, resettoken: `${selector}.${token}`, newpassword: password, newpasswordverification: password }
    return (await browser.send('POST', routes.resetPassword.path, body)).statusCode
  }
  const late = await ask()
  server.clock.advance(minutes(31))
  expect(await reset(late)).toBe(410)
  const mail = await ask()
  expect(mail?.subject).toContain('Reset your password')
  expect(await reset(mail)).toBe(200)
})

test('a user without a password may unlink the last provider only if a passkey is left to sign in with', async () => {
  const { server, browser } = await startWithoutPassword()
  expect((await unlink(browser)).statusCode).toBe(409)
  const device = makePasskeyDevice(origin)
  await addPasskey(browser, device)
  expect((await unlink(browser)).statusCode).toBe(200)
  expect((await server.openBrowser().signIn()).tag).toBe('AuthFailureFailedLogin')
  const other = server.openBrowser()
  const outcome = await usePasskey(other, device)
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  await other.call(routes.plowlogin, outcome.contents)
  // A password that the user creates in such a session did not come by email.
  const password = 'a password made with a passkey'
  const made = { useridentity: ada.username, newpassword: password, newpasswordverification: password }
  await other.call(accountRoutes.userPasswordCreate, made)
  expect((await server.openBrowser().signIn({ ...ada, password })).tag).toBe('AuthRequires2FA')
  const { userPasswordByMail } = await server.db.selectFrom('users').select('userPasswordByMail').executeTakeFirstOrThrow()
  expect(userPasswordByMail).toBe(0)
})

test.each([
  ['an imported passkey, which is a second factor only', 'SecondFactor', { passkeyImported: 1 as const }],
  ['a passkey of another domain', 'None', { passkeyRpId: 'elsewhere.example.org' }],
])('%s does not count as a remaining way to sign in, and the account and administration calls report that', async (_, use, instead) => {
  const { server, browser } = await startWithoutPassword()
  const add = async () => (await addPasskey(browser, makePasskeyDevice(origin))).factorUUID
  const remove = async (factorUUID: string) => (await browser.send('POST', accountRoutes.userFactorRemove.path, { factorUUID })).statusCode
  const unusable = await add()
  await server.db.updateTable('passkeys').set(instead).execute()
  expect((await unlink(browser)).statusCode).toBe(409)
  const usable = await add()
  const { factors } = await browser.call(accountRoutes.userAccount, {})
  expect(new Map(factors.map(factor => [factor.factorUUID, factor.passkey?.use]))).toEqual(
    new Map([
      [unusable, use],
      [usable, 'SignIn'],
    ]),
  )
  await server.addUser(admin)
  const administrator = server.openBrowser()
  await administrator.enter(admin)
  const { users } = await administrator.call(administrationRoutes.users, { filter: 'WithPasskey' })
  expect(users).toMatchObject([{ passkeys: 2, passkeysAlone: 1 }])
  expect((await unlink(browser)).statusCode).toBe(200)
  expect(await remove(usable)).toBe(409)
  expect(await remove(unusable)).toBe(200)
})

test('a user without a password may remove the last passkey only if a provider is left, and the refusal names the reason', async () => {
  const { server, browser } = await startWithoutPassword()
  const add = async () => (await addPasskey(browser, makePasskeyDevice(origin))).factorUUID
  const remove = async (factorUUID: string) => {
    const { statusCode, body } = await browser.send('POST', accountRoutes.userFactorRemove.path, { factorUUID })
    return [statusCode, JSON.parse(body).error]
  }
  // While Google is linked, the user may remove every passkey.
  expect((await remove(await add()))[0]).toBe(200)
  const first = await add()
  await unlink(browser)
  expect(await remove(first)).toEqual([409, 'passkey: is the only way to sign in that is left'])
  const second = await add()
  expect((await remove(first))[0]).toBe(200)
  expect((await remove(second))[0]).toBe(409)
  const password = 'a password made before'
  await browser.call(accountRoutes.userPasswordCreate, {
    useridentity: ada.username,
    newpassword: password,
    newpasswordverification: password,
  })
  expect((await remove(second))[0]).toBe(200)
  const removals = await server.db
    .selectFrom('audit')
    .select('auditResult')
    .where('auditEvent', '=', 'factor-removed')
    .orderBy('auditAt')
    .execute()
  expect(removals.filter(row => row.auditResult === 'last-way')).toHaveLength(2)
})
