import { accountRoutes, administrationRoutes, passkeyRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { days, seconds } from '../../src/limits.ts'
import { addAuthenticator, codeAt, enroll } from '../support/authenticator.ts'
import { ada, admin, type Browser, startServer } from '../support/harness.ts'
import { makePasskeyDevice } from '../support/passkey-device.ts'
import { addPasskey, optionsFor, origin, usePasskey } from '../support/passkey-users.ts'

const check = async (browser: Browser, at: string) => {
  const { protocol, host } = new URL(at)
  const headers = {
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-host': host,
    'x-forwarded-uri': '/',
    'x-forwarded-method': 'GET',
  }
  return (await browser.get('/auth/request', headers)).statusCode
}

/** Signs in with password and code, and opens the token page. @returns where it leads */
const enterByCode = async (browser: Browser, secret: string, at: number, user = ada) => {
  const otpVerification = await codeAt(secret, at)
  const outcome = await browser.call(routes.verifyOTP, { otpUsername: user.username, otpPassword: user.password, otpVerification })
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  const { authTokenSelector, authTokenToken } = outcome.contents
  return (await browser.get(`/auth/page/plow/${authTokenSelector}/${authTokenToken}`)).headers.location
}

test('an origin marked phishing-resistant admits only sessions with a passkey', async () => {
  const server = await startServer({
    env: { GATEHOUSE_SECOND_FACTOR: 'skippable', GATEHOUSE_PROTECTED_ORIGINS: 'http://localhost:3000 phishing-resistant' },
  })
  await server.addUser()
  const browser = server.openBrowser()
  const { secret } = await enroll(browser, server.clock)
  expect(await check(browser, 'http://localhost:3000')).toBe(403)
  const device = makePasskeyDevice(origin)
  await addPasskey(browser, device)
  expect(await check(browser, 'http://localhost:3000')).toBe(200)
  server.clock.advance(seconds(30))
  const other = server.openBrowser()
  await enterByCode(other, secret, server.clock.at)
  expect(await check(other, 'http://localhost:3000')).toBe(403)
  // Reauthenticating with the passkey is enough.
  await other.call(passkeyRoutes.passkeyConfirm, { credential: device.get(await optionsFor(other, 'Reauthentication')) })
  expect(await check(other, 'http://localhost:3000')).toBe(200)
})

test('a session that a passkey opened stays phishing-resistant after the user adds an authenticator app', async () => {
  const server = await startServer({
    env: { GATEHOUSE_SECOND_FACTOR: 'phishing-resistant', GATEHOUSE_PROTECTED_ORIGINS: 'http://localhost:3000' },
  })
  await server.addUser()
  const browser = server.openBrowser()
  await enroll(browser, server.clock)
  await addPasskey(browser, makePasskeyDevice(origin))
  expect(await check(browser, 'http://localhost:3000')).toBe(200)
  await addAuthenticator(browser, server.clock)
  expect(await check(browser, 'http://localhost:3000')).toBe(200)
})

test('phishing-resistant: reminds during the grace period, then admits sessions without a passkey to the account page only', async () => {
  const server = await startServer({
    env: {
      GATEHOUSE_SECOND_FACTOR: 'phishing-resistant',
      GATEHOUSE_PHISHING_RESISTANT_FROM: '2026-11-25',
      GATEHOUSE_PROTECTED_ORIGINS: 'http://localhost:3000',
    },
  })
  await server.addUser()
  const browser = server.openBrowser()
  const { secret } = await enroll(browser, server.clock)
  await browser.call(accountRoutes.userRecoveryCodesAnew, {})
  server.clock.advance(seconds(30))
  expect(await enterByCode(browser, secret, server.clock.at)).toBe('/passkey-required')
  const reminder = await browser.get('/passkey-required')
  expect(reminder.body).toContain('From November 25, 2026 on')
  expect(reminder.body).toContain('Not now')
  expect(await check(browser, 'http://localhost:3000')).toBe(200)

  server.clock.advance(days(5))
  const later = server.openBrowser()
  expect(await enterByCode(later, secret, server.clock.at)).toBe('/passkey-required')
  expect((await later.get('/passkey-required')).body).not.toContain('Not now')
  expect((await later.get('/')).headers.location).toBe('/passkey-required')
  expect(await check(later, 'http://localhost:3000')).toBe(403)
  expect((await later.get('/account')).statusCode).toBe(200)
  const device = makePasskeyDevice(origin)
  await addPasskey(later, device)
  expect(await check(later, 'http://localhost:3000')).toBe(200)
  expect((await later.get('/passkey-required')).headers.location).toBe('/account')
  const again = server.openBrowser()
  const outcome = await usePasskey(again, device)
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  const { authTokenSelector, authTokenToken } = outcome.contents
  expect((await again.get(`/auth/page/plow/${authTokenSelector}/${authTokenToken}`)).headers.location).not.toBe('/passkey-required')
})

test('phishing-resistant-administrators: requires a passkey of administrators only, and closes the administration page to sessions without one', async () => {
  const server = await startServer({
    env: { GATEHOUSE_SECOND_FACTOR: 'phishing-resistant-administrators', GATEHOUSE_PROTECTED_ORIGINS: 'http://localhost:3000' },
  })
  await server.addUser()
  await server.addUser(admin)
  const [user, administrator] = [server.openBrowser(), server.openBrowser()]
  await enroll(user, server.clock)
  expect(await check(user, 'http://localhost:3000')).toBe(200)
  await enroll(administrator, server.clock, admin)
  expect(await check(administrator, 'http://localhost:3000')).toBe(403)
  const opened = await administrator.get('/administration')
  expect([opened.statusCode, opened.body]).toEqual([403, expect.stringContaining('Sign in with a passkey')])
  expect((await administrator.send('POST', administrationRoutes.overview.path, {})).statusCode).toBe(403)
  await addPasskey(administrator, makePasskeyDevice(origin))
  expect((await administrator.get('/administration')).statusCode).toBe(200)
  await administrator.call(administrationRoutes.overview, {})
})
