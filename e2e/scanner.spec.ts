import { accountRoutes, routes } from '@gatehouse/wire'
import type { APIRequestContext, Browser, Page } from '@playwright/test'
import { TOTP } from 'totp-generator'
import { mailedLink, readMails } from './dev-mailbox.ts'
import { admin, expect, type Gatehouse, signInPage, test } from './gatehouse.ts'

// EM-04: a mail scanner follows every link in an email before the user does. It never presses a button.

const scanners = [
  'Mozilla/5.0 (compatible; LinkScanner/1.0)',
  // Many scanners claim to be a browser.
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
]

/** Scans all emails so far. */
const scan = async (gatehouse: Gatehouse, browser: Browser, request: APIRequestContext) => {
  const links = new Set<string>()
  for (const { text, html } of await readMails(gatehouse))
    for (const [link] of `${text} ${html.replaceAll('&amp;', '&')}`.matchAll(/https?:\/\/[^\s"'<>]+/g)) links.add(link)
  for (const link of links) {
    for (let n = 0; n < 20; n++) {
      const headers = { 'user-agent': scanners[n % scanners.length] ?? '' }
      expect((await request.get(link, { headers })).status()).toBe(200)
      expect((await request.head(link, { headers })).status()).toBe(200)
    }
    const context = await browser.newContext({ userAgent: scanners[1] ?? '' })
    const page = await context.newPage()
    for (let times = 0; times < 2; times++) {
      await page.goto('about:blank')
      await page.goto(link, { waitUntil: 'networkidle' })
      await page.mouse.wheel(0, 2000)
      await page.screenshot({ fullPage: true })
    }
    await context.close()
  }
  return links
}

/** Calls the server as a program does, and keeps its cookies. */
const call = async (request: APIRequestContext, path: string, data: unknown) => {
  const answer = await request.post(path, { data })
  expect(answer.status()).toBe(200)
  return answer.json()
}
const signIn = (request: APIRequestContext) => call(request, routes.getAuthTokenWithError.path, { ...admin, useragent: '' })
const enter = async (request: APIRequestContext) => call(request, routes.plowlogin.path, (await signIn(request)).contents)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const choosePassword = async (page: Page) => {
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
  await page.getByLabel(/^New password(?!,)/).fill('a password nobody scanned')
  await page.getByLabel('Confirm new password').fill('a password nobody scanned')
  await button(page, 'Change password').click()
  await expect(page.getByRole('heading', { name: 'Password changed' })).toBeVisible()
}

type Kind = {
  name: string
  /** Requests the email and returns its link. */
  ask: (request: APIRequestContext, gatehouse: Gatehouse) => Promise<string>
  /** Uses the link as its recipient does. */
  press: (page: Page) => Promise<void>
  settings?: Record<string, string>
}

const kinds: Kind[] = [
  {
    name: 'one-time link',
    ask: async (request, gatehouse) => {
      await call(request, routes.magiclinkSend.path, [{ email: admin.username, redirect: { tag: 'RedirectDashboard' } }])
      return mailedLink(gatehouse, admin.username, 'one-time-link')
    },
    press: async page => {
      await expect(page.getByRole('heading', { name: 'Sign in as a•••@example.com' })).toBeVisible()
      await button(page, 'Sign in').click()
      await expect(page.getByText(`Signed in as ${admin.username}`)).toBeVisible()
    },
  },
  {
    name: 'password reset',
    ask: async (request, gatehouse) => {
      await call(request, routes.sendPasswordResetEmail.path, { useremail: admin.username })
      return mailedLink(gatehouse, admin.username, 'new-password')
    },
    press: async page => {
      await choosePassword(page)
      await page.goto('/')
      await signInPage(page).signIn({ ...admin, password: 'a password nobody scanned' })
      await expect(page.getByText(`Signed in as ${admin.username}`)).toBeVisible()
    },
  },
  {
    name: 'invitation',
    ask: async (request, gatehouse) => {
      await enter(request)
      await call(request, routes.userAdd.path, { username: 'grace@example.com', authenticateduser: admin.username, timezone: 'UTC' })
      return mailedLink(gatehouse, 'grace@example.com', 'new-password')
    },
    press: choosePassword,
  },
  {
    name: 'change of address',
    ask: async (request, gatehouse) => {
      await enter(request)
      await call(request, accountRoutes.userEmailChange.path, { newemail: 'root@example.com', password: admin.password })
      return mailedLink(gatehouse, 'root@example.com', 'confirm-email')
    },
    press: async page => {
      await expect(page.getByRole('heading', { name: 'Use root@example.com from now on?' })).toBeVisible()
      await button(page, 'Confirm').click()
      await expect(page.getByRole('heading', { name: 'Email address changed' })).toBeVisible()
    },
  },
  {
    name: 'factor reset',
    settings: { GATEHOUSE_SECOND_FACTOR: 'skippable' },
    ask: async (request, gatehouse) => {
      const { factorUUID, factorBinding } = (await signIn(request)).contents
      const { otp } = await TOTP.generate(factorBinding.contents.factorTOTPBindingSecret)
      const credentials = { otpUsername: admin.username, otpPassword: admin.password }
      await call(request, routes.setupOTP.path, { ...credentials, otpVerification: Number(otp), otpFactorUUID: factorUUID })
      await call(request, routes.resetOTP.path, { ...credentials, otpVerification: null, otpFactorUUID: null })
      return mailedLink(gatehouse, admin.username, 'new-factor')
    },
    press: async page => {
      await button(page, 'Show the new QR code').click()
      await expect(page.getByRole('img', { name: /QR code to scan/ })).toBeVisible()
    },
  },
]

for (const { name, ask, press, settings = {} } of kinds) {
  test.describe(() => {
    test.use({ settings })

    test(`EM-04: a scanner that opens every link of every email redeems none: ${name}`, async ({
      page,
      browser,
      playwright,
      gatehouse,
      consoleLines,
    }) => {
      test.setTimeout(60_000)
      const caller = await playwright.request.newContext({ baseURL: gatehouse.url })
      const link = await ask(caller, gatehouse)
      const scanner = await playwright.request.newContext()
      expect([...(await scan(gatehouse, browser, scanner))]).toContain(link)
      await page.goto(link)
      await press(page)
      // The recipient has used the link, so it no longer works.
      await page.goto('about:blank')
      await page.goto(link)
      await expect(page.getByRole('heading', { name: 'This link has already been used' })).toBeVisible()
      expect(consoleLines).toEqual([])
      await Promise.all([caller.dispose(), scanner.dispose()])
    })
  })
}
