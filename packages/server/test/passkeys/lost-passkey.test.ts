import { accountRoutes, administrationRoutes, passkeyRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { createUserActs } from '../../src/admin/user-acts.ts'
import { createKeyring } from '../../src/keys/keyring.ts'
import { seconds } from '../../src/limits.ts'
import { createMail } from '../../src/mail/mail.ts'
import { createServerLanguages } from '../../src/texts/server-languages.ts'
import * as accounts from '../../src/users/users.store.ts'
import { addAuthenticator, codeAt, otpOf } from '../support/authenticator.ts'
import { ada, admin, type Browser, startServer } from '../support/harness.ts'
import { makePasskeyDevice, type PasskeyDevice } from '../support/passkey-device.ts'
import { addPasskey, origin, signInAware, usePasskey } from '../support/passkey-users.ts'
import { linkIn, resetFactor } from '../support/second-factor-users.ts'

// How a user who lost their only passkey gets back in where every user must have one: the table in docs/passkeys.md, row by row.

const application = 'http://localhost:3000'
const policy = { GATEHOUSE_SECOND_FACTOR: 'phishing-resistant', GATEHOUSE_PROTECTED_ORIGINS: application }
type Server = Awaited<ReturnType<typeof startServer>>
type Outcome = Awaited<ReturnType<typeof signInAware>>

const enter = async (browser: Browser, outcome: Outcome) => {
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  await browser.call(routes.plowlogin, outcome.contents)
}

/** Sets up a passkey at a sign-in that asks for the first second factor. */
const setUp = async (browser: Browser, offered: Outcome, otp: { otpUsername: string; otpPassword: string }) => {
  if (offered.tag !== 'AuthRequiresFactorCreation' || !offered.passkey) throw new Error(offered.tag)
  const device = makePasskeyDevice(origin)
  await enter(browser, await browser.call(passkeyRoutes.passkeySetUp, { ...otp, credential: device.create(offered.passkey) }))
  return device
}

/** A user signs in with a password, sets up a passkey, and loses it. */
const startLost = async (user = ada, env: Record<string, string> = {}) => {
  const server = await startServer({ env: { ...policy, ...env } })
  const userId = await server.addUser(user)
  const browser = server.openBrowser()
  const lost = await setUp(browser, await signInAware(browser, user), otpOf(user))
  return { server, userId, browser, lost }
}

const opens = async (browser: Browser) => {
  const asked = { proto: 'http', host: 'localhost:3000', uri: '/', method: 'GET' }
  const headers = Object.fromEntries(Object.entries(asked).map(([name, value]) => [`x-forwarded-${name}`, value]))
  return (await browser.get('/auth/request', headers)).statusCode === 200
}

/** Without a passkey, a session can open only the account page. There the user adds a new passkey and removes the lost one. */
const replaceLost = async (server: Server, browser: Browser, lost: PasskeyDevice) => {
  expect((await browser.get('/')).headers.location).toBe('/passkey-required')
  expect(await opens(browser)).toBe(false)
  await addPasskey(browser, makePasskeyDevice(origin))
  expect(await opens(browser)).toBe(true)
  const { factors } = await browser.call(accountRoutes.userAccount, {})
  const old = factors.find(factor => factor.passkey?.credentialId === lost.held[0]?.id)
  await browser.call(accountRoutes.userFactorRemove, { factorUUID: old?.factorUUID })
  expect((await usePasskey(server.openBrowser(), lost)).tag).toBe('AuthFailureFailedLogin')
}

/** What `npm run cli -- user reset-factor` runs. */
const resetByCommand = async (server: Server, username: string) => {
  const now = () => server.clock.at
  const mail = createMail({
    keyring: createKeyring(server.config.masterKeys),
    now,
    administrators: [],
    texts: createServerLanguages([], 'en'),
  })
  await server.db.transaction().execute(async tx => {
    const account = await accounts.findByIdent(tx, username)
    if (!account) throw new Error(`there is no ${username}`)
    await createUserActs({ mail, now }).removeFactors(tx, account, { actor: 'cli', origin: undefined })
  })
}

test('a user who lost the passkey signs in with a recovery code, and adds another passkey', async () => {
  const { server, browser, lost } = await startLost()
  const { recoveryCodes } = await browser.call(accountRoutes.userRecoveryCodes, {})
  const again = server.openBrowser()
  await enter(again, await again.call(routes.recoveryCode, { ...otpOf(ada), otpRecoveryCode: recoveryCodes[0] }))
  await replaceLost(server, again, lost)
})

test('a user who lost the passkey signs in with an authenticator app, and adds another passkey', async () => {
  const { server, browser, lost } = await startLost()
  const { secret } = await addAuthenticator(browser, server.clock)
  server.clock.advance(seconds(30))
  const again = server.openBrowser()
  await enter(again, await again.call(routes.verifyOTP, { ...otpOf(ada), otpVerification: await codeAt(secret, server.clock.at) }))
  await replaceLost(server, again, lost)
})

test('a user who lost the passkey resets the factor with password and mailbox, and adds another passkey', async () => {
  const { server, lost } = await startLost()
  const again = server.openBrowser()
  expect((await signInAware(again)).tag).toBe('AuthRequires2FA')
  const { done } = await resetFactor(server, again)
  await enter(again, done)
  await replaceLost(server, again, lost)
})

test('after an administrator removed the lost passkey, the user signs in with the mailbox alone, and sets up another one', async () => {
  const { server, userId, lost } = await startLost(ada, { GATEHOUSE_ADMINS: admin.username })
  await server.addUser(admin)
  const administrator = server.openBrowser()
  await setUp(administrator, await signInAware(administrator, admin), otpOf(admin))
  const factor = await server.db.selectFrom('factors').select('factorUUID').where('factorIdentity', '=', userId).executeTakeFirstOrThrow()
  const openLink = async () => {
    const browser = server.openBrowser()
    server.clock.advance(1)
    await browser.call(routes.magiclinkSend, [{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }])
    const mail = (await server.deliver()).find(({ to, text }) => to === ada.username && text.includes('/one-time-link#'))
    return { browser, outcome: await browser.call(routes.magiclinkRedeem, { ...linkIn(mail).claim, passkeys: true }) }
  }
  // Until then neither the password nor the mailbox suffices.
  expect((await signInAware(server.openBrowser())).tag).toBe('AuthRequires2FA')
  expect((await openLink()).outcome.tag).toBe('AuthRequires2FA')
  await administrator.call(administrationRoutes.removeFactor, { userId, factorUUID: factor.factorUUID })
  expect((await usePasskey(server.openBrowser(), lost)).tag).toBe('AuthFailureFailedLogin')
  const { browser, outcome } = await openLink()
  await setUp(browser, outcome, { otpUsername: '', otpPassword: '' })
  expect(await opens(browser)).toBe(true)
})

test('after an administrator removed the lost passkey, the user signs in with the password alone, and sets up another one', async () => {
  const { server, userId } = await startLost(ada, { GATEHOUSE_ADMINS: admin.username })
  await server.addUser(admin)
  const administrator = server.openBrowser()
  await setUp(administrator, await signInAware(administrator, admin), otpOf(admin))
  const factor = await server.db.selectFrom('factors').select('factorUUID').where('factorIdentity', '=', userId).executeTakeFirstOrThrow()
  await administrator.call(administrationRoutes.removeFactor, { userId, factorUUID: factor.factorUUID })
  const browser = server.openBrowser()
  await setUp(browser, await signInAware(browser), otpOf(ada))
  expect(await opens(browser)).toBe(true)
})

test('the only administrator resets the second factor on the command line, and sets up another passkey', async () => {
  const { server } = await startLost(admin, { GATEHOUSE_ADMINS: admin.username })
  expect((await signInAware(server.openBrowser(), admin)).tag).toBe('AuthRequires2FA')
  await resetByCommand(server, admin.username)
  const browser = server.openBrowser()
  await setUp(browser, await signInAware(browser, admin), otpOf(admin))
  expect((await browser.get('/administration')).statusCode).toBe(200)
})
