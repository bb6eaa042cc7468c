import { accountRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { seconds } from '../src/limits.ts'
import { enrol } from './authenticator.ts'
import { ask, enrolDevice, goOn, status } from './device.ts'
import { ada, isSignedIn, startServer } from './harness.ts'

const noApproval = { tag: 'AuthFailureFactorError', contents: { tag: 'DatabaseError', contents: { tag: 'NoApprovedChallenges' } } }

/** Ada with an authenticator and a device, and half a minute gone by. */
const startWithDevice = async (env = {}) => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable', ...env } })
  await server.addUser()
  const computer = server.openBrowser()
  const { secret, factorUUID } = await enrol(computer, server.clock)
  server.clock.advance(seconds(1))
  const phone = await enrolDevice(computer, server.openBrowser(), server.config.publicUrl.origin)
  const verified = await phone.verify()
  server.clock.advance(seconds(30))
  return { server, computer, secret, authenticator: factorUUID, phone, verified }
}

test('a device is enrolled by its link and a first approval; then it signs in, once, the browser that shows the number', async () => {
  const { server, computer, phone, verified } = await startWithDevice()
  expect(verified).toEqual({ tag: 'Verified' })
  expect(phone.enrolled).toMatchObject({ username: ada.username, origin: 'http://localhost:8080', productName: 'Gatehouse' })
  expect(
    (await computer.call(accountRoutes.userAccount, {})).factors.map(factor => [factor.factorFriendlyName, factor.factorFactorType]),
  ).toEqual([
    ['Authenticator app', 'TOTP'],
    ['Phone', 'Push'],
  ])
  const browser = server.openBrowser()
  expect(await browser.signIn()).toEqual({ tag: 'AuthRequires2FA', contents: { factorTypes: ['Push', 'TOTP'] } })
  const asked = await ask(browser)
  expect(await status(browser)).toEqual(['Pending', 'ReasonNone'])
  expect(await goOn(browser)).toEqual(noApproval)
  const { pending } = await phone.pending()
  expect(pending).toMatchObject({ challengeUUID: asked.challengeUUID, username: ada.username, isEnrolment: false })
  expect(JSON.stringify(pending)).not.toContain(asked.challengeNumber)
  expect(await phone.answer(asked.challengeUUID, 'Approve', asked.challengeNumber)).toMatchObject({ challengeStatus: 'Approved' })
  expect(await status(browser)).toEqual(['Approved', 'ReasonNone'])
  const signedIn = await goOn(browser)
  if (signedIn.tag !== 'AuthSuccessful') throw new Error(signedIn.tag)
  await browser.call(routes.plowlogin, signedIn.contents)
  expect(await isSignedIn(browser)).toBe(true)
  expect(await goOn(browser)).toEqual(noApproval)
  expect((await phone.pending()).pending).toBeNull()
  const sessions = await server.db.selectFrom('sessions').select('sessionFactor').execute()
  expect(sessions.map(row => row.sessionFactor)).toEqual(['Push', 'Push'])
})
