import { DatabaseSync } from 'node:sqlite'
import type { Page } from '@playwright/test'
import { TOTP } from 'totp-generator'
import { type IdentityProvider, startIdentityProvider } from '../packages/server/test/sso/identity-provider.ts'
import { freePort } from '../packages/server/test/support/free-port.ts'
import { admin, test as base, expect, signInPage } from './gatehouse.ts'
import { button, expectOnlyStatuses, heading, isIn, isRefused, sessionOf, withGoogle, withMicrosoft } from './sign-on.ts'

// Single sign-on with Google and Microsoft in a browser. A real OpenID provider on another host replaces each of them, so cookies behave
// as across real sites.

type Providers = { google: IdentityProvider; microsoft: IdentityProvider }

const test = base.extend<{ policy: Record<string, string>; port: number; providers: Providers }>({
  policy: [{}, { option: true }],
  // Playwright requires the braces.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright demands a pattern
  port: async ({}, use) => use(await freePort()),
  providers: async ({ port }, use) => {
    const publicUrl = `http://localhost:${port}`
    const [google, microsoft] = [await startIdentityProvider({ publicUrl }), await startIdentityProvider({ publicUrl })]
    google.users.set('ada-at-google', { sub: 'ada-at-google', email: 'ada@example.com', email_verified: true })
    google.users.set('admin-at-google', { sub: 'admin-at-google', email: admin.username, email_verified: true })
    microsoft.users.set('grace-at-microsoft', {
      sub: 'grace-at-microsoft',
      tid: 'a-tenant',
      oid: 'an-object',
      email: 'grace@example.com',
      email_verified: true,
    })
    google.state.user = 'ada-at-google'
    microsoft.state.user = 'grace-at-microsoft'
    await use({ google, microsoft })
    await Promise.all([google.stop(), microsoft.stop()])
  },
  settings: async ({ policy, port, providers: { google, microsoft } }, use) =>
    use({
      GATEHOUSE_LISTEN: `127.0.0.1:${port}`,
      GATEHOUSE_PUBLIC_URL: `http://localhost:${port}`,
      ...google.env('GOOGLE'),
      ...microsoft.env('AZURE'),
      ...policy,
    }),
  // Depends on `gatehouse`, so that the server runs before a test opens a page.
  baseURL: async ({ port, gatehouse }, use) => use(gatehouse.url && `http://localhost:${port}`),
})

const code = async (secret: string, later = 0) => (await TOTP.generate(secret, { timestamp: Date.now() + later })).otp

/** Links the administrator's account on the account page. */
const link = async (page: Page) => {
  await button(page, 'Link Google').click()
  const modal = page.getByRole('dialog')
  await modal.getByLabel('Password', { exact: true }).fill(admin.password)
  await modal.getByRole('button', { name: 'Link Google' }).click()
  await button(page, 'Continue').click()
  await expect(page).toHaveURL(/\/account$/)
}

test.describe("with accounts created by the provider's sign-in", () => {
  test.use({ policy: { GATEHOUSE_SSO_PROVISION: 'on' } })

  for (const [name, way, who] of [
    ['Google', withGoogle, 'ada@example.com'],
    ['Microsoft', withMicrosoft, 'grace@example.com'],
  ] as const) {
    test(`signs in, out, and in again with ${name}`, { tag: name === 'Google' ? [] : '@long' }, async ({ page, context, providers }) => {
      await page.goto('/')
      await way(page).click()
      await expect(heading(page, 'Identity provider')).toBeVisible()
      await button(page, 'Continue').click()
      await isIn(page, who)
      await expect(page).toHaveURL(/\/account$/)
      expect(await sessionOf(context)).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
      await button(page, 'Sign out').click()
      await expect(signInPage(page).email).toBeVisible()
      await way(page).click()
      // The provider may remember the user.
      await button(page, 'Continue')
        .click({ timeout: 1000 })
        .catch(() => {})
      await isIn(page, who)
      // OI-09: the browser stores nothing from the provider.
      const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state]))
      const cookies = JSON.stringify(await context.cookies(page.url()))
      for (const secret of [...providers.google.given, ...providers.microsoft.given].filter(Boolean)) {
        expect(stored).not.toContain(secret)
        expect(cookies).not.toContain(secret)
      }
    })
  }

  test('OI-09: a browser never sees a token of the provider', async ({ page, providers }) => {
    const seen: string[] = []
    page.on('request', request => seen.push(request.url(), request.postData() ?? ''))
    page.on('response', async response => {
      seen.push(JSON.stringify(await response.allHeaders().catch(() => ({}))), await response.text().catch(() => ''))
    })
    await page.goto('/')
    await withGoogle(page).click()
    await button(page, 'Continue').click()
    await isIn(page, 'ada@example.com')
    const tokens = providers.google.given.filter(one => one.length > 60 || one.startsWith('ey'))
    // The browser carries the code, but not the tokens that the server gets for it.
    const [, ...exchanged] = providers.google.given.filter(Boolean)
    expect(exchanged.length).toBeGreaterThanOrEqual(2)
    for (const token of [...tokens, ...exchanged]) expect(seen.join('\n')).not.toContain(token)
  })

  test("OI-05: the provider's email address does not open an existing account", async ({ page, providers, consoleLines }) => {
    providers.google.state.user = 'admin-at-google'
    await page.goto('/')
    await withGoogle(page).click()
    await button(page, 'Continue').click()
    await isRefused(page, 'Link your Google account first')
    expectOnlyStatuses(consoleLines)
    await page.getByRole('link', { name: 'Back to sign-in' }).click()
    await expect(signInPage(page).email).toBeVisible()
  })

  test('two tabs at two providers both sign in, and the last sign-in wins', { tag: '@long' }, async ({ page, context, consoleLines }) => {
    const other = await context.newPage()
    await page.goto('/')
    await other.goto('/')
    await withGoogle(page).click()
    await expect(heading(page, 'Identity provider')).toBeVisible()
    await withMicrosoft(other).click()
    await expect(heading(other, 'Identity provider')).toBeVisible()
    await button(page, 'Continue').click()
    await isIn(page, 'ada@example.com')
    await button(other, 'Continue').click()
    await isIn(other, 'grace@example.com')
    // One browser has one session: that of the last sign-in.
    await page.reload()
    await isIn(page, 'grace@example.com')
    expectOnlyStatuses(consoleLines)
  })

  test('two tabs at the same provider both sign in, and share one session', { tag: '@long' }, async ({
    page,
    context,
    gatehouse,
    consoleLines,
  }) => {
    const other = await context.newPage()
    for (const tab of [page, other]) {
      await tab.goto('/')
      await withGoogle(tab).click()
      await expect(heading(tab, 'Identity provider')).toBeVisible()
    }
    await button(other, 'Continue').click()
    await isIn(other, 'ada@example.com')
    await button(page, 'Continue').click()
    await isIn(page, 'ada@example.com')
    await other.reload()
    await isIn(other, 'ada@example.com')
    const database = new DatabaseSync(`${gatehouse.dataDir}/gatehouse.sqlite`, { timeout: 5000 })
    expect(database.prepare('select count(*) as number from sessions').get()).toEqual({ number: 1 })
    database.close()
    expectOnlyStatuses(consoleLines)
  })

  test('Back leads from the provider to the sign-in page, and does not sign out a signed-in user', { tag: '@long' }, async ({
    page,
    consoleLines,
  }) => {
    await page.goto('/')
    await withGoogle(page).click()
    await expect(heading(page, 'Identity provider')).toBeVisible()
    await page.goBack()
    await expect(signInPage(page).email).toBeVisible()
    await expect(signInPage(page).button).toBeEnabled()
    await withGoogle(page).click()
    await button(page, 'Continue').click()
    await isIn(page, 'ada@example.com')
    await page.goBack()
    // After Back, the user is still signed in.
    await page.goto('/')
    await isIn(page, 'ada@example.com')
    expectOnlyStatuses(consoleLines)
  })

  test('a used return address works neither in this browser nor in another', { tag: '@long' }, async ({ page, browser, consoleLines }) => {
    const ways: string[] = []
    page.on('request', request => request.url().includes('/callback?') && ways.push(request.url()))
    await page.goto('/')
    await withGoogle(page).click()
    await button(page, 'Continue').click()
    await isIn(page, 'ada@example.com')
    expect(ways).toHaveLength(1)
    await button(page, 'Sign out').click()
    await expect(signInPage(page).email).toBeVisible()
    await page.goto(ways[0] ?? '')
    await isRefused(page, 'This sign-in expired')
    const elsewhere = await browser.newContext()
    const stranger = await elsewhere.newPage()
    await stranger.goto(ways[0] ?? '')
    await isRefused(stranger, 'This sign-in expired')
    await elsewhere.close()
    expectOnlyStatuses(consoleLines)
  })
})

test.describe('with linked accounts only', () => {
  test('explains the refusal of an unknown identity and of a denied consent', { tag: '@long' }, async ({ page, consoleLines }) => {
    await page.goto('/')
    await withGoogle(page).click()
    await button(page, 'Continue').click()
    await isRefused(page, 'This Google account is not linked')
    await page.getByRole('link', { name: 'Back to sign-in' }).click()
    await withMicrosoft(page).click()
    await button(page, 'Cancel').click()
    await isRefused(page, 'Sign-in canceled')
    expectOnlyStatuses(consoleLines)
    await page.getByRole('link', { name: 'Back to sign-in' }).click()
    await expect(signInPage(page).email).toBeVisible()
  })

  test('links Google on the account page, signs in with it and unlinks it', async ({ page, providers, consoleLines }) => {
    providers.google.state.user = 'ada-at-google'
    await page.goto('/')
    await signInPage(page).signIn()
    await isIn(page, admin.username)
    await button(page, 'Link Google').click()
    const modal = page.getByRole('dialog')
    await modal.getByLabel('Password', { exact: true }).fill('a wrong password')
    await modal.getByRole('button', { name: 'Link Google' }).click()
    await expect(modal.getByText('wrong', { exact: false }).first()).toBeVisible()
    expectOnlyStatuses(consoleLines)
    await modal.getByLabel('Password', { exact: true }).fill(admin.password)
    await modal.getByRole('button', { name: 'Link Google' }).click()
    await button(page, 'Continue').click()
    await expect(page).toHaveURL(/\/account$/)
    await expect(button(page, 'Unlink Google')).toBeVisible()
    await button(page, 'Sign out').click()
    await withGoogle(page).click()
    await button(page, 'Continue')
      .click({ timeout: 1000 })
      .catch(() => {})
    await isIn(page, admin.username)
    await button(page, 'Unlink Google').click()
    await modal.getByLabel('Password', { exact: true }).fill(admin.password)
    await modal.getByRole('button', { name: 'Unlink Google' }).click()
    await expect(button(page, 'Link Google')).toBeVisible()
  })

  test('a page explains a provider that stops responding, and the password still works', { tag: '@long' }, async ({
    page,
    providers,
    consoleLines,
  }) => {
    await page.goto('/')
    await withGoogle(page).click()
    await expect(heading(page, 'Identity provider')).toBeVisible()
    providers.google.faults.token = response => response.destroy()
    await button(page, 'Continue').click()
    await isRefused(page, 'Google isn’t responding')
    // The server has cached the provider's metadata, but must not send the browser to a provider that does not respond.
    await providers.google.stop()
    await page.getByRole('link', { name: 'Back to sign-in' }).click()
    await withGoogle(page).click()
    await isRefused(page, 'Google isn’t responding')
    await providers.microsoft.stop()
    await page.getByRole('link', { name: 'Back to sign-in' }).click()
    await withMicrosoft(page).click()
    await isRefused(page, 'Microsoft isn’t responding')
    expectOnlyStatuses(consoleLines)
    await page.getByRole('link', { name: 'Back to sign-in' }).click()
    await signInPage(page).signIn()
    await isIn(page, admin.username)
  })
})

test.describe('with a second factor', () => {
  test.use({ policy: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })

  test('OI-06: after the provider, the server asks for the second factor, and starts no session until it is verified', async ({
    page,
    context,
    browser,
  }) => {
    test.setTimeout(60_000)
    await page.goto('/')
    await signInPage(page).signIn()
    const uri = await page.getByRole('link', { name: 'Open in an app on this device' }).getAttribute('href')
    const secret = new URL(uri ?? '').searchParams.get('secret') ?? ''
    await button(page, 'Next').click()
    await page.getByLabel('Verification Code').fill(await code(secret))
    await button(page, 'Verify').click()
    await expect(page).toHaveURL(/\/recovery-codes$/)
    await page.goto('/account')
    await isIn(page, admin.username)
    await link(page)
    await button(page, 'Sign out').click()
    await expect(signInPage(page).email).toBeVisible()

    await withGoogle(page).click()
    await button(page, 'Continue')
      .click({ timeout: 1000 })
      .catch(() => {})
    await expect(page.getByLabel('Verification Code')).toBeVisible()
    await expect(page).toHaveURL(/\/second-factor$/)
    expect(await sessionOf(context)).toBeUndefined()
    // The address alone does not work in another browser.
    const stranger = await browser.newPage()
    await stranger.goto(page.url())
    await expect(heading(stranger, 'This sign-in expired')).toBeVisible()
    await stranger.close()
    await page.getByLabel('Verification Code').fill(await code(secret, 30_000))
    await button(page, 'Verify').click()
    await expect(page).toHaveURL(/\/recovery-codes$/)
    await page.goto('/account')
    await isIn(page, admin.username)
  })
})
