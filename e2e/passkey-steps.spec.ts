import { DatabaseSync } from 'node:sqlite'
import type { Page } from '@playwright/test'
import { TOTP } from 'totp-generator'
import { type IdentityProvider, startIdentityProvider } from '../packages/server/test/sso/identity-provider.ts'
import { freePort } from '../packages/server/test/support/free-port.ts'
import { mailedLink, readMails } from './dev-mailbox.ts'
import { admin, test as base, expect, type Gatehouse, signInPage } from './gatehouse.ts'
import {
  addAuthenticator,
  addPasskey,
  type ManagerCall,
  recordManagerCalls,
  signedIn,
  signOut,
  startWithPasskey,
  withoutAutofill,
  withPasskey,
} from './passkey-authenticator.ts'
import { button, heading, withGoogle } from './sign-on.ts'

// Passkeys alongside other ways to sign in: after a password, an emailed link, a provider or a recovery code.

const test = base.extend<{ policy: string; port: number; google: IdentityProvider }>({
  policy: ['off', { option: true }],
  // Playwright requires the braces.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright demands a pattern
  port: async ({}, use) => use(await freePort()),
  google: async ({ port }, use) => {
    const google = await startIdentityProvider({ publicUrl: `http://localhost:${port}` })
    google.users.set('admin-at-google', { sub: 'admin-at-google', email: admin.username, email_verified: true })
    google.state.user = 'admin-at-google'
    await use(google)
    await google.stop()
  },
  settings: async ({ policy, port, google }, use) =>
    use({
      GATEHOUSE_LISTEN: `127.0.0.1:${port}`,
      GATEHOUSE_PUBLIC_URL: `http://localhost:${port}`,
      GATEHOUSE_SECOND_FACTOR: policy,
      ...google.env('GOOGLE'),
    }),
  // Depends on `gatehouse`, so that the server runs before a test opens a page.
  baseURL: async ({ port, gatehouse }, use) => use(gatehouse.url && `http://localhost:${port}`),
})

/** Makes a call in the session of the page, with the headers that the page would send. */
const post = async (page: Page, path: string, body: object) => {
  const origin = new URL(page.url()).origin
  const response = await page.request.post(`${origin}${path}`, { data: body, headers: { origin } })
  if (!response.ok()) throw new Error(`${path} answered ${response.status()}: ${await response.text()}`)
  return response.json()
}

const setUser = ({ dataDir }: Gatehouse, column: 'userGoogleId' | 'userPassword', value: string | null) => {
  const database = new DatabaseSync(`${dataDir}/gatehouse.sqlite`, { timeout: 5000 })
  database.prepare(`update users set "${column}" = ?`).run(value)
  database.close()
}
const linkGoogle = (gatehouse: Gatehouse, google: IdentityProvider) =>
  setUser(gatehouse, 'userGoogleId', `${google.issuer} admin-at-google`)

const signInAtGoogle = async (page: Page) => {
  await page.goto('/')
  await withGoogle(page).click()
  await button(page, 'Continue').click()
}

/** Requests a one-time link and opens it. */
const openOneTimeLink = async (page: Page, gatehouse: Gatehouse) => {
  await page.goto('/')
  const links = async () => (await readMails(gatehouse)).filter(({ text }) => text.includes('/one-time-link#')).length
  const before = await links()
  await post(page, '/magiclink/send', [{ email: admin.username, redirect: { tag: 'RedirectDashboard' } }])
  await expect.poll(links, { timeout: 10_000 }).toBe(before + 1)
  await page.goto(await mailedLink(gatehouse, admin.username, 'one-time-link'))
  await button(page, 'Sign in').click()
}

const creations = (calls: readonly ManagerCall[]) => calls.filter(({ name }) => name === 'create').map(({ options }) => options)

test('adds a passkey without asking after a typed password, and tells the password manager', async ({ page }) => {
  await withoutAutofill(page)
  const calls = await recordManagerCalls(page)
  const authenticator = await addAuthenticator(page)
  await page.goto('/')
  await signInPage(page).signIn()
  await signedIn(page)
  expect(creations(calls)).toEqual(['conditional'])
  const passkeys = page.getByRole('region', { name: 'Passkeys' })
  await expect(passkeys.getByRole('button', { name: /^Remove/ })).toHaveCount(1)
  const [id] = await authenticator.ids()
  await expect.poll(() => calls.at(-1)?.name).toBe('signalCurrentUserDetails')
  const [accepted, details] = calls.slice(-2)
  const user = { rpId: 'localhost', userId: expect.any(String) }
  expect(accepted).toEqual({ name: 'signalAllAcceptedCredentials', options: { ...user, allAcceptedCredentialIds: [id] } })
  expect(details?.options).toEqual({ ...user, name: admin.username, displayName: admin.username })

  // After the removal, the page reports that no passkey is accepted. After a sign-in with the removed one, it reports that one as unknown.
  calls.splice(0)
  await passkeys.getByRole('button', { name: /^Remove/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Remove/ })
    .click()
  await expect.poll(() => calls[0]?.options).toEqual({ ...user, allAcceptedCredentialIds: [] })
  await authenticator.answers(false)
  await signOut(page)
  await authenticator.answers(true)
  await withPasskey(page).click()
  await expect(signInPage(page).error).toHaveText(/^This passkey no longer works here/)
  await expect.poll(() => calls.at(-1)).toEqual({ name: 'signalUnknownCredential', options: { rpId: 'localhost', credentialId: id } })
})

test('adds no passkey without asking after an emailed link, a provider or a recovery code', { tag: '@long' }, async ({
  page,
  gatehouse,
  google,
}) => {
  test.slow()
  const calls = await recordManagerCalls(page)
  await addAuthenticator(page)
  linkGoogle(gatehouse, google)
  // The account has no second factor yet.
  await openOneTimeLink(page, gatehouse)
  await signedIn(page)
  const app = await post(page, '/user/factor/add', {
    factorCreationRequestIdentity: admin.username,
    factorCreationRequestFriendlyName: 'Phone',
    factorCreationRequestFactorType: 'TOTP',
  })
  const secret: string = app.factorBinding.contents.factorTOTPBindingSecret
  let step = 0
  /** Each code works once. */
  const nextCode = async () => (await TOTP.generate(secret, { timestamp: Date.now() + 30_000 * (step++ - 1) })).otp
  const first = { verifyTOTPFactorRequestFactorUUID: app.factorUUID, verifyTOTPFactorRequestCode: Number(await nextCode()) }
  await post(page, '/user/factor/verify', first)
  const { recoveryCodes } = await post(page, '/user/recovery-codes/anew', {})

  const giveCode = async () => {
    await page.getByLabel('Verification Code').fill(await nextCode())
    await button(page, 'Verify').click()
    await signedIn(page)
  }
  await page.context().clearCookies()
  await openOneTimeLink(page, gatehouse)
  await giveCode()
  await page.context().clearCookies()
  await signInAtGoogle(page)
  await giveCode()
  await signOut(page)
  await signInPage(page).signIn()
  await button(page, 'Use a recovery code').click()
  await page.getByLabel('Recovery code').fill(recoveryCodes[0])
  await button(page, 'Verify').click()
  await signedIn(page)
  expect(creations(calls)).toEqual([])
})

test('adds no passkey without asking after a password that was set by email', { tag: '@long' }, async ({ page, gatehouse }) => {
  const calls = await recordManagerCalls(page)
  await addAuthenticator(page)
  await page.goto('/')
  await post(page, '/auth/page/plow/sendPasswordResetEmail', { useremail: admin.username })
  const [, resettoken] = (await mailedLink(gatehouse, admin.username, 'new-password')).split('#')
  const password = 'another correct horse battery'
  await post(page, '/auth/page/plow/resetPassword', {
    username: admin.username,
    resettoken,
    newpassword: password,
    newpasswordverification: password,
  })
  await signInPage(page).signIn({ ...admin, password })
  await signedIn(page)
  expect(creations(calls)).toEqual([])
})

test('asks for the passkey after an emailed link and after a provider', { tag: '@long' }, async ({ page, gatehouse, google }) => {
  const authenticator = await startWithPasskey(page, { answers: false })
  linkGoogle(gatehouse, google)
  for (const begin of [() => openOneTimeLink(page, gatehouse), () => signInAtGoogle(page)]) {
    await page.context().clearCookies()
    await begin()
    await expect(heading(page, 'Use your passkey')).toBeVisible()
    await authenticator.answers(true)
    await button(page, 'Use your passkey').click()
    await signedIn(page)
    await authenticator.answers(false)
  }
})

test.describe('where everyone needs a second factor', () => {
  test.use({ policy: 'required' })

  /** Submits the form of the login page before its script has loaded. */
  const signInByForm = async (page: Page) => {
    await page.route('**/*.js', route => route.abort())
    await page.goto('/')
    await signInPage(page).signIn()
    await expect(page).toHaveURL(/\/second-factor$/)
    await page.unroute('**/*.js')
    await page.reload()
  }

  for (const [name, begin] of [
    ['a form', signInByForm],
    ['a provider', signInAtGoogle],
  ] as const)
    test(`sets up a passkey after a sign-in through ${name}, even after a reload`, { tag: '@long' }, async ({
      page,
      gatehouse,
      google,
      consoleLines,
    }) => {
      const authenticator = await addAuthenticator(page)
      linkGoogle(gatehouse, google)
      await begin(page)
      await expect(button(page, 'Use a passkey instead')).toBeVisible()
      await page.reload()
      await button(page, 'Use a passkey instead').click()
      await signedIn(page)
      expect(await authenticator.credentials()).toHaveLength(1)
      await signOut(page)
      await signedIn(page)
      // Chromium logs an error for each script that the test blocked.
      expect(consoleLines.splice(0).filter(line => !/net::ERR_FAILED/.test(line))).toEqual([])
    })
})

test.describe('where everyone needs a passkey', () => {
  test.use({ policy: 'phishing-resistant' })

  test('the command line lets the only administrator back in after the loss of their passkey @long', async ({ page, gatehouse }) => {
    const setUp = async () => {
      await page.goto('/')
      await signInPage(page).signIn()
      await button(page, 'Use a passkey instead').click()
      await signedIn(page)
      expect((await page.goto('/administration'))?.status()).toBe(200)
    }
    const lost = await addAuthenticator(page)
    await setUp()
    await lost.remove()
    await addAuthenticator(page)
    await signOut(page)
    await signInPage(page).signIn()
    await expect(heading(page, 'Use your passkey')).toBeVisible()
    await gatehouse.cli('user', 'reset-factor', admin.username)
    await page.context().clearCookies()
    await setUp()
  })
})

test('a user without a password requests a change of email after a passkey sign-in', { tag: '@long' }, async ({ page, gatehouse }) => {
  await startWithPasskey(page, { answers: true })
  setUser(gatehouse, 'userPassword', null)
  // The passkey from the autofill has signed the user in.
  await signedIn(page)
  await page.goto('/account')
  await button(page, 'Change email').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Password')).toHaveCount(0)
  await dialog.getByLabel('New email').fill('new@example.com')
  await dialog.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByRole('status').getByText(/^If that address is available/)).toBeVisible()
  await mailedLink(gatehouse, 'new@example.com', 'confirm-email')
})

test('the addresses that password managers open lead to the passkeys and to the password', { tag: '@long' }, async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 400 })
  // A signed-out user must sign in first.
  await page.goto('/.well-known/change-password')
  await signInPage(page).signIn()
  await page.waitForURL('**/account#password')
  await expect(page.locator('#password')).toBeInViewport()
  await addAuthenticator(page)
  await addPasskey(page)
  const atTop = async (text: string) => {
    const top = async () => (await page.getByText(text, { exact: true }).first().boundingBox())?.y
    await expect.poll(top).toBeLessThan(120)
    expect(await top()).toBeGreaterThan(0)
  }
  await page.goto('/.well-known/change-password')
  expect(new URL(page.url()).hash).toBe('#password')
  await expect(page.locator('#password')).toBeInViewport()
  await expect(page.locator('#password').getByRole('button', { name: 'Change password' })).toBeInViewport()
  const { manage } = await (await page.request.get('/.well-known/passkey-endpoints')).json()
  await page.goto('about:blank')
  await page.goto(manage)
  await expect(heading(page, 'Passkeys')).toBeInViewport()
  await atTop('Passkeys')
})
