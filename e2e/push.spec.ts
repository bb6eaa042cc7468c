import type { Locator, Page } from '@playwright/test'
import { admin, expect, signInPage, test } from './gatehouse.ts'
import {
  button,
  enrol,
  forgetCounts,
  heading,
  letTimeRunOut,
  modal,
  numberOn,
  openBrowser,
  openLink,
  openPhone,
  otherThan,
  reachPhone,
  scan,
  startSignedIn,
  type,
} from './phone.ts'
import { tabTo } from './tab-to.ts'

test.describe.configure({ timeout: 90_000 })
// Administrators cannot remove their last second factor. The user in these tests does, so they are not an administrator.
test.use({ settings: { GATEHOUSE_ADMINS: 'root@example.com' } })

/** Finishes a sign-in: skips the recovery codes that the first second factor offers. */
const arrive = async (page: Page) => {
  await expect(page).toHaveURL(/\/recovery-codes$/, { timeout: 20_000 })
  await page.getByRole('link', { name: 'Later' }).click()
  await expect(page).toHaveURL(/\/account$/)
  await expect(button(page, 'Change password')).toBeEnabled()
}

test('PU-01, PU-02: a phone set up by QR code approves a sign-in by its number; a wrong number and ‘not me’ refuse it', async ({
  page,
  browser,
  gatehouse,
}) => {
  await startSignedIn(page)
  const { context, phone } = await openPhone(browser, gatehouse)
  const link = await openLink(page)
  expect(link).toMatch(new RegExp(`^${gatehouse.url}/approve#enrol=[\\w-]+\\.[\\w-]+$`))
  await phone.goto(link)
  await heading(phone, 'Set up this phone')
  // The link leaves the address bar and the history, and opening it has not redeemed it.
  await expect(phone).toHaveURL(`${gatehouse.url}/approve`)
  await expect(phone.getByLabel('Phone name')).toHaveValue('Pixel 7')
  await button(phone, 'Set up this phone').click()
  await heading(phone, 'One last step')
  const first = await numberOn(page)
  await type(phone, otherThan(first))
  await heading(phone, 'Wrong number')
  await expect(modal(page).getByText('That number didn’t match.')).toBeVisible({ timeout: 15_000 })
  await button(phone, 'Done').click()
  await button(page, 'Get a new number').click()
  await type(phone, await numberOn(page))
  await heading(phone, 'Number accepted')
  await expect(page.getByText('Phone added.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Second factor' }).getByText('Pixel 7')).toBeVisible()
  await button(phone, 'Done').click()
  await heading(phone, 'Nothing to approve')

  const other = await openBrowser(browser, gatehouse, 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')
  await reachPhone(other)
  // If phones are the only second factor, the page shows no code field and sends no request before the user presses the button.
  await expect(other.getByLabel('Verification Code')).toHaveCount(0)
  await button(other, 'Show the number').click()
  const wrong = await numberOn(other)
  await heading(phone, 'Is this you?')
  await expect(phone.getByText('Firefox on Linux')).toBeVisible()
  await expect(phone.getByText(admin.username)).toBeVisible()
  // A39: the phone never shows the number or a choice of numbers.
  expect(await phone.locator('body').innerText()).not.toMatch(/\d{6}|\d{3} \d{3}/)
  await type(phone, otherThan(wrong))
  await heading(phone, 'Wrong number')
  await expect(other.getByText('That number didn’t match.')).toBeVisible({ timeout: 15_000 })

  await button(other, 'Get a new number').click()
  await numberOn(other)
  await heading(phone, 'Is this you?')
  await button(phone, 'This was not me').click()
  await heading(phone, 'Block this sign-in?')
  await button(phone, 'Block this sign-in').click()
  await heading(phone, 'Sign-in blocked')
  await expect(other.getByText('This sign-in was blocked on your phone.')).toBeVisible({ timeout: 15_000 })
  await button(phone, 'Done').click()

  await button(other, 'Get a new number').click()
  const right = await numberOn(other)
  await heading(phone, 'Is this you?')
  // Typed with a space in the middle, as users read it.
  await type(phone, `${right.slice(0, 3)} ${right.slice(3)}`)
  await heading(phone, 'Approved')
  await arrive(other)
  await context.close()
  await other.context().close()
})

test('approves with one of two phones offline, and handles a replaced request, a timeout, lost connections and removal', {
  tag: '@long',
}, async ({ page, browser, gatehouse, consoleLines }) => {
  await startSignedIn(page)
  const [one, two] = [await openPhone(browser, gatehouse), await openPhone(browser, gatehouse)]
  await enrol(page, one.phone, 'Pixel')
  await enrol(page, two.phone, 'Pixel')
  await expect(page.getByRole('region', { name: 'Second factor' }).getByText('Pixel 2')).toBeVisible()

  // With two phones, the other one shows that the request is no longer needed.
  const other = await openBrowser(browser, gatehouse)
  await reachPhone(other)
  await two.context.setOffline(true)
  await button(other, 'Show the number').click()
  const number = await numberOn(other)
  await heading(one.phone, 'Is this you?')
  await two.context.setOffline(false)
  await heading(two.phone, 'Is this you?')
  await type(one.phone, number)
  await arrive(other)
  await heading(two.phone, 'No longer needed')
  await button(two.phone, 'Done').click()
  await button(one.phone, 'Done').click()
  await other.context().close()

  // A request times out; then a request of another browser replaces a newer one.
  forgetCounts(gatehouse)
  const slow = await openBrowser(browser, gatehouse)
  // Without a socket, the page polls every two seconds.
  await slow.routeWebSocket(/\/sockets$/, socket => socket.close())
  await reachPhone(slow)
  await button(slow, 'Show the number').click()
  await numberOn(slow)
  await heading(one.phone, 'Is this you?')
  letTimeRunOut(gatehouse)
  await expect(slow.getByText('The request timed out.')).toBeVisible({ timeout: 15_000 })
  await heading(one.phone, 'No longer needed')
  await button(slow, 'Get a new number').click()
  await numberOn(slow)
  await heading(one.phone, 'Is this you?')
  const quick = await openBrowser(browser, gatehouse, 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/138.0.0.0 Safari/537.36')
  await reachPhone(quick)
  await button(quick, 'Show the number').click()
  const last = await numberOn(quick)
  await expect(slow.getByText('A newer request replaced this one.')).toBeVisible({ timeout: 15_000 })
  await expect(one.phone.getByText('Chrome on Windows')).toBeVisible({ timeout: 15_000 })

  // A crash breaks all connections.
  await gatehouse.stop('SIGKILL')
  await gatehouse.start()
  await type(one.phone, last)
  await heading(one.phone, 'Approved')
  await arrive(quick)
  for (const it of [slow, quick]) await it.context().close()

  // After a removal on the account page, the phone says so and deletes its key.
  await page.reload()
  await button(page, 'Remove Pixel').click()
  await modal(page).getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Pixel removed.')).toBeVisible()
  await heading(one.phone, 'This phone was removed')
  await one.phone.reload()
  await heading(one.phone, 'Set up this phone')
  // A phone that removes itself disappears from the account, and all sessions end.
  await two.phone.reload()
  await button(two.phone, /^Remove admin/).click()
  await button(two.phone, 'Remove').click()
  await heading(two.phone, 'Set up this phone')
  await page.reload()
  await signInPage(page).signIn()
  await expect(page.getByText('You have no second factor.')).toBeVisible()
  consoleLines.splice(0)
  for (const { context } of [one, two]) await context.close()
})

test('sets up a phone by keyboard alone, denies a sign-in, approves one and removes the phone', { tag: '@long' }, async ({
  page,
  browser,
  gatehouse,
}) => {
  const press = async (on: Page, target: Locator) => {
    await expect(target).toBeEnabled({ timeout: 15_000 })
    await tabTo(on, target)
    await on.keyboard.press('Enter')
  }
  await startSignedIn(page)
  await press(page, button(page, 'Add a phone'))
  await press(page, button(page, 'Show the QR code'))
  const { context, phone } = await openPhone(browser, gatehouse)
  // Delay the reply to the phone's first poll: it was written before the approval request, but arrives after it.
  const [written, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/user/factor/push-progress', async route => {
    await written.promise
    await route.continue()
  })
  await phone.route('**/push/pending', async route => {
    const response = await route.fetch()
    written.resolve()
    await asked.promise
    await route.fulfill({ response })
  })
  await phone.goto(await scan(page))
  await heading(phone, 'Set up this phone')
  await press(phone, button(phone, 'Set up this phone'))
  await heading(phone, 'One last step')
  const approve = async (number: string, halfway = async () => {}) => {
    await tabTo(phone, phone.getByLabel('Number on your other screen'))
    await phone.keyboard.type(number.slice(0, 3))
    await halfway()
    await phone.keyboard.type(number.slice(3))
    await phone.keyboard.press('Enter')
  }
  await approve(await numberOn(page), async () => {
    const finished = phone.waitForEvent('requestfinished', request => request.url().endsWith('/push/pending'))
    asked.resolve()
    await finished
    // Give the page time to handle the reply.
    await phone.evaluate(() => new Promise(resolve => setTimeout(resolve, 100)))
  })
  await heading(phone, 'Number accepted')
  await press(phone, button(phone, 'Done'))
  await heading(phone, 'Nothing to approve')
  await expect(page.getByText('Phone added.')).toBeVisible({ timeout: 15_000 })

  const other = await openBrowser(browser, gatehouse)
  await reachPhone(other)
  await press(other, button(other, 'Show the number'))
  await numberOn(other)
  await heading(phone, 'Is this you?')
  await press(phone, button(phone, 'This was not me'))
  await press(phone, button(phone, 'Block this sign-in'))
  await heading(phone, 'Sign-in blocked')
  await press(phone, button(phone, 'Done'))
  await press(other, button(other, 'Get a new number'))
  const number = await numberOn(other)
  await heading(phone, 'Is this you?')
  await approve(number)
  await heading(phone, 'Approved')
  await arrive(other)

  await press(phone, button(phone, 'Done'))
  await press(phone, button(phone, /^Remove admin/))
  await press(phone, button(phone, 'Remove'))
  await heading(phone, 'Set up this phone')
  for (const one of [context, other.context()]) await one.close()
})
