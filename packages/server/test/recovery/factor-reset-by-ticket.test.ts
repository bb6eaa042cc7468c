import { plainPages as at, type OTPRequest, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { mailed, openOneTimeLink, resetByMail, resetSendsLink } from '../credentials/mailed-password.ts'
import { codeAt, offered, secretOf } from '../support/authenticator.ts'
import { ada } from '../support/harness.ts'
import { failed, linkIn, otp, startEnrolled } from '../support/second-factor-users.ts'

const startWithTicket = async () => {
  const started = await startEnrolled()
  const browser = started.server.openBrowser()
  await openOneTimeLink(started.server, browser)
  const ask = (otpPassword: string, otpUsername = '') => browser.call(routes.resetOTP, { otpUsername, otpPassword })
  const newLink = async () => (await started.server.deliver()).find(mail => mail.text.includes('/new-factor#'))
  return { ...started, browser, ask, newLink }
}

test('MF-04: a password typed after a one-time link starts a factor reset for the ticket’s user and returns the username', async () => {
  const { server, browser, ask, newLink } = await startWithTicket()
  const asked = await ask(ada.password)
  expect(asked).toMatchObject({ tag: 'AuthRequiresFactorReset', username: ada.username })
  const factor = offered(await browser.call(routes.newFactor, linkIn(await newLink()).claim))
  const otpVerification = await codeAt(secretOf(factor), server.clock.at)
  const first: OTPRequest = { ...otp, otpVerification, otpFactorUUID: factor.factorUUID }
  expect((await browser.call(routes.setupOTP, first)).tag).toBe('AuthSuccessful')
})

test('TH-01: counts a password typed with a ticket as usual; the ticket does not replace the password', async () => {
  const { server, browser, ask, newLink } = await startWithTicket()
  for (let i = 0; i < 10; i++) expect(await ask('a wrong password')).toEqual(failed)
  expect(await ask(ada.password)).toEqual(failed)
  expect(await server.openBrowser().signIn()).toEqual(failed)
  expect((await browser.send('POST', routes.resetOTP.path, { otpUsername: '', otpPassword: '' })).statusCode).toBe(400)
  expect(await newLink()).toBeUndefined()
})

test('names no user without a ticket or with an expired one', async () => {
  const { server, ask } = await startWithTicket()
  expect(await server.openBrowser().call(routes.resetOTP, { otpUsername: '', otpPassword: ada.password })).toEqual(failed)
  server.clock.advance(limits.ticket.lifetime)
  expect(await ask(ada.password)).toEqual(failed)
})

test('MF-10, MF-11: refuses a mailed password typed with a ticket, gives the reason, and still sends no reset link for it', async () => {
  const { server } = await startEnrolled()
  await resetByMail(server)
  const browser = server.openBrowser()
  await openOneTimeLink(server, browser)
  const asked = await browser.call(routes.resetOTP, { otpUsername: '', otpPassword: mailed.password })
  expect(asked).toMatchObject({ tag: 'AuthRequiresFactorReset', refused: 'PasswordByMail' })
  expect(await resetSendsLink(server)).toBe(false)
})

test('without JavaScript, the reset link leads to a page that asks for the password, and a refusal names the alternatives', async () => {
  const { server, browser, newLink } = await startWithTicket()
  expect((await browser.get(at.secondFactor)).body).toContain(`${at.resetFactor}"`)
  const page = (await browser.get(at.resetFactor)).body
  expect(page).toContain('name="password"')
  expect(page).toContain('If your account has no password, use a recovery code or ask your administrator')
  expect((await browser.submit(at.resetFactor, { password: ada.password })).headers.location).toBe(at.codeAfterReset)
  expect(await newLink()).toBeDefined()
  await resetByMail(server)
  const later = server.openBrowser()
  await openOneTimeLink(server, later)
  const refused = await later.submit(at.resetFactor, { password: mailed.password })
  expect(refused.body).toContain('Use a recovery code, or ask your administrator to remove your second factor.')
})
