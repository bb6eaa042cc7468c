import { routes } from '@gatehouse/wire'
import type { Page } from '@playwright/test'
import { mailedLink, readMails } from './dev-mailbox.ts'
import { admin, expect, test } from './gatehouse.ts'

const grace = 'grace@example.com'

/** Requests a one-time link and returns the number that the waiting tab shows. */
const askAndWait = async (page: Page, email: string): Promise<string> => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send One Time Link Email' }).click()
  await expect(page.getByText('Email sent')).toBeVisible()
  return (await page.getByText(/^\d\d$/).textContent()) ?? ''
}

test('a link opened on a phone asks for the number of the waiting tab, and signs in the phone only', async ({
  page,
  browser,
  gatehouse,
}) => {
  const number = await askAndWait(page, admin.username)
  const phone = await (await browser.newContext()).newPage()
  await phone.goto(await mailedLink(gatehouse, admin.username, 'one-time-link'))
  const waiting = await page.locator('main').innerHTML()
  await phone.getByLabel('Number').fill(number === '11' ? '12' : '11')
  await phone.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(phone.getByText('That number isn’t right.')).toBeVisible()
  await phone.getByLabel('Number').fill(number)
  await phone.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(phone.getByText(`Signed in as ${admin.username}`)).toBeVisible()
  // The waiting tab does not change.
  expect((await page.locator('main').innerHTML()).replace(/in \d+ seconds?/, '')).toBe(waiting.replace(/in \d+ seconds?/, ''))
  await phone.context().close()
})

test('a code that the user types from the email signs in the waiting tab', async ({ page, request, gatehouse }) => {
  const { contents } = await (await request.post(routes.getAuthTokenWithError.path, { data: { ...admin, useragent: '' } })).json()
  await request.post(routes.plowlogin.path, { data: contents })
  const added = { username: grace, authenticateduser: admin.username, timezone: 'UTC' }
  expect((await request.post(routes.userAdd.path, { data: added })).status()).toBe(200)
  await askAndWait(page, grace)
  await mailedLink(gatehouse, grace, 'one-time-link')
  const mail = (await readMails(gatehouse)).find(({ to, text }) => to === grace && text.includes('/one-time-link#'))
  const [code = ''] = /^[0-9A-Z]{4}-[0-9A-Z]{4}$/m.exec(mail?.text ?? '') ?? []
  await page.getByLabel('Code from the email').fill(code.toLowerCase())
  await page.getByLabel('Code from the email').press('Enter')
  await expect(page.getByText(`Signed in as ${grace}`)).toBeVisible()
})
