import { accountRoutes, passkeyRoutes, routes } from '@gatehouse/wire'
import { expect, onTestFinished, test, vi } from 'vitest'
import { minutes } from '../../src/limits.ts'
import { ada, type Browser, isSignedIn } from '../support/harness.ts'
import { flags, makePasskeyDevice } from '../support/passkey-device.ts'
import { addPasskey, optionsFor, origin, signInAware, startWithPasskey, usePasskey } from '../support/passkey-users.ts'
import { createNotes } from '../support/statement-notes.ts'

test('signs in with a passkey alone; the user handle does not contain the user id', async () => {
  const { server, userId, device, added } = await startWithPasskey()
  expect(added.signals.userId).not.toContain(userId)
  expect(Buffer.from(added.signals.userId, 'base64url')).toHaveLength(32)
  const other = server.openBrowser()
  const options = await optionsFor(other, 'SignIn')
  expect(options).toEqual({ challenge: expect.any(String), timeout: minutes(5), rpId: 'localhost', userVerification: 'required' })
  const outcome = await other.call(passkeyRoutes.passkeySignIn, { credential: device.get(options) })
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  expect(outcome.passkeys).toEqual({ signals: added.signals })
  await other.call(routes.plowlogin, outcome.contents)
  expect(await isSignedIn(other)).toBe(true)
  const [session] = await server.db.selectFrom('sessions').select('sessionFactor').where('sessionFactor', '=', 'Passkey').execute()
  expect(session).toBeDefined()
  // Only used challenges have a row: one for adding the passkey, and one for the sign-in.
  expect(await server.db.selectFrom('used_passkey_challenges').selectAll().execute()).toHaveLength(2)
})

test('a challenge works once, in its browser, for its purpose and for five minutes', async () => {
  const { server, device } = await startWithPasskey()
  const browser = server.openBrowser()
  const credential = device.get(await optionsFor(browser, 'SignIn'))
  const use = (from = browser, body: object = credential) => from.call(passkeyRoutes.passkeySignIn, { credential: body })
  const refused = { tag: 'AuthFailureFailedLogin', passkey: 'Refused' }
  expect(await use(server.openBrowser())).toEqual(refused)
  expect(await use(browser, device.get(await optionsFor(browser, 'Reauthentication')))).toEqual(refused)
  expect((await use()).tag).toBe('AuthSuccessful')
  expect(await use()).toEqual(refused)
  const late = device.get(await optionsFor(browser, 'SignIn'))
  server.clock.advance(minutes(5))
  expect(await use(browser, late)).toEqual(refused)
})

test('of 200 parallel uses of one challenge, one signs in', async () => {
  const { server, device } = await startWithPasskey()
  const browser = server.openBrowser()
  const credential = device.get(await optionsFor(browser, 'SignIn'))
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => browser.call(passkeyRoutes.passkeySignIn, { credential })))
  expect(outcomes.filter(({ tag }) => tag === 'AuthSuccessful')).toHaveLength(1)
  expect(
    await server.db.selectFrom('hand_overs').select('authTokenSelector').where('handOverFactor', '=', 'Passkey').execute(),
  ).toHaveLength(1)
})

test('refuses a passkey without user verification, for another origin, RP ID or user, or in a frame of another origin', async () => {
  const { server, device } = await startWithPasskey()
  const browser = server.openBrowser()
  for (const wrong of [
    { flags: flags.userPresent | flags.backupEligible | flags.backedUp },
    { flags: flags.userVerified | flags.backupEligible | flags.backedUp },
    { flags: flags.userPresent | flags.userVerified },
    { origin: 'http://localhost:8081' },
    { origin: 'https://localhost:8080' },
    { rpId: 'example.com' },
    { userHandle: null },
    { userHandle: 'b3RoZXI' },
    { type: 'webauthn.create' },
    { crossOrigin: true },
    { signature: () => Buffer.alloc(70) },
  ])
    expect([wrong, await usePasskey(browser, device, wrong)]).toEqual([wrong, { tag: 'AuthFailureFailedLogin', passkey: 'Refused' }])
  expect((await usePasskey(browser, device)).tag).toBe('AuthSuccessful')
})

test('says that a passkey is unknown only if it does not exist, and only to a browser with a challenge', async () => {
  const { server, device, userId } = await startWithPasskey()
  const browser = server.openBrowser()
  const stranger = makePasskeyDevice(origin)
  stranger.held.push(...device.held.map(one => ({ ...one, id: 'AAAAAAAAAAAAAAAAAAAAAA' })))
  expect(await usePasskey(browser, stranger)).toEqual({ tag: 'AuthFailureFailedLogin', passkey: 'Unknown' })
  const credential = stranger.get({ challenge: 'bm9uZQ', timeout: 1, rpId: 'localhost', userVerification: 'required' })
  expect(await browser.call(passkeyRoutes.passkeySignIn, { credential })).toEqual({ tag: 'AuthFailureFailedLogin', passkey: 'Refused' })
  await server.db.deleteFrom('users').where('userId', '=', userId).execute()
  expect(await usePasskey(browser, device)).toEqual({ tag: 'AuthFailureFailedLogin', passkey: 'Unknown' })
})

test('lists no passkey for a username: unknown users and users with a passkey get the same bytes', async () => {
  const { server, device } = await startWithPasskey()
  const answersFor = async (username: string) => {
    const browser = server.openBrowser()
    // The call takes no username.
    expect((await browser.send('POST', passkeyRoutes.passkeyOptions.path, { purpose: 'SignIn', username })).statusCode).toBe(400)
    const { challenge: _, ...options } = await optionsFor(browser, 'SignIn')
    expect(options).toEqual({ timeout: expect.any(Number), rpId: 'localhost', userVerification: 'required' })
    const credential = device.get(await optionsFor(browser, 'SecondFactor'))
    const otp = { otpUsername: username, otpPassword: 'wrong' }
    const login = { username, password: 'wrong', useragent: '', passkeys: true }
    const refused = [
      await browser.send('POST', routes.getAuthTokenWithError.path, login),
      await browser.send('POST', passkeyRoutes.passkeyVerify.path, { ...otp, credential }),
    ]
    // The cookie that joins the steps of a sign-in is random.
    const cookieOf = (set: unknown) => String(set).replace(/=[\w-]{22};/, '=random;')
    return refused.map(({ statusCode, body, headers }) => [statusCode, body, Object.keys(headers), cookieOf(headers['set-cookie'])])
  }
  expect(await answersFor('nobody@example.com')).toEqual(await answersFor(ada.username))
})

test('an unknown passkey costs the same statements and signature checks as a known one with a wrong signature', async () => {
  const notes = createNotes()
  const { server, browser: owner, device } = await startWithPasskey({ watch: notes.watch })
  const browser = server.openBrowser()
  const checked = vi.spyOn(crypto.subtle, 'verify')
  onTestFinished(() => checked.mockRestore())
  const stranger = makePasskeyDevice(origin)
  stranger.create(await owner.call(passkeyRoutes.passkeyAddOptions, {}))
  const ids = { known: device.held[0]?.id ?? '', unknown: stranger.held[0]?.id ?? '' }
  const costs = async (id: string, from: Browser, challenge?: string) => {
    const options = await optionsFor(from, 'SignIn')
    // Only the signature is wrong: the stranger's key signs for both ids.
    const credential = { ...stranger.get({ ...options, challenge: challenge ?? options.challenge }), id, rawId: id }
    checked.mockClear()
    const statements = await notes.of(() => from.call(passkeyRoutes.passkeySignIn, { credential }))
    return { statements, signatures: checked.mock.calls.length }
  }
  const expected = { statements: ['select passkeys', 'insert audit'], signatures: 1 }
  expect(await costs(ids.known, browser)).toEqual(expected)
  expect(await costs(ids.unknown, browser)).toEqual(expected)
  // Without a challenge of this browser, neither costs a signature check.
  const none = { ...expected, signatures: 0 }
  expect(await costs(ids.known, browser, 'bm9uZQ')).toEqual(none)
  expect(await costs(ids.unknown, browser, 'bm9uZQ')).toEqual(none)
  const otp = { otpUsername: ada.username, otpPassword: ada.password }
  const asSecond = async (id: string) => {
    const credential = { ...stranger.get(await optionsFor(browser, 'SecondFactor')), id, rawId: id }
    checked.mockClear()
    const statements = await notes.of(() => browser.call(passkeyRoutes.passkeyVerify, { ...otp, credential }))
    return { statements, signatures: checked.mock.calls.length }
  }
  const second = await asSecond(ids.known)
  expect(second.signatures).toBe(1)
  expect(await asSecond(ids.unknown)).toEqual(second)
})

test('a lockout of the password does not block a passkey, but a forced reset does', async () => {
  const { server, device, userId } = await startWithPasskey()
  const browser = server.openBrowser()
  for (let i = 0; i < 11; i++) await browser.signIn({ ...ada, password: 'wrong' })
  expect((await browser.signIn()).tag).toBe('AuthFailureFailedLogin')
  expect((await usePasskey(browser, device)).tag).toBe('AuthSuccessful')
  await server.db.updateTable('users').set({ userForcedReset: 1 }).where('userId', '=', userId).execute()
  expect(await usePasskey(browser, device)).toEqual({ tag: 'AuthFailureForcedReset' })
})

test('refuses a device-bound passkey whose signature counter does not increase, and notifies the user', async () => {
  const { server, device } = await startWithPasskey({}, { synced: false })
  const browser = server.openBrowser()
  expect((await usePasskey(browser, device, { counter: 10 })).tag).toBe('AuthSuccessful')
  for (const counter of [10, 9, 0])
    expect(await usePasskey(browser, device, { counter })).toEqual({ tag: 'AuthFailureFailedLogin', passkey: 'Refused' })
  const mails = (await server.deliver()).filter(mail => mail.subject.startsWith('Passkey refused'))
  expect(mails).toHaveLength(1)
  const rows = await server.db.selectFrom('audit').select('auditResult').where('auditEvent', '=', 'passkey-sign-in').execute()
  expect(rows.filter(row => row.auditResult === 'counter-went-back')).toHaveLength(3)
  expect((await usePasskey(browser, device, { counter: 11 })).tag).toBe('AuthSuccessful')
})

test('accepts any signature counter of a synced passkey', async () => {
  const { server, device } = await startWithPasskey()
  const browser = server.openBrowser()
  for (const counter of [7, 3, 0]) expect((await usePasskey(browser, device, { counter })).tag).toBe('AuthSuccessful')
})

test('verifies a passkey as the second factor, and names it only to pages that handle passkeys', async () => {
  const { server, device, added } = await startWithPasskey()
  const browser = server.openBrowser()
  expect(await browser.signIn()).toEqual({ tag: 'AuthRequires2FA' })
  const required = await signInAware(browser)
  if (required.tag !== 'AuthRequires2FA' || !required.contents || !('passkey' in required.contents)) throw new Error(required.tag)
  expect(required.contents.factorTypes).toEqual(['Passkey'])
  const { passkey } = required.contents
  if (!passkey) throw new Error('there are no options')
  expect(passkey.allowCredentials?.map(({ id }) => id)).toEqual(added.signals.allAcceptedCredentialIds)
  const otp = { otpUsername: ada.username, otpPassword: ada.password }
  const verify = (body: object, from = browser) => from.call(passkeyRoutes.passkeyVerify, { ...otp, ...body })
  const credential = device.get(passkey, { userHandle: null })
  expect((await verify({ credential, otpPassword: 'wrong' })).tag).toBe('AuthFailureFailedLogin')
  expect((await verify({ credential }, server.openBrowser())).tag).toBe('AuthFailureFactorError')
  expect((await verify({ credential: device.get(await optionsFor(browser, 'SignIn')) })).tag).toBe('AuthFailureFactorError')
  expect((await verify({ credential })).tag).toBe('AuthSuccessful')
  expect((await verify({ credential })).tag).toBe('AuthFailureFactorError')
  // A challenge without a list of passkeys works as well: the page asks for it when the first one has expired.
  expect((await verify({ credential: device.get(await optionsFor(browser, 'SecondFactor')) })).tag).toBe('AuthSuccessful')
})

test("refuses another user's passkey as the second factor", async () => {
  const { server, device } = await startWithPasskey()
  const eve = { username: 'eve@example.com', password: 'another long password' }
  await server.addUser(eve)
  const evesBrowser = server.openBrowser()
  await evesBrowser.enter(eve)
  const evesDevice = makePasskeyDevice(origin)
  await addPasskey(evesBrowser, evesDevice)
  const attacker = server.openBrowser()
  const options = await optionsFor(attacker, 'SecondFactor')
  const otp = { otpUsername: ada.username, otpPassword: ada.password }
  const [{ id } = { id: '' }] = device.held
  const swapped = { ...evesDevice.get(options), id, rawId: id }
  for (const credential of [evesDevice.get(options), swapped])
    expect((await attacker.call(passkeyRoutes.passkeyVerify, { ...otp, credential })).tag).toBe('AuthFailureFactorError')
  expect((await usePasskey(attacker, evesDevice)).tag).toBe('AuthSuccessful')
})

test('reauthenticates with a passkey, and accepts one instead of the password that a change requires', async () => {
  const { server, browser, device } = await startWithPasskey()
  server.clock.advance(minutes(16))
  expect((await browser.send('POST', accountRoutes.userRecoveryCodesAnew.path, {})).statusCode).toBe(403)
  await browser.call(passkeyRoutes.passkeyConfirm, { credential: device.get(await optionsFor(browser, 'Reauthentication')) })
  expect((await browser.call(accountRoutes.userRecoveryCodesAnew, {})).recoveryCodes).toHaveLength(10)
  const change = { newemail: 'ada@example.org', password: '' }
  expect((await browser.send('POST', accountRoutes.userEmailChange.path, change)).statusCode).toBe(403)
  const credential = device.get(await optionsFor(browser, 'Reauthentication'))
  await browser.call(accountRoutes.userEmailChange, { ...change, credential })
  expect((await server.deliver()).map(({ to }) => to)).toContain('ada@example.org')
  expect((await browser.send('POST', accountRoutes.userEmailChange.path, { ...change, credential })).statusCode).toBe(403)
})
