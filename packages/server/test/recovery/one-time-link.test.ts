import { routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { minutes, seconds } from '../../src/limits.ts'
import {
  askForLink,
  askForReset,
  type Browser,
  failed,
  lookAt,
  newPassword,
  reset,
  skippable,
  startWithAda,
} from '../credentials/mailed-recovery.ts'
import { codeAt, enroll, offered, secretOf } from '../support/authenticator.ts'
import { ada, isSignedIn } from '../support/harness.ts'

const ticketed = { otpUsername: '', otpPassword: '' }

test('a one-time link signs in once, and its page shows a masked address', async () => {
  const server = await startWithAda()
  const claim = await askForLink(server)
  expect(await lookAt(server, 'one-time-link', claim)).toEqual({ state: 'Good', email: 'a•••@example.com' })
  const browser = server.openBrowser()
  const outcome = await browser.call(routes.magiclinkRedeem, claim)
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  await browser.call(routes.loginWithToken, {
    authTokenSelector: outcome.contents.authTokenSelector,
    authTokenToken: outcome.contents.authTokenToken,
  })
  expect(await isSignedIn(browser)).toBe(true)
  expect(await server.openBrowser().call(routes.magiclinkRedeem, claim)).toEqual(failed)
  expect(await lookAt(server, 'one-time-link', claim)).toEqual({ state: 'Used' })
})

test('EM-09, TH-07: the one-time link of a user with a second factor leads to the code, and a lockout stays in force', async () => {
  const server = await startWithAda(skippable)
  const { secret } = await enroll(server.openBrowser(), server.clock)
  const link = async () => {
    const browser = server.openBrowser()
    expect(await browser.call(routes.magiclinkRedeem, await askForLink(server))).toEqual({ tag: 'AuthRequires2FA' })
    expect([...browser.jar.keys()].sort()).toEqual(['gatehouse-sign-in', 'gatehouse-ticket'])
    expect(await isSignedIn(browser)).toBe(false)
    return browser
  }
  server.clock.advance(seconds(30))
  const right = async () => ({ ...ticketed, otpVerification: await codeAt(secret, server.clock.at) })
  const browser = await link()
  // The ticket belongs to this browser.
  expect(await server.openBrowser().call(routes.verifyOTP, await right())).toEqual(failed)
  const outcome = await browser.call(routes.verifyOTP, await right())
  expect(outcome.tag).toBe('AuthSuccessful')
  expect(browser.jar.has('gatehouse-ticket')).toBe(false)

  server.clock.advance(minutes(20))
  const other = await link()
  for (let i = 0; i < 5; i++) {
    const wrong = { ...ticketed, otpVerification: ((await right()).otpVerification + 500_000) % 1_000_000 }
    expect((await other.call(routes.verifyOTP, wrong)).tag).toBe('AuthFailureFactorError')
  }
  // The fifth wrong code ended the ticket. The pause also applies to a new ticket.
  expect(await other.call(routes.verifyOTP, await right())).toEqual(failed)
  const again = await link()
  expect((await again.call(routes.verifyOTP, await right())).tag).toBe('AuthFailureFactorError')
})

test('a one-time link leads to second-factor set-up, or its deferral, without a password', async () => {
  const server = await startWithAda(skippable)
  const browser = server.openBrowser()
  const factor = offered(await browser.call(routes.magiclinkRedeem, await askForLink(server)))
  const otpVerification = await codeAt(secretOf(factor), server.clock.at)
  const done = await browser.call(routes.setupOTP, { ...ticketed, otpVerification, otpFactorUUID: factor.factorUUID })
  expect(done.tag).toBe('AuthSuccessful')

  const grace = { username: 'grace@example.com', password: 'another horse battery' }
  await server.addUser(grace)
  const other = server.openBrowser()
  const { factorUUID } = offered(await other.call(routes.magiclinkRedeem, await askForLink(server, grace.username)))
  const adas = await other.call(routes.setupOTP, { ...ticketed, otpUsername: ada.username, otpFactorUUID: factorUUID })
  expect(adas).toEqual(failed)
  const skipped = await other.call(routes.setupOTP, { ...ticketed, otpUsername: grace.username, otpFactorUUID: factorUUID })
  expect(skipped.tag).toBe('AuthSuccessful')
})

test('MF-08, A26: a ticket is valid for five minutes and ends with a password change', async () => {
  const server = await startWithAda(skippable)
  const { secret } = await enroll(server.openBrowser(), server.clock)
  const ticket = async () => {
    const browser = server.openBrowser()
    await browser.call(routes.magiclinkRedeem, await askForLink(server))
    return browser
  }
  const verify = async (browser: Browser) =>
    (await browser.call(routes.verifyOTP, { ...ticketed, otpVerification: await codeAt(secret, server.clock.at) })).tag
  const late = await ticket()
  server.clock.advance(minutes(5))
  expect(await verify(late)).toBe('AuthFailureFailedLogin')
  const before = await ticket()
  await reset(server.openBrowser(), await askForReset(server))
  expect(await verify(before)).toBe('AuthFailureFailedLogin')
  server.clock.advance(minutes(15))
  const timely = await ticket()
  server.clock.advance(minutes(5) - 1)
  expect(await verify(timely)).toBe('AuthSuccessful')
  expect(await verify(timely)).toBe('AuthFailureFailedLogin')
})

test('a one-time link does not bypass a forced reset; a new password ends it', async () => {
  const server = await startWithAda()
  await server.db.updateTable('users').set({ userForcedReset: 1 }).execute()
  const browser = server.openBrowser()
  expect(await browser.call(routes.magiclinkRedeem, await askForLink(server))).toEqual({ tag: 'AuthFailureForcedReset' })
  await reset(browser, await askForReset(server))
  expect((await browser.signIn({ ...ada, password: newPassword })).tag).toBe('AuthSuccessful')
})

test('a known browser stays known after a one-time link', async () => {
  const server = await startWithAda()
  const browser = server.openBrowser()
  await browser.enter()
  const cookie = browser.jar.get('gatehouse-browser')
  await browser.call(routes.magiclinkRedeem, await askForLink(server))
  expect(browser.jar.get('gatehouse-browser')).toBe(cookie)
})

test('TH-11: mails a link to single sign-on only to users who use it, and at most ten times a day', async () => {
  const server = await startWithAda()
  const redirect = { tag: 'RedirectSSOLogin', contents: 'Google' }
  const ask = async () => {
    await server.openBrowser().call(routes.magiclinkSend, [{ email: ada.username, redirect }])
    return (await server.deliver()).length
  }
  expect(await ask()).toBe(0)
  await server.db.updateTable('users').set({ userGoogleId: 'https://accounts.google.com 1' }).execute()
  let sent = 0
  for (let i = 0; i < 48; i++) {
    sent = await ask()
    server.clock.advance(minutes(30))
  }
  expect(sent).toBeGreaterThan(3)
  expect(sent).toBeLessThanOrEqual(10)
})

test('§3: a one-time link for single sign-on contains the provider’s start address and no token', async () => {
  const server = await startWithAda()
  await server.db.updateTable('users').set({ userGoogleId: 'https://accounts.google.com 1' }).execute()
  const redirect = { tag: 'RedirectSSOLogin', contents: 'Google' }
  await server.openBrowser().call(routes.magiclinkSend, [{ email: ada.username, redirect }])
  const [mail] = await server.deliver()
  expect(mail?.text).toContain('http://localhost:8080/auth/page/plow/ssoLogin?provider=google')
  expect(mail?.text).not.toContain('#')
  expect(await server.db.selectFrom('mail_links').selectAll().execute()).toEqual([])
})

test('reports Unknown for an unknown link, a malformed link, and a link of another kind', async () => {
  const server = await startWithAda()
  const claim = await askForLink(server)
  expect(await lookAt(server, 'new-password', claim)).toEqual({ state: 'Unknown' })
  for (const [selector, token] of [
    ['', ''],
    [claim.selector, ''],
    [claim.selector, 'x'.repeat(43)],
    ['x'.repeat(22), claim.token],
  ] as const)
    expect(await lookAt(server, 'one-time-link', { selector, token })).toEqual({ state: 'Unknown' })
  expect((await lookAt(server, 'one-time-link', claim)).state).toBe('Good')
})
