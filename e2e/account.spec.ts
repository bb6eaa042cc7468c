import type { Browser, Page } from '@playwright/test'
import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { TOTP } from 'totp-generator'
import { ada, addAda, inDatabase } from './accounts.ts'
import { axeOn, wcag } from './axe.ts'
import { mailedLink, readMails } from './dev-mailbox.ts'
import { admin, expect, type Gatehouse, signInPage, test } from './gatehouse.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const section = (page: Page, name: string) => page.getByRole('region', { name })
const modal = (page: Page) => page.getByRole('dialog')
const code = async (secret: string, later = 0) => (await TOTP.generate(secret, { timestamp: Date.now() + later })).otp
/** Chromium itself logs every response with an error status. */
const expectOnlyRefusals = (lines: string[]) => {
  expect(lines.filter(line => !/the server responded with a status of 40[03]/.test(line))).toEqual([])
  lines.splice(0)
}
const expectMessage = (page: Page, text: string) => expect(page.getByRole('status').getByText(text)).toBeVisible()

/** Creates Ada's account, with the administrator's password, and signs her in. */
const startSignedIn = async (page: Page, gatehouse: Gatehouse) => {
  addAda(gatehouse)
  await page.goto('/')
  await signInPage(page).signIn(ada)
  await expect(page).toHaveURL(/\/account$/)
  // Unlike clicks, key presses do not wait for the page's script.
  await expect(button(page, 'Change password')).toBeEnabled()
}

/** Makes the sign-in old enough to require reauthentication. */
const growStale = (gatehouse: Gatehouse) =>
  inDatabase(
    gatehouse,
    `update sessions set "sessionCreated" = "sessionCreated" - 3600000, "sessionConfirmed" = "sessionConfirmed" - 3600000`,
  )

/** Reads the secret from the QR code on the screen, as an authenticator app does. */
const scan = async (page: Page) => {
  await expect(page.getByRole('img', { name: /QR code to scan/ })).toBeVisible()
  const { data, width, height } = PNG.sync.read(await page.screenshot())
  const read = jsqr.default(new Uint8ClampedArray(data), width, height, { inversionAttempts: 'dontInvert' })
  return new URL(read?.data ?? '').searchParams.get('secret') ?? ''
}

const openElsewhere = async (browser: Browser, { url }: Gatehouse) => {
  const page = await (await browser.newContext({ baseURL: url, userAgent: firefox })).newPage()
  await page.goto('/')
  return page
}

test("ends the other browser's session and forgets the browser", async ({ page, browser, gatehouse, consoleLines }) => {
  await startSignedIn(page, gatehouse)
  const other = await openElsewhere(browser, gatehouse)
  await signInPage(other).signIn(ada)
  await expect(other).toHaveURL(/\/account$/)

  await page.reload()
  const sessions = section(page, 'Sessions')
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  await sessions.getByRole('button', { name: /^End the session on Firefox on Linux/ }).click()
  await modal(page).getByRole('button', { name: 'End session' }).click()
  await expectMessage(page, 'Session ended.')
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  const browsers = section(page, 'Known browsers')
  await expect(browsers.getByRole('listitem')).toHaveCount(2)
  await browsers.getByRole('button', { name: /^Forget Firefox on Linux/ }).click()
  await modal(page).getByRole('button', { name: 'Forget browser' }).click()
  await expectMessage(page, 'Browser forgotten.')
  await expect(browsers.getByRole('listitem')).toHaveCount(1)
  await expect(browsers.getByText('This browser')).toBeVisible()
  await other.reload()
  await expect(signInPage(other).email).toBeVisible()
  await expect(section(page, 'Recent activity')).toContainText('Session ended')
  expectOnlyRefusals(consoleLines)
  await other.context().close()
})

test("changes the password, and shows times in the user's time zone", async ({ page, browser, gatehouse, consoleLines }) => {
  await startSignedIn(page, gatehouse)
  await button(page, 'Change password').click()
  await modal(page).getByLabel('Current password').fill('not the password at all')
  await modal(page).getByLabel('New password', { exact: false }).first().fill('a wholly new password')
  await modal(page).getByLabel('Confirm new password').fill('a wholly new password')
  await modal(page).getByRole('button', { name: 'Change password' }).click()
  await expect(modal(page).getByText('The password is wrong.')).toBeVisible()
  await expect(modal(page).getByLabel('Current password')).toBeFocused()
  await modal(page).getByLabel('Current password').fill(admin.password)
  await page.keyboard.press('Enter')
  await expectMessage(page, 'Password changed.')
  const other = await openElsewhere(browser, gatehouse)
  await signInPage(other).signIn({ ...ada, password: 'a wholly new password' })
  await expect(other).toHaveURL(/\/account$/)

  await button(page, 'Change time zone').click()
  await modal(page).getByLabel('Time zone').selectOption('America/St_Johns')
  await modal(page).getByRole('button', { name: 'Save' }).click()
  await expectMessage(page, 'Time zone changed.')
  const now = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/St_Johns', hour: '2-digit', minute: '2-digit' })
  const activity = section(page, 'Recent activity')
  const first = activity.getByRole('listitem').first()
  await expect(first).toContainText('Time zone changed')
  await expect(first).toContainText(new RegExp(`${now.format(Date.now())}|${now.format(Date.now() - 60_000)}`))
  await expect(activity).toContainText('Password changed')
  // Reload: React logs a hydration mismatch to the console if the server formats the times differently.
  await page.reload()
  await expect(activity.getByRole('listitem').first()).toContainText('Time zone changed')
  expectOnlyRefusals(consoleLines)
  await other.context().close()
})

test('MF-06: adds one authenticator by QR code and one by key, and removes the first after reauthentication', async ({
  page,
  browser,
  gatehouse,
  consoleLines,
}) => {
  test.setTimeout(60_000)
  await startSignedIn(page, gatehouse)
  await page.setViewportSize({ width: 1280, height: 1100 })
  const second = section(page, 'Second factor')
  const add = async (name: string, secretOf: () => Promise<string>) => {
    await button(page, 'Add an authenticator').click()
    await modal(page).getByLabel('Name').fill(name)
    await page.keyboard.press('Enter')
    const secret = await secretOf()
    await modal(page)
      .getByLabel('Verification Code')
      .fill(await code(secret))
    await page.keyboard.press('Enter')
    await expectMessage(page, 'Authenticator added.')
    await expect(second.getByText(name, { exact: true })).toBeVisible()
    return secret
  }
  const phone = await add('Phone', () => scan(page))
  const tablet = await add('Tablet', async () => (await modal(page).locator('figcaption code').innerText()).replace(/\s/g, ''))
  expect(tablet).not.toBe(phone)

  await button(page, 'Create new codes').click()
  await modal(page).getByRole('button', { name: 'Create new codes' }).click()
  const list = modal(page).getByRole('list', { name: 'Your recovery codes' })
  await expect(list.getByRole('listitem')).toHaveCount(10)
  const [old = ''] = await list.getByRole('listitem').allInnerTexts()
  await modal(page).getByRole('button', { name: 'I’ve saved them' }).click()

  growStale(gatehouse)
  await button(page, 'Create new codes').click()
  await modal(page).getByRole('button', { name: 'Create new codes' }).click()
  await expect(modal(page).getByRole('heading', { name: 'Confirm it’s you' })).toBeVisible()
  await page.keyboard.type('not the password at all')
  await page.keyboard.press('Enter')
  await expect(modal(page).getByText('The password is wrong.')).toBeVisible()
  await modal(page).getByLabel('Password', { exact: true }).fill(admin.password)
  await page.keyboard.press('Enter')
  await expect(list.getByRole('listitem')).toHaveCount(10)
  const [fresh = ''] = await list.getByRole('listitem').allInnerTexts()
  await modal(page).getByRole('button', { name: 'I’ve saved them' }).click()
  expect(fresh).not.toBe(old)

  await button(page, 'Remove Phone').click()
  await modal(page).getByRole('button', { name: 'Remove' }).click()
  await expectMessage(page, 'Phone removed.')
  // The focused button was removed with its row.
  await expect(second.getByRole('heading')).toBeFocused()
  await expect
    .poll(async () => (await readMails(gatehouse)).filter(mail => mail.to === ada.username).map(mail => mail.text.split('\n')[0]))
    .toEqual([
      'Second factor removed',
      'New recovery codes created',
      'New recovery codes created',
      'Second factor added',
      'Second factor added',
    ])

  const other = await openElsewhere(browser, gatehouse)
  await signInPage(other).signIn(ada)
  const otp = other.getByLabel('Verification Code')
  await otp.fill(await code(phone, 30_000))
  await other.keyboard.press('Enter')
  await expect(other.getByText('Invalid code').first()).toBeVisible()
  await other.getByRole('button', { name: 'Use a recovery code' }).click()
  await other.getByLabel('Recovery code').fill(old)
  await other.keyboard.press('Enter')
  await expect(other.getByText('Invalid code').first()).toBeVisible()
  await other.getByRole('button', { name: 'Use your authenticator app' }).click()
  await otp.fill(await code(tablet, 30_000))
  await other.keyboard.press('Enter')
  await expect(other).toHaveURL(/\/account$/)
  expectOnlyRefusals(consoleLines)
  await other.context().close()
})

test('changes the address by keyboard alone with the password, even in an old session, and fits 360 px', { tag: '@long' }, async ({
  page,
  gatehouse,
  consoleLines,
}) => {
  await startSignedIn(page, gatehouse)
  await page.setViewportSize({ width: 360, height: 740 })
  growStale(gatehouse)
  const press = async (key: string, times = 1) => {
    for (let n = 0; n < times; n++) await page.keyboard.press(key)
  }
  await press('Tab')
  await expect(button(page, 'Sign out')).toBeFocused()
  const links = page.getByRole('navigation', { name: 'Sections' }).getByRole('link')
  await press('Tab', await links.count())
  await expect(links.last()).toBeFocused()
  await press('Tab')
  await expect(button(page, 'Change email')).toBeFocused()
  await press('Enter')
  await expect(modal(page).getByLabel('New email')).toBeFocused()
  await page.keyboard.type('nowhere')
  await press('Tab')
  await page.keyboard.type(admin.password)
  await press('Enter')
  await expect(modal(page).getByText('Enter an email address like name@example.com.')).toBeVisible()
  await expect(modal(page).getByLabel('New email')).toBeFocused()
  await press('ControlOrMeta+A')
  await page.keyboard.type('countess@example.com')
  await press('Enter')
  // The password was just entered, so the page does not ask for it again.
  await expectMessage(page, 'we’ve sent it a link')
  await expect(button(page, 'Change email')).toBeFocused()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  const { violations } = await (await axeOn(page)).withTags(wcag).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(node => node.html)])).toEqual([])
  // Escape closes the dialog and returns the focus.
  await press('Tab')
  await press('Enter')
  await expect(modal(page).getByLabel('Current password')).toBeFocused()
  await press('Escape')
  await expect(button(page, 'Change password')).toBeFocused()

  await page.goto(await mailedLink(gatehouse, 'countess@example.com', 'confirm-email'))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('Sign in with countess@example.com from now on.')).toBeVisible()
  expectOnlyRefusals(consoleLines)
})

test('links to its sections, marks the one in view, and keeps the links in sight', { tag: '@long' }, async ({ page, gatehouse }) => {
  await startSignedIn(page, gatehouse)
  const links = page.getByRole('navigation', { name: 'Sections' })
  const marked = links.locator('[aria-current=location]')
  for (const [width, height] of [
    [1280, 600],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto('/account')
    await expect(marked).toHaveText('Email and password')
    await links.getByRole('link', { name: 'Sessions' }).click()
    await expect(marked).toHaveText('Sessions')
    await expect(section(page, 'Sessions').getByRole('heading')).toBeInViewport()
    await expect(links.getByRole('link', { name: 'Sessions' })).toBeInViewport()
    // On a narrow screen, the sticky links must not cover the heading.
    const [heading, row] = [await section(page, 'Sessions').getByRole('heading').boundingBox(), await links.boundingBox()]
    if (width === 360) expect(heading?.y).toBeGreaterThanOrEqual((row?.y ?? 0) + (row?.height ?? 0))
    await page.mouse.wheel(0, -10_000)
    await expect(marked).toHaveText('Email and password')
  }
})

test('shows every section without a script, and the links lead to them', { tag: '@long' }, async ({ page, browser, gatehouse }) => {
  await startSignedIn(page, gatehouse)
  const context = await browser.newContext({
    baseURL: gatehouse.url,
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  })
  const plain = await context.newPage()
  await plain.goto('/account')
  const links = plain.getByRole('navigation', { name: 'Sections' }).getByRole('link')
  for (const link of await links.all()) {
    await link.click()
    await expect(section(plain, await link.innerText()).getByRole('heading')).toBeInViewport()
  }
  await expect(section(plain, 'Known browsers').getByRole('listitem')).toHaveCount(1)
  await expect(section(plain, 'Sessions').getByText('just now').first()).toBeVisible()
  await button(plain, 'Sign out').click()
  await expect(signInPage(plain).email).toBeVisible()
  await context.close()
})

test('a sign-out in one tab opens the sign-in page in the other tabs', { tag: '@long' }, async ({ page, context, gatehouse }) => {
  await startSignedIn(page, gatehouse)
  const tab = await context.newPage()
  await tab.goto('/account')
  await button(tab, 'Sign out').click()
  await expect(signInPage(page).email).toBeVisible()
})
