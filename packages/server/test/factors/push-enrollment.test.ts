import { accountRoutes, approverRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { minutes, seconds } from '../../src/limits.ts'
import { mailedLink } from '../credentials/mailed-link.ts'
import { codeAt, enroll, offered, otpOf, secretOf } from '../support/authenticator.ts'
import { ada, admin, type Browser, startServer } from '../support/harness.ts'
import { addPush, claimOf, differentNumber, enrollDevice, makeDevice } from './device.ts'

const start = async (env = {}) => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable', ...env } })
  await server.addUser()
  const computer = server.openBrowser()
  const first = await enroll(computer, server.clock)
  const { origin } = server.config.publicUrl
  return { server, computer, first, origin }
}

const sendEnrol = async (browser: Browser, link: string, publicKey: string, friendlyName = '') =>
  browser.send('POST', approverRoutes.enrol.path, { ...claimOf(link), publicKey, alg: 'ES256', friendlyName })
const progressOf = (browser: Browser, factorUUID: string) => browser.call(accountRoutes.userFactorPushProgress, { factorUUID })

test('enrolls a phone: the link works once, only the account page shows the number, and the first approval verifies it', async () => {
  const { server, computer, origin } = await start({ GATEHOUSE_PUBLIC_URL: 'http://localhost:8080/in' })
  const { link, factorUUID, expires } = await addPush(computer, 'Work phone')
  expect(link).toMatch(/^http:\/\/localhost:8080\/in\/approve#enrol=[\w-]{22}\.[\w-]{43}$/)
  expect(Date.parse(expires) - server.clock.at).toBe(minutes(10))
  expect(await progressOf(computer, factorUUID)).toEqual({ tag: 'Waiting' })
  const device = await makeDevice(origin)
  const path = `/in${approverRoutes.enrol.path}`
  const body = { ...claimOf(link), publicKey: device.publicKey, alg: 'ES256', friendlyName: ' My  phone ' }
  const answers = await Promise.all(Array.from({ length: 20 }, () => server.openBrowser().send('POST', path, body)))
  expect(answers.filter(answer => answer.statusCode === 200)).toHaveLength(1)
  expect(answers.filter(answer => answer.statusCode === 410)).toHaveLength(19)
  const asked = await progressOf(computer, factorUUID)
  if (asked.tag !== 'Asked') throw new Error(asked.tag)
  expect(await progressOf(computer, factorUUID)).toEqual(asked)
  // Another user's session learns nothing.
  await server.addUser(admin)
  const theirs = server.openBrowser()
  await enroll(theirs, server.clock, admin)
  expect(await progressOf(theirs, factorUUID)).toEqual({ tag: 'Over' })

  const phone = server.openBrowser()
  const { userId } = answers.find(answer => answer.statusCode === 200)?.json() ?? {}
  const proof = await device.prove(factorUUID, (await phone.call(approverRoutes.nonce, {})).nonce, approverRoutes.pending.path)
  const { pending, verified, factorFriendlyName } = await phone.call(approverRoutes.pending, proof)
  expect([pending?.isEnrolment, verified, factorFriendlyName]).toEqual([true, false, 'My phone'])
  const answer = { factorUUID, userId, challengeUUID: pending?.challengeUUID ?? '' }
  await phone.call(approverRoutes.answer, await device.answer(answer, 'Approve', asked.contents.challengeNumber))
  const before = computer.jar.get('gatehouse-session')
  expect(await progressOf(computer, factorUUID)).toEqual({ tag: 'Verified' })
  // SE-02: verifying the phone changes the session's value.
  expect(computer.jar.get('gatehouse-session')).not.toBe(before)
  expect(await progressOf(computer, factorUUID)).toEqual({ tag: 'Verified' })
  expect((await server.deliver()).map(mail => mail.subject)).toContain('Second factor added · Gatehouse')
})

test('PU-01: a wrong number fails the enrollment’s challenge; a fifth one ends the enrollment', async () => {
  const { server, computer, origin } = await start()
  const phone = await enrollDevice(computer, server.openBrowser(), origin)
  const again = () => computer.call(accountRoutes.userFactorPushAgain, { factorUUID: phone.factorUUID })
  let asked = await phone.progress()
  const numbers = new Set<string>()
  for (let i = 0; i < 5; i++) {
    if (asked.tag !== 'Asked') throw new Error(asked.tag)
    const { challengeNumber } = asked.contents
    numbers.add(challengeNumber)
    await phone.answer((await phone.pending()).pending?.challengeUUID ?? '', 'Approve', differentNumber(challengeNumber))
    const failed = { tag: 'Failed', contents: { challengeStatus: 'Denied', challengeRespondedReason: { tag: 'InvalidCode' } } }
    expect(await phone.progress()).toEqual(i < 4 ? failed : { tag: 'Over' })
    asked = await again()
  }
  expect([asked, numbers.size]).toEqual([{ tag: 'Over' }, 5])
  expect(await server.db.selectFrom('failed_codes').selectAll().execute()).toEqual([])
})

test('refuses an enrollment that is denied or late, or that uses another user’s key', async () => {
  const { server, computer, origin } = await start()
  const device = await makeDevice(origin)
  const browser = server.openBrowser()
  const { link } = await addPush(computer, 'Phone')
  const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-384' }, false, ['sign', 'verify'])
  const p384 = Buffer.from(await crypto.subtle.exportKey('spki', publicKey)).toString('base64url')
  for (const key of ['', 'key', p384, `${device.publicKey}=`, device.publicKey.slice(4)])
    expect((await sendEnrol(browser, link, key)).statusCode).toBe(400)
  server.clock.advance(minutes(10))
  expect((await sendEnrol(browser, link, device.publicKey)).statusCode).toBe(410)

  // A newer enrollment replaces the older one. A key belongs to one factor only.
  const older = await addPush(computer, 'Phone')
  const newer = await addPush(computer, 'Phone')
  expect((await sendEnrol(browser, older.link, device.publicKey)).statusCode).toBe(410)
  expect((await sendEnrol(browser, newer.link, device.publicKey)).statusCode).toBe(200)
  await server.addUser(admin)
  const theirs = server.openBrowser()
  await enroll(theirs, server.clock, admin)
  const taken = await addPush(theirs, 'Phone', admin)
  expect((await sendEnrol(browser, taken.link, device.publicKey)).statusCode).toBe(409)
  // The refused key has not used up the link.
  const phone = await makeDevice(origin)
  expect((await sendEnrol(browser, taken.link, phone.publicKey)).statusCode).toBe(200)

  const refused = await enrollDevice(computer, server.openBrowser(), origin)
  await refused.progress()
  const { pending } = await refused.pending()
  expect(await refused.answer(pending?.challengeUUID ?? '', 'Deny')).toMatchObject({ challengeRespondedReason: { tag: 'NotRequested' } })
  expect(await refused.progress()).toEqual({ tag: 'Over' })
  await expect(refused.pending()).rejects.toThrow('410')
})

test('adds a phone only with the factor type of phones, a new and valid name, and a recent sign-in', async () => {
  const { server, computer } = await start()
  const body = (name: string, type = 'Push') => ({
    factorCreationRequestIdentity: ada.username,
    factorCreationRequestFriendlyName: name,
    factorCreationRequestFactorType: type,
  })
  const add = async (given: object) => (await computer.send('POST', accountRoutes.userFactorAddPush.path, given)).statusCode
  expect([await add(body('Phone', 'TOTP')), await add(body('authenticator app')), await add(body('\u0007'))]).toEqual([400, 409, 400])
  expect((await computer.send('POST', accountRoutes.userFactorAdd.path, body('Phone'))).statusCode).toBe(400)
  server.clock.advance(minutes(15))
  expect(await add(body('Phone'))).toBe(403)
})

test('a phone can remove itself, unless it is the last factor of a user who must have one', async () => {
  const { server, computer, origin, first } = await start()
  const phone = await enrollDevice(computer, server.openBrowser(), origin)
  await phone.verify()
  await computer.call(accountRoutes.userFactorRemove, { factorUUID: first.factorUUID })
  expect(await phone.leave()).toBe(200)
  expect(await phone.leave()).toBe(410)
  expect(await server.db.selectFrom('factors').selectAll().where('factorStatus', '=', 'Verified').execute()).toEqual([])
  expect((await server.deliver()).map(mail => mail.subject)).toContain('Second factor removed · Gatehouse')

  await server.addUser(admin)
  const theirs = server.openBrowser()
  const authenticator = await enroll(theirs, server.clock, admin)
  const tablet = await enrollDevice(theirs, server.openBrowser(), origin, { user: admin })
  await tablet.verify()
  await theirs.call(accountRoutes.userFactorRemove, { factorUUID: authenticator.factorUUID })
  expect(await tablet.leave()).toBe(409)
})

test('a factor reset removes phones too', async () => {
  const { server, computer, origin } = await start()
  const phone = await enrollDevice(computer, server.openBrowser(), origin)
  await phone.verify()
  server.clock.advance(seconds(30))
  const browser = server.openBrowser()
  expect((await browser.call(routes.resetOTP, otpOf(ada))).tag).toBe('AuthRequiresFactorReset')
  const factor = offered(await browser.call(routes.newFactor, mailedLink(await server.deliver(), 'new-factor')))
  expect((await phone.pending()).verified).toBe(true)
  const otpVerification = await codeAt(secretOf(factor), server.clock.at)
  const outcome = await browser.call(routes.setupOTP, { ...otpOf(ada), otpVerification, otpFactorUUID: factor.factorUUID })
  expect(outcome.tag).toBe('AuthSuccessful')
  await expect(phone.pending()).rejects.toThrow('410')
})
