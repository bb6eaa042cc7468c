import type { Browser } from '@playwright/test'
import { axeOn } from './axe.ts'
import { expect, type Gatehouse, signInPage, test } from './gatehouse.ts'
import { button, enrol, forgetCounts, heading, letTimeRunOut, numberOn, openPhone, otherThan, startSignedIn, type } from './phone.ts'

// The phone runs scripts. On the computer they are off or do not load.

test.describe.configure({ timeout: 90_000 })
test.use({ settings: { GATEHOUSE_ADMINS: 'root@example.com' } })

const openComputer = async (browser: Browser, { url }: Gatehouse, javaScriptEnabled: boolean) => {
  const computer = await (await browser.newContext({ baseURL: url, javaScriptEnabled, reducedMotion: 'reduce' })).newPage()
  await computer.route('**/*.js', route => route.abort())
  await computer.goto('/')
  await signInPage(computer).signIn()
  await heading(computer, 'Approve on your phone')
  return computer
}

test('approves on a phone without a script on the computer, and explains wrong, expired and pending requests', { tag: '@long' }, async ({
  page,
  browser,
  gatehouse,
}) => {
  await startSignedIn(page)
  const { context, phone } = await openPhone(browser, gatehouse)
  await enrol(page, phone, 'Pixel')
  await heading(phone, 'Nothing to approve')

  const computer = await openComputer(browser, gatehouse, false)
  await expect(computer).toHaveURL(/\/second-factor\/phone$/)
  await button(computer, 'Show the number').click()
  const wrong = await numberOn(computer)
  // Without a script the page does not update, and does not claim to.
  await expect(computer.getByText('within two minutes, then come back here')).toBeVisible()
  await expect(computer.getByText('Waiting for your phone')).toHaveCount(0)
  await button(computer, 'I’ve approved it').click()
  await expect(computer.getByRole('alert').filter({ hasText: 'Your phone hasn’t approved this sign-in yet.' })).toBeVisible()
  expect(await numberOn(computer)).toBe(wrong)
  await heading(phone, 'Is this you?')
  await type(phone, otherThan(wrong))
  await heading(phone, 'Wrong number')
  await button(computer, 'I’ve approved it').click()
  await expect(computer.getByText('That number didn’t match.')).toBeVisible()
  await button(phone, 'Done').click()

  await button(computer, 'Get a new number').click()
  await numberOn(computer)
  await heading(phone, 'Is this you?')
  letTimeRunOut(gatehouse)
  await button(computer, 'I’ve approved it').click()
  await expect(computer.getByText('The request timed out.')).toBeVisible()
  await heading(phone, 'No longer needed')
  await button(phone, 'Done').click()

  forgetCounts(gatehouse)
  await button(computer, 'Get a new number').click()
  await type(phone, await numberOn(computer))
  await heading(phone, 'Approved')
  await button(phone, 'Done').click()
  await button(computer, 'I’ve approved it').click()
  // The following pages also work without a script.
  await button(computer, 'Show my recovery codes').click()
  await expect(computer.getByRole('list', { name: 'Your recovery codes' }).getByRole('listitem')).toHaveCount(10)
  await expect(button(computer, 'Copy all')).toHaveCount(0)
  await computer.getByRole('link', { name: 'I’ve saved them' }).click()
  await expect(computer).toHaveURL(/\/account$/)
  await expect(computer.getByText('Without JavaScript, you can view your account and sign out.')).toBeVisible()
  // The page shows no button that needs a script.
  await expect(computer.getByRole('button')).toHaveText(['Sign out'])
  await button(computer, 'Sign out').click()
  await expect(button(computer, 'Sign in')).toBeVisible()
  await computer.goto('/account')
  await expect(computer).toHaveURL(/\/$/)
  await computer.context().close()

  // Scripts are on, but do not load.
  forgetCounts(gatehouse)
  const other = await openComputer(browser, gatehouse, true)
  await button(other, 'Show the number').click()
  const number = await numberOn(other)
  await expect(other.getByText('Waiting for your phone')).toHaveCount(0)
  expect((await (await axeOn(other)).analyze()).violations.map(({ id }) => id)).toEqual([])
  await type(phone, number)
  await heading(phone, 'Approved')
  await button(other, 'I’ve approved it').click()
  await expect(other).toHaveURL(/\/account$/)
  await expect(other.getByText('Without JavaScript, you can view your account and sign out.')).toBeVisible({ timeout: 10_000 })
  expect((await (await axeOn(other)).analyze()).violations.map(({ id }) => id)).toEqual([])
  await button(other, 'Sign out').click()
  await expect(button(other, 'Sign in')).toBeVisible()
  for (const it of [context, other.context()]) await it.close()
})
