import { randomBytes } from 'node:crypto'
import { accountRoutes, administrationRoutes, passkeyRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { limits, minutes, seconds } from '../../src/limits.ts'
import { enrollDevice } from '../factors/device.ts'
import { codeAt, enroll, otpOf } from '../support/authenticator.ts'
import { ada, admin, startServer } from '../support/harness.ts'
import { makePasskeyDevice } from '../support/passkey-device.ts'
import { addPasskey, origin, signInAware, startWithPasskey, usePasskey } from '../support/passkey-users.ts'
import { linkIn, resetFactor, startEnrolled } from '../support/second-factor-users.ts'

const iCloud = 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd'
const otp = { otpUsername: ada.username, otpPassword: ada.password }

/** Signs in and starts a session. @returns what the outcome says about passkeys, such as the offer to add one automatically */
const upgradeAfter = async (...args: Parameters<typeof signInAware>) => {
  const [browser] = args
  const outcome = await signInAware(...args)
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  await browser.call(routes.plowlogin, outcome.contents)
  return outcome.passkeys
}

test('adds a passkey named after its provider, lists, renames and removes it, and mails the user about adding and removing', async () => {
  const { server, browser, device, added } = await startWithPasskey({}, { aaguid: iCloud })
  expect(added.factorFriendlyName).toBe('iCloud Keychain')
  server.clock.advance(1)
  const second = await addPasskey(browser, makePasskeyDevice(origin, { aaguid: iCloud, synced: false }))
  expect(second.factorFriendlyName).toBe('iCloud Keychain 2')
  expect(second.signals.allAcceptedCredentialIds).toHaveLength(2)
  const { factors, mostPasskeys } = await browser.call(accountRoutes.userAccount, {})
  expect(mostPasskeys).toBe(20)
  expect(factors.map(({ passkey }) => passkey)).toEqual([
    { credentialId: device.held[0]?.id, provider: 'iCloud Keychain', synced: true, optional: false, use: 'SignIn' },
    { credentialId: expect.any(String), provider: 'iCloud Keychain', synced: false, optional: false, use: 'SignIn' },
  ])
  const { factorUUID } = added
  await browser.call(accountRoutes.userFactorRename, { factorUUID, factorFriendlyName: 'Laptop' })
  await browser.call(accountRoutes.userFactorRemove, { factorUUID })
  expect(await usePasskey(server.openBrowser(), device)).toEqual({ tag: 'AuthFailureFailedLogin', passkey: 'Unknown' })
  expect((await browser.call(passkeyRoutes.passkeySignals, {})).allAcceptedCredentialIds).toHaveLength(1)
  const subjects = (await server.deliver()).map(mail => mail.subject)
  expect(subjects.filter(subject => subject.startsWith('Passkey added'))).toHaveLength(2)
  expect(subjects.filter(subject => subject.startsWith('Passkey removed'))).toHaveLength(1)
})

test('adds a passkey only after a recent sign-in, only with a challenge for this account, and at most 20', async () => {
  const { server, browser } = await startWithPasskey()
  const stale = makePasskeyDevice(origin).create(await browser.call(passkeyRoutes.passkeyAddOptions, {}))
  const eve = { username: 'eve@example.com', password: 'another long password' }
  await server.addUser(eve)
  const other = server.openBrowser()
  await other.enter(eve)
  const forEve = makePasskeyDevice(origin).create(await other.call(passkeyRoutes.passkeyAddOptions, {}))
  const refused = async (credential: unknown, from = browser) =>
    (await from.send('POST', passkeyRoutes.passkeyAdd.path, { credential })).statusCode
  expect(await refused(forEve)).toBe(403)
  const evesDevice = makePasskeyDevice(origin)
  const wrong = async (bad: Parameters<typeof evesDevice.create>[1]) =>
    refused(evesDevice.create(await browser.call(passkeyRoutes.passkeyAddOptions, {}), bad))
  expect(await wrong({ origin: 'https://evil.example' })).toBe(403)
  expect(await wrong({ rpId: 'evil.example' })).toBe(403)
  expect(await wrong({ flags: 1 })).toBe(403)
  expect(await wrong({ crossOrigin: true })).toBe(403)
  for (let i = 1; i < limits.passkey.perUser; i++) await addPasskey(browser, makePasskeyDevice(origin))
  expect((await browser.send('POST', passkeyRoutes.passkeyAddOptions.path, {})).statusCode).toBe(409)
  expect(await refused(stale)).toBe(409)
  server.clock.advance(minutes(16))
  expect((await browser.send('POST', passkeyRoutes.passkeyAddOptions.path, {})).json()).toMatchObject({ code: 'ReauthenticationRequired' })
})

test('refuses a passkey whose id is longer than 1,023 bytes', async () => {
  const { server, browser } = await startWithPasskey()
  const add = async (bytes: number) => {
    const id = randomBytes(bytes).toString('base64url')
    const credential = makePasskeyDevice(origin, { id }).create(await browser.call(passkeyRoutes.passkeyAddOptions, {}))
    return (await browser.send('POST', passkeyRoutes.passkeyAdd.path, { credential })).statusCode
  }
  expect(await add(1_023)).toBe(200)
  // PostgreSQL cannot index the longest ids that a request can carry.
  for (const bytes of [1_024, 3_000]) expect([bytes, await add(bytes)]).toEqual([bytes, 403])
  expect(await server.db.selectFrom('passkeys').selectAll().execute()).toHaveLength(2)
})

test('refuses a credential that belongs to another user', async () => {
  const { server, device } = await startWithPasskey()
  const eve = { username: 'eve@example.com', password: 'another long password' }
  await server.addUser(eve)
  const other = server.openBrowser()
  await other.enter(eve)
  const copy = makePasskeyDevice(origin, { id: device.held[0]?.id })
  const credential = copy.create(await other.call(passkeyRoutes.passkeyAddOptions, {}))
  expect((await other.send('POST', passkeyRoutes.passkeyAdd.path, { credential })).statusCode).toBe(409)
  expect(await server.db.selectFrom('passkeys').selectAll().execute()).toHaveLength(1)
})

test('a passkey that was added automatically signs in, and the password still suffices', async () => {
  const server = await startServer()
  await server.addUser()
  const browser = server.openBrowser()
  const offered = await upgradeAfter(browser)
  if (!offered?.upgrade) throw new Error('no upgrade was offered')
  const device = makePasskeyDevice(origin)
  // Conditional creation does not verify the user.
  const credential = device.create(offered.upgrade, { flags: 8 | 16 })
  const elsewhere = server.openBrowser()
  await elsewhere.enter()
  expect((await elsewhere.send('POST', passkeyRoutes.passkeyUpgrade.path, { credential })).statusCode).toBe(403)
  const { factorUUID } = await browser.call(passkeyRoutes.passkeyUpgrade, { credential })
  expect((await browser.send('POST', passkeyRoutes.passkeyUpgrade.path, { credential })).statusCode).toBe(403)
  expect((await server.deliver())[0]?.text).toContain('Your\npassword still works')
  expect((await server.openBrowser().signIn()).tag).toBe('AuthSuccessful')
  expect((await usePasskey(server.openBrowser(), device)).tag).toBe('AuthSuccessful')
  // The user has a passkey now, so none is offered again.
  expect((await upgradeAfter(server.openBrowser()))?.upgrade).toBeUndefined()
  expect((await browser.call(accountRoutes.userAccount, {})).factors[0]?.passkey?.optional).toBe(true)
  // An attacker with only the password may have added it, so setting up the first second factor removes it.
  await addPasskey(browser, makePasskeyDevice(origin))
  expect((await signInAware(server.openBrowser())).tag).toBe('AuthRequires2FA')
  expect(await usePasskey(server.openBrowser(), device)).toEqual({ tag: 'AuthFailureFailedLogin', passkey: 'Unknown' })
  expect((await browser.send('POST', accountRoutes.userFactorRemove.path, { factorUUID })).statusCode).toBe(404)
  expect((await server.deliver()).some(mail => mail.subject.startsWith('Passkey removed'))).toBe(true)
})

test('keeps an automatically added passkey if the user signed in with it before adding the first second factor', async () => {
  const server = await startServer()
  await server.addUser()
  const browser = server.openBrowser()
  const offered = await upgradeAfter(browser)
  if (!offered?.upgrade) throw new Error('no upgrade was offered')
  const device = makePasskeyDevice(origin)
  await browser.call(passkeyRoutes.passkeyUpgrade, { credential: device.create(offered.upgrade) })
  const own = server.openBrowser()
  const outcome = await usePasskey(own, device)
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  await own.call(routes.plowlogin, outcome.contents)
  await addPasskey(own, makePasskeyDevice(origin))
  expect((await usePasskey(server.openBrowser(), device)).tag).toBe('AuthSuccessful')
})

test('adds no passkey automatically once the user has one, even in a browser that got the offer before', async () => {
  const server = await startServer()
  await server.addUser()
  const [owner, attacker] = [server.openBrowser(), server.openBrowser()]
  // The attacker knows the password.
  const forAttacker = await upgradeAfter(attacker)
  const forOwner = await upgradeAfter(owner)
  if (!forAttacker?.upgrade || !forOwner?.upgrade) throw new Error('no upgrade was offered')
  const own = makePasskeyDevice(origin)
  await owner.call(passkeyRoutes.passkeyUpgrade, { credential: own.create(forOwner.upgrade) })
  const planted = makePasskeyDevice(origin)
  const second = await attacker.send('POST', passkeyRoutes.passkeyUpgrade.path, { credential: planted.create(forAttacker.upgrade) })
  expect(second.statusCode).toBe(403)
  // A session that a passkey opened keeps the automatic passkeys, so the attacker's would outlive the first second factor.
  const outcome = await usePasskey(owner, own)
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  await owner.call(routes.plowlogin, outcome.contents)
  await addPasskey(owner, makePasskeyDevice(origin))
  expect((await usePasskey(attacker, planted)).tag).toBe('AuthFailureFailedLogin')
})

test('the first authenticator app removes a passkey that was added automatically', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  await server.addUser()
  const browser = server.openBrowser()
  const first = await signInAware(browser)
  if (first.tag !== 'AuthRequiresFactorCreation') throw new Error(first.tag)
  const skip = { ...otp, otpFactorUUID: first.contents.factorUUID, otpVerification: null, passkeys: true }
  const skipped = await browser.call(routes.setupOTP, skip)
  if (skipped.tag !== 'AuthSuccessful' || !skipped.passkeys?.upgrade) throw new Error(skipped.tag)
  await browser.call(routes.plowlogin, skipped.contents)
  const planted = makePasskeyDevice(origin)
  await browser.call(passkeyRoutes.passkeyUpgrade, { credential: planted.create(skipped.passkeys.upgrade) })
  expect((await usePasskey(server.openBrowser(), planted)).tag).toBe('AuthSuccessful')
  await enroll(server.openBrowser(), server.clock)
  expect((await usePasskey(server.openBrowser(), planted)).tag).toBe('AuthFailureFailedLogin')
})

test('offers an automatic passkey after a one-time code, but not after a mailed password, a one-time link or a recovery code', async () => {
  const { server, browser, code, verify } = await startEnrolled()
  const upgradeOf = (outcome: Awaited<ReturnType<typeof verify>>) => (outcome.tag === 'AuthSuccessful' ? outcome.passkeys?.upgrade : null)
  expect(upgradeOf(await verify(await code()))).toBeUndefined()
  server.clock.advance(seconds(30))
  expect(upgradeOf(await browser.call(routes.verifyOTP, { ...otp, otpVerification: await code(), passkeys: true }))).toBeDefined()
  const { recoveryCodes } = await browser.call(accountRoutes.userRecoveryCodesAnew, {})
  const byRecovery = await server.openBrowser().call(routes.recoveryCode, { ...otp, otpRecoveryCode: recoveryCodes[0], passkeys: true })
  expect(upgradeOf(byRecovery)).toBeUndefined()
  await server.db.updateTable('users').set({ userPasswordByMail: 1 }).execute()
  server.clock.advance(seconds(30))
  expect(upgradeOf(await browser.call(routes.verifyOTP, { ...otp, otpVerification: await code(), passkeys: true }))).toBeUndefined()

  const plain = await startServer()
  await plain.addUser()
  const visitor = plain.openBrowser()
  await visitor.call(routes.magiclinkSend, [{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }])
  const [mail] = await plain.deliver()
  expect(upgradeOf(await visitor.call(routes.magiclinkRedeem, { ...linkIn(mail).claim, passkeys: true }))).toBeUndefined()
})

test('sets up a passkey in place of the authenticator app at the first sign-in', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'required' } })
  await server.addUser()
  const browser = server.openBrowser()
  const offered = await signInAware(browser)
  if (offered.tag !== 'AuthRequiresFactorCreation' || !offered.passkey) throw new Error(offered.tag)
  const device = makePasskeyDevice(origin)
  const credential = device.create(offered.passkey)
  const setUp = (from = browser, password = ada.password) =>
    from.call(passkeyRoutes.passkeySetUp, { ...otp, otpPassword: password, credential })
  expect((await setUp(server.openBrowser())).tag).toBe('AuthFailureFactorError')
  expect((await setUp(browser, 'wrong')).tag).toBe('AuthFailureFailedLogin')
  expect((await setUp()).tag).toBe('AuthSuccessful')
  expect((await setUp()).tag).toBe('AuthFailureFactorError')
  expect((await server.deliver())[0]?.subject).toContain('Passkey added')
  expect(await server.db.selectFrom('factors').select('factorFactorType').execute()).toEqual([{ factorFactorType: 'Passkey' }])
  // A client that knows only the specification learns that a second factor is required, and gets no unknown field.
  expect(await browser.signIn()).toEqual({ tag: 'AuthRequires2FA' })
  expect((await usePasskey(browser, device)).tag).toBe('AuthSuccessful')
})

test('with an authenticator app and a passkey, a client that knows only the specification still signs in with a code', async () => {
  const { server, browser, code, verify } = await startEnrolled()
  await addPasskey(browser, makePasskeyDevice(origin))
  expect(await browser.signIn()).toEqual({ tag: 'AuthRequires2FA' })
  expect((await verify(await code())).tag).toBe('AuthSuccessful')
  const aware = await signInAware(server.openBrowser())
  expect(aware).toMatchObject({ tag: 'AuthRequires2FA', contents: { factorTypes: ['Passkey', 'TOTP'] } })
})

test('reset mails neither add nor remove passkeys, and a password reset lists them', async () => {
  const { server, browser } = await startEnrolled()
  const device = makePasskeyDevice(origin, { aaguid: iCloud })
  await addPasskey(browser, device)
  server.clock.advance(minutes(1))
  const { factorUUID } = await resetFactor(server, browser)
  const left = await server.db.selectFrom('factors').select(['factorUUID', 'factorFactorType']).orderBy('factorFactorType').execute()
  expect(left).toEqual([
    { factorUUID: expect.any(String), factorFactorType: 'Passkey' },
    { factorUUID, factorFactorType: 'TOTP' },
  ])
  await browser.call(routes.sendPasswordResetEmail, { useremail: ada.username })
  const mail = (await server.deliver()).find(one => one.text.includes('/new-password#'))
  const { selector, token } = linkIn(mail).claim
  const newPassword = { newpassword: 'a new long password', newpasswordverification: 'a new long password' }
  const reset = { username: ada.username, resettoken: `${selector}.${token}`, ...newPassword }
  expect(await browser.call(routes.resetPassword, reset)).toEqual({ passkeys: ['iCloud Keychain'] })
  const told = (await server.deliver()).find(one => one.subject.startsWith('Password changed'))
  expect(told?.text).toContain('iCloud Keychain')
  expect((await usePasskey(server.openBrowser(), device)).tag).toBe('AuthSuccessful')
  const { userPasswordByMail } = await server.db.selectFrom('users').select('userPasswordByMail').executeTakeFirstOrThrow()
  // A sign-in with a passkey does not vouch for the mailed password.
  expect(userPasswordByMail).toBe(1)
})

test('administrators find users with passkeys and remove a passkey, and the server notifies the user', async () => {
  const { server, userId, device, added } = await startWithPasskey()
  await server.addUser(admin)
  const administrator = server.openBrowser()
  await administrator.enter(admin)
  const { users } = await administrator.call(administrationRoutes.users, { filter: 'WithPasskey' })
  expect(users.map(user => [user.userIdent, user.passkeys, user.passkeysAlone])).toEqual([[ada.username, 1, 1]])
  expect((await administrator.call(administrationRoutes.overview, {})).withPasskey).toBe(1)
  await administrator.call(administrationRoutes.removeFactor, { userId, factorUUID: added.factorUUID })
  expect((await administrator.call(administrationRoutes.users, { filter: 'WithPasskey' })).users).toEqual([])
  expect((await usePasskey(server.openBrowser(), device)).tag).toBe('AuthFailureFailedLogin')
  expect((await server.deliver()).filter(mail => mail.subject.startsWith('Passkey removed'))).toHaveLength(1)
})

test('with passkeys off, no call and no answer offers one, and an authenticator app can still be set up', async () => {
  const server = await startServer({ env: { GATEHOUSE_PUBLIC_URL: 'http://192.0.2.7:8080', GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  await server.addUser()
  const browser = server.openBrowser()
  expect((await browser.send('POST', passkeyRoutes.passkeyOptions.path, { purpose: 'SignIn' })).statusCode).toBe(404)
  expect(await signInAware(browser)).not.toHaveProperty('passkey')
  // A credential from when passkeys were on is refused before the password is checked, so the attempt is not counted.
  const before = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'required' } })
  await before.addUser()
  const offered = await signInAware(before.openBrowser())
  if (offered.tag !== 'AuthRequiresFactorCreation' || !offered.passkey) throw new Error(offered.tag)
  const credential = makePasskeyDevice(origin).create(offered.passkey)
  expect(await browser.call(passkeyRoutes.passkeySetUp, { ...otp, credential })).toEqual({ tag: 'AuthFailureFailedLogin' })
  expect(await server.db.selectFrom('failed_logins').selectAll().execute()).toEqual([])
  await enroll(browser, server.clock)
  expect((await browser.send('POST', passkeyRoutes.passkeyAddOptions.path, {})).statusCode).toBe(404)
  expect((await browser.call(accountRoutes.userAccount, {})).mostPasskeys).toBeUndefined()
  expect((await browser.get('/.well-known/passkey-endpoints')).statusCode).toBe(404)
})

test('serves the addresses that browsers and password managers look for', async () => {
  const server = await startServer({
    env: {
      GATEHOUSE_PUBLIC_URL: 'https://sign-in.example.com/gate',
      GATEHOUSE_ORIGINS: 'https://app.example.org, https://www.sign-in.example.com',
      GATEHOUSE_SECURITY_CONTACT: 'security@example.com',
    },
  })
  const get = (path: string) => server.app.inject({ url: path })
  expect((await get('/.well-known/webauthn')).json()).toEqual({ origins: ['https://app.example.org'] })
  const account = 'https://sign-in.example.com/gate/account#passkeys'
  expect((await get('/.well-known/passkey-endpoints')).json()).toEqual({ enroll: account, manage: account })
  const change = await get('/.well-known/change-password')
  expect([change.statusCode, change.headers.location]).toEqual([303, 'https://sign-in.example.com/gate/?return=account-password-page0'])
  const { body, headers } = await get('/.well-known/security.txt')
  expect(headers['content-type']).toMatch(/^text\/plain/)
  expect(body).toMatch(/^Contact: mailto:security@example\.com\nExpires: 2026-12-20T03:00:00\.000Z\nPreferred-Languages: en\n$/)
  const other = await startServer()
  expect((await other.app.inject({ url: '/.well-known/security.txt' })).statusCode).toBe(404)
  expect((await other.app.inject({ url: '/.well-known/webauthn' })).statusCode).toBe(404)
})

test('deleting a user deletes the passkeys and the user handle', async () => {
  const { server } = await startWithPasskey()
  await server.db.deleteFrom('users').execute()
  expect(await server.db.selectFrom('passkeys').selectAll().execute()).toEqual([])
  expect(await server.db.selectFrom('passkey_handles').selectAll().execute()).toEqual([])
})

test('refuses to remove the phone of a user who must have a second factor if the only other factor is an automatically added passkey', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  await server.addUser(admin)
  const browser = server.openBrowser()
  const authenticator = await enroll(browser, server.clock, admin)
  const phone = await enrollDevice(browser, server.openBrowser(), origin, { user: admin })
  await phone.verify()
  const offered = await signInAware(browser, admin)
  expect(offered.tag).toBe('AuthRequires2FA')
  server.clock.advance(seconds(30))
  const otpVerification = await codeAt(authenticator.secret, server.clock.at)
  const outcome = await browser.call(routes.verifyOTP, { ...otpOf(admin), otpVerification, passkeys: true })
  if (outcome.tag !== 'AuthSuccessful' || !outcome.passkeys?.upgrade) throw new Error('no upgrade was offered')
  await browser.call(routes.plowlogin, outcome.contents)
  await browser.call(passkeyRoutes.passkeyUpgrade, { credential: makePasskeyDevice(origin).create(outcome.passkeys.upgrade) })
  await browser.call(accountRoutes.userFactorRemove, { factorUUID: authenticator.factorUUID })
  expect(await phone.leave()).toBe(409)
})
