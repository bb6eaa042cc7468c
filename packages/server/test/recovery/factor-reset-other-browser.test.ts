import { accountRoutes, plainPages as at, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { limits, seconds } from '../../src/limits.ts'
import { codeByTicket, openOneTimeLink } from '../credentials/mailed-password.ts'
import { enrollDevice } from '../factors/device.ts'
import { codeAt, offered, secretOf } from '../support/authenticator.ts'
import { ada, isSignedIn } from '../support/harness.ts'
import { askForReset, invalidCode, linkIn, otp, startEnrolled } from '../support/second-factor-users.ts'

/** Ada has requested a factor reset and seen the new secret; the requesting tab is closed. */
const startReset = async () => {
  const started = await startEnrolled({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable', GATEHOUSE_ADMINS: 'root@example.com' } })
  const { server, browser } = started
  const { factorUUID, mail } = await askForReset(server, browser)
  const newSecret = secretOf(offered(await server.openBrowser().call(routes.newFactor, linkIn(mail).claim)))
  return { ...started, newUUID: factorUUID, newCode: () => codeAt(newSecret, server.clock.at) }
}
const verified = async ({ db }: Awaited<ReturnType<typeof startReset>>['server']) =>
  (await db.selectFrom('factors').select('factorUUID').where('factorStatus', '=', 'Verified').execute()).map(row => row.factorUUID)

test('MF-04: password and new code complete a factor reset in any browser, end other sessions and void the old code', async () => {
  const { server, browser, verify, newCode, newUUID, code } = await startReset()
  expect(await isSignedIn(browser)).toBe(true)
  const otherBrowser = server.openBrowser()
  expect(await otherBrowser.signIn()).toEqual({ tag: 'AuthRequires2FA' })
  expect((await verify(await newCode(), otherBrowser)).tag).toBe('AuthSuccessful')
  expect(await verified(server)).toEqual([newUUID])
  expect(await isSignedIn(browser)).toBe(false)
  const told = (await server.deliver()).map(mail => mail.to)
  expect(told).toContain('root@example.com')
  server.clock.advance(seconds(30))
  expect(await verify(await code())).toEqual(invalidCode('Pending'))
  expect((await verify(await newCode())).tag).toBe('AuthSuccessful')
})

test('MF-04: accepts the old code until the reset is complete, and the new one for ten minutes', async () => {
  const { server, verify, code, newCode, factorUUID } = await startReset()
  expect((await verify(await code())).tag).toBe('AuthSuccessful')
  server.clock.advance(limits.factor.unverified)
  expect(await verify(await newCode())).toEqual(invalidCode('Pending'))
  expect(await verified(server)).toEqual([factorUUID])
})

test('TH-07: during a factor reset, counts each wrong code once, although it could belong to the old or the new factor', async () => {
  const { verify, wrongCode, newCode } = await startReset()
  for (let i = 1; i < 5; i++) expect(await verify(await wrongCode())).toEqual(invalidCode('Pending'))
  expect(await verify(await wrongCode())).toEqual(invalidCode('Denied'))
  expect(await verify(await newCode())).toEqual(invalidCode('Denied'))
})

test('MF-04, A07: does not complete a factor reset with the ticket of a one-time link', async () => {
  const { server, newCode, factorUUID } = await startReset()
  const attacker = server.openBrowser()
  await openOneTimeLink(server, attacker)
  expect(await codeByTicket(attacker, await newCode())).toEqual(invalidCode('Pending'))
  expect(await verified(server)).toEqual([factorUUID])
})

test('MF-04: without JavaScript, a sign-in with the new code continues on the page that asks for the code and the password', async () => {
  const { server, newCode, newUUID } = await startReset()
  const browser = server.openBrowser()
  await browser.submit(at.login, ada)
  const digits = async () => ({ otp: String(await newCode()).padStart(6, '0') })
  expect((await browser.submit(at.secondFactor, await digits())).headers.location).toBe(at.codeAfterReset)
  expect((await browser.get(at.codeAfterReset)).body).toContain('name="password"')
  await browser.submit(at.codeAfterReset, { ...(await digits()), password: ada.password })
  expect(await verified(server)).toEqual([newUUID])
})

test('offers a code field to a user who approves by phone, but only while a factor reset awaits its code', async () => {
  const { server, browser, factorUUID } = await startEnrolled()
  await (await enrollDevice(browser, server.openBrowser(), 'http://localhost:8080')).verify()
  await browser.call(accountRoutes.userFactorRemove, { factorUUID })
  const types = async () => {
    const outcome = await server.openBrowser().signIn()
    return outcome.tag === 'AuthRequires2FA' && outcome.contents && 'factorTypes' in outcome.contents ? outcome.contents.factorTypes : []
  }
  expect(await types()).toEqual(['Push'])
  const { mail } = await askForReset(server, browser)
  expect(await types()).toEqual(['Push'])
  const secret = secretOf(offered(await server.openBrowser().call(routes.newFactor, linkIn(mail).claim)))
  expect(await types()).toEqual(['Push', 'TOTP'])
  const done = await server.openBrowser().call(routes.verifyOTP, { ...otp, otpVerification: await codeAt(secret, server.clock.at) })
  expect(done.tag).toBe('AuthSuccessful')
})

test('TH-08: a user whose codes are disabled can complete a factor reset in any browser after four wrong codes', async () => {
  const { server, userId, verify, wrongCode, newCode } = await startReset()
  const row = { failedCodeAttempts: limits.codes.disabledFrom, failedCodePausedUntil: null, failedCodeAllowed: 0 } as const
  await server.db
    .insertInto('failed_codes')
    .values({ failedCodeUser: userId, ...row })
    .execute()
  for (let i = 1; i < limits.factor.wrongFirstCodes; i++) expect(await verify(await wrongCode())).toEqual(invalidCode('Denied'))
  expect((await verify(await newCode())).tag).toBe('AuthSuccessful')
})

test('TH-08: while codes are disabled, a factor reset refuses the right code after five wrong codes', async () => {
  const { server, userId, verify, wrongCode, newCode } = await startReset()
  const row = { failedCodeAttempts: limits.codes.disabledFrom, failedCodePausedUntil: null, failedCodeAllowed: 0 } as const
  await server.db
    .insertInto('failed_codes')
    .values({ failedCodeUser: userId, ...row })
    .execute()
  for (let i = 0; i < limits.factor.wrongFirstCodes; i++) expect(await verify(await wrongCode())).toEqual(invalidCode('Denied'))
  expect(await verify(await newCode())).toEqual(invalidCode('Denied'))
})
