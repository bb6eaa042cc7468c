import { accountRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { minutes, seconds } from '../../src/limits.ts'
import { ada, isSignedIn } from '../support/harness.ts'
import { invalidCode, otp, startEnrolled } from '../support/second-factor-users.ts'

test('MF-05: creates ten recovery codes after the first verified factor; each replaces a code once', async () => {
  const { server, browser, code, verify } = await startEnrolled()
  const outcome = await verify(await code())
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  const { authTokenSelector, authTokenToken } = outcome.contents
  const arrived = await browser.get(`/auth/page/plow/${authTokenSelector}/${authTokenToken}`)
  expect([arrived.statusCode, arrived.headers.location]).toEqual([303, '/recovery-codes'])
  expect((await browser.get('/recovery-codes')).statusCode).toBe(200)
  const { recoveryCodes } = await browser.call(accountRoutes.userRecoveryCodes, {})
  expect(new Set(recoveryCodes).size).toBe(10)
  for (const one of recoveryCodes) expect(one).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
  expect(JSON.stringify(await server.db.selectFrom('recovery_codes').selectAll().execute())).not.toContain(recoveryCodes[0])
  // The codes are shown once.
  expect((await browser.send('POST', accountRoutes.userRecoveryCodes.path, {})).statusCode).toBe(403)
  expect((await browser.get('/recovery-codes')).headers.location).toBe('/account')

  const other = server.openBrowser()
  const typed = recoveryCodes[3]?.toUpperCase().replaceAll('-', ' ') ?? ''
  const used = await other.call(routes.recoveryCode, { ...otp, otpRecoveryCode: typed })
  expect(used.tag).toBe('AuthSuccessful')
  expect(await other.call(routes.recoveryCode, { ...otp, otpRecoveryCode: typed })).toEqual(invalidCode('Pending'))
  expect((await server.deliver())[0]).toMatchObject({ to: ada.username })
  // Recovery codes and one-time codes share one count of failed attempts: five wrong ones in a row pause both.
  for (let i = 2; i <= 5; i++) await other.call(routes.recoveryCode, { ...otp, otpRecoveryCode: 'abcd-efgh-abcd-efgh' })
  expect(await other.call(routes.recoveryCode, { ...otp, otpRecoveryCode: recoveryCodes[4] })).toEqual(invalidCode('Denied'))
  server.clock.advance(seconds(30))
  expect(await verify(await code())).toEqual(invalidCode('Denied'))
  const arrivedLater = await server.db.selectFrom('recovery_codes').selectAll().execute()
  expect(arrivedLater).toHaveLength(9)
})

test('creates recovery codes only for a session with a second factor', async () => {
  const { server, browser } = await startEnrolled()
  await server.db.updateTable('sessions').set({ sessionFactor: null }).execute()
  expect((await browser.send('POST', accountRoutes.userRecoveryCodes.path, {})).statusCode).toBe(403)
  expect((await server.openBrowser().send('POST', accountRoutes.userRecoveryCodes.path, {})).statusCode).toBe(403)
})

test('creates recovery codes only soon after a sign-in, so a cookie stolen later cannot create any', async () => {
  const { server, browser } = await startEnrolled()
  server.clock.advance(minutes(15))
  expect(await isSignedIn(browser)).toBe(true)
  expect((await browser.get('/recovery-codes')).headers.location).toBe('/account')
  expect((await browser.send('POST', accountRoutes.userRecoveryCodes.path, {})).statusCode).toBe(403)
})
