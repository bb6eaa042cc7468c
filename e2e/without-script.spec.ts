import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from '@playwright/test'
import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { TOTP } from 'totp-generator'
import { test as base, createServerProcess, expect, type Gatehouse } from './gatehouse.ts'
import { linkIn, startMailServer } from './mail-server.ts'

// A user's account without scripts: pages rendered by the server, and their forms.

type Mail = Awaited<ReturnType<typeof startMailServer>>

const test = base.extend<{ mail: Mail; dashboard: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from its pattern
  mail: async ({}, use) => {
    const mail = await startMailServer()
    await use(mail)
    await mail.stop()
  },
  /** On another origin, because browsers apply form-action to the redirects after a form. */
  // biome-ignore lint/correctness/noEmptyPattern: as above
  dashboard: async ({}, use) => {
    const server = createServer(
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>The dashboard</h1>'),
    )
    await once(server.listen(0, '127.0.0.1'), 'listening')
    await use(`http://localhost:${(server.address() as AddressInfo).port}/`)
    server.close()
  },
  settings: async ({ mail, dashboard }, use) =>
    use({
      GATEHOUSE_SECOND_FACTOR: 'skippable',
      GATEHOUSE_SMTP_URL: mail.url,
      GATEHOUSE_MAIL_FROM: 'Acme <sign-in@acme.example>',
      GATEHOUSE_DASHBOARD_URL: dashboard,
    }),
})

type Mode = 'turned off' | 'not coming' | '5 s late'
const ada = 'ada@example.com'

const openPage = async (browser: Browser, { url }: Gatehouse, mode: Mode) => {
  const context = await browser.newContext({ baseURL: url, javaScriptEnabled: mode !== 'turned off', reducedMotion: 'reduce' })
  const page = await context.newPage()
  if (mode === 'not coming') await page.route('**/*.js', route => route.abort())
  if (mode === '5 s late') {
    await page.route('**/*.js', async route => {
      await new Promise(resolve => setTimeout(resolve, 5000))
      // The page and its request may be gone by then.
      await route.continue().catch(() => {})
    })
  }
  return { context, page }
}

const checkAccessibility = async (page: Page, mode: Mode) => {
  if (mode !== 'not coming') return
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(node => node.html)])).toEqual([])
}

/**
 * In the mode `5 s late`, does not wait for the load event, which would also wait for the scripts. In the other modes it waits:
 * on a busy machine, Chromium lost text entered in the first instant of a page in one of ten runs, even without scripts.
 */
const open = (page: Page, address: string, mode: Mode) => page.goto(address, { waitUntil: mode === '5 s late' ? 'commit' : 'load' })

/** Opens a link, and pastes it where no script reads it. A late script reads it itself and would interfere with pasting. */
const openLink = async (page: Page, link: string, mode: Mode) => {
  await page.goto('about:blank')
  await open(page, link, mode)
  if (mode === '5 s late') {
    const checking = page.getByText('Checking the link')
    await expect(checking.first()).toBeVisible()
    // The text appears in two places, which update one after the other.
    return expect(checking).toHaveCount(0, { timeout: 15_000 })
  }
  await page.getByLabel('Link from the email').fill(link)
  await checkAccessibility(page, mode)
  await expect(page.getByLabel('Link from the email')).toHaveValue(link)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/#$/)
}

const choosePassword = async (page: Page, link: string, password: string, mode: Mode) => {
  await openLink(page, link, mode)
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
  await checkAccessibility(page, mode)
  await page.getByLabel(/^New password(?!,)/).fill(password)
  await page.getByLabel('Confirm new password').fill(password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('heading', { name: 'Password changed' })).toBeVisible()
}

const ask = async (page: Page, which: 'Send Password Reset Email' | 'Send One Time Link Email', mode: Mode) => {
  await open(page, '/', mode)
  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  await expect(page).toHaveURL(/\/forgot-password\?$/)
  await page.getByLabel('Email').fill(ada)
  await page.getByRole('button', { name: which }).click()
  await expect(page.getByText('Email sent')).toBeVisible()
  await checkAccessibility(page, mode)
}

const signIn = async (page: Page, password: string, mode: Mode) => {
  await open(page, '/', mode)
  await page.getByLabel('Email').fill(ada)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const scan = async (page: Page) => {
  await expect(page.getByRole('img', { name: /QR code to scan/ })).toBeVisible()
  const { data, width, height } = PNG.sync.read(await page.screenshot({ fullPage: true }))
  return new URL(jsqr.default(new Uint8ClampedArray(data), width, height)?.data ?? '').searchParams.get('secret') ?? ''
}

/** Types the code in two groups of three digits. */
const enterCode = async (page: Page, code: string) => {
  await page.getByLabel('Verification Code').pressSequentially(`${code.slice(0, 3)} ${code.slice(3)}`)
  await page.getByRole('button', { name: 'Verify' }).click()
}

for (const mode of ['turned off', 'not coming', '5 s late'] as const) {
  test(`a user's account with scripts ${mode}, from invitation to deletion`, async ({ browser, gatehouse, mail }) => {
    test.slow()
    const [first, second] = ['the first long password', 'the second long password']
    const added = await createServerProcess(gatehouse.env).command(['user', 'add', ada], `${first}\n${first}\n`)
    expect(added.code, added.said).toBe(0)
    const { context, page } = await openPage(browser, gatehouse, mode)
    const arrives = async () => {
      await expect(page.getByRole('heading', { name: 'The dashboard' })).toBeVisible()
      await context.clearCookies()
    }

    // Sign in with a one-time link, and skip second-factor set-up.
    await ask(page, 'Send One Time Link Email', mode)
    await openLink(page, linkIn(await mail.receive(ada, /one-time link/i)), mode)
    await expect(page.getByRole('heading', { name: 'Sign in as a•••@example.com' })).toBeVisible()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Skip factor authentication' }).click()
    await arrives()

    await signIn(page, 'not the password at all', mode)
    await expect(page.getByRole('alert').filter({ hasText: 'You have failed to login.' })).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue(ada)
    await checkAccessibility(page, mode)
    await signIn(page, first, mode)
    const secret = await scan(page)
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    await page.setViewportSize({ width: 1280, height: 800 })
    await checkAccessibility(page, mode)
    await page.getByRole('button', { name: 'Next' }).click()
    await enterCode(page, '1234')
    await expect(page.getByText('Enter the six-digit code.')).toBeVisible()
    await checkAccessibility(page, mode)
    await enterCode(page, (await TOTP.generate(secret)).otp)
    await page.getByRole('link', { name: 'Later' }).click()
    await arrives()

    await ask(page, 'Send Password Reset Email', mode)
    await choosePassword(page, linkIn(await mail.receive(ada, /password/i)), second, mode)
    await signIn(page, second, mode)
    // The code of the next period. The current one has been used.
    await enterCode(page, (await TOTP.generate(secret, { timestamp: Date.now() + 30_000 })).otp)
    await page.getByRole('link', { name: 'Later' }).click()
    await arrives()
    await page.goto('about:blank')
    await context.close()
  })
}
