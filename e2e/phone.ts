import { DatabaseSync } from 'node:sqlite'
import { type Browser, devices, type Page } from '@playwright/test'
import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { expect, type Gatehouse, signInPage } from './gatehouse.ts'

// A phone and a computer: the phone scans the computer's QR code, and approves sign-ins by number.

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
export const heading = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible({ timeout: 15_000 })
export const modal = (page: Page) => page.getByRole('dialog')

const inDatabase = ({ dataDir }: Gatehouse, statement: string) => {
  const database = new DatabaseSync(`${dataDir}/gatehouse.sqlite`, { timeout: 5000 })
  database.exec(statement)
  database.close()
}
/** Clears the limits for approval requests. */
export const forgetCounts = (gatehouse: Gatehouse) => inDatabase(gatehouse, 'delete from push_counts')
/** Lets open approval requests expire. */
export const letTimeRunOut = (gatehouse: Gatehouse) =>
  inDatabase(
    gatehouse,
    `update challenges set "challengeExpires" = "challengeExpires" - 120000 where "challengeStatus" = 'Pending';
     update push_waits set "pushWaitExpires" = "pushWaitExpires" - 120000`,
  )

export const openPhone = async (browser: Browser, { url }: Gatehouse) => {
  const context = await browser.newContext({ ...devices['Pixel 7'], baseURL: url })
  return { context, phone: await context.newPage() }
}
export const openBrowser = async (browser: Browser, { url }: Gatehouse, userAgent?: string) =>
  (await browser.newContext({ baseURL: url, ...(userAgent && { userAgent }) })).newPage()

/** The number on the screen, without the space in its middle. */
export const numberOn = async (page: Page) => {
  const seen = page.getByText(/^\d{3} \d{3}$/)
  await expect(seen).toBeVisible({ timeout: 15_000 })
  return (await seen.innerText()).replace(' ', '')
}
export const type = async (phone: Page, number: string) => {
  await phone.getByLabel('Number on your other screen').fill(number)
  await button(phone, 'Approve').click()
}
export const otherThan = (number: string) => (number === '000000' ? '000001' : '000000')

/** The content of the QR code on the screen. */
export const scan = async (page: Page) => {
  await expect(page.getByRole('img', { name: /QR code to scan/ })).toBeVisible()
  const { data, width, height } = PNG.sync.read(await page.screenshot())
  return jsqr.default(new Uint8ClampedArray(data), width, height, { inversionAttempts: 'dontInvert' })?.data ?? ''
}

export const startSignedIn = async (page: Page) => {
  await page.setViewportSize({ width: 1280, height: 1100 })
  await page.goto('/')
  await signInPage(page).signIn()
  await expect(page).toHaveURL(/\/account$/)
  await expect(button(page, 'Change password')).toBeEnabled()
}

export const openLink = async (page: Page) => {
  await button(page, 'Add a phone').click()
  await button(page, 'Show the QR code').click()
  return scan(page)
}
export const enrol = async (page: Page, phone: Page, name: string) => {
  await phone.goto(await openLink(page))
  await heading(phone, 'Set up this phone')
  await phone.getByLabel('Phone name').fill(name)
  await button(phone, 'Set up this phone').click()
  await heading(phone, 'One last step')
  await type(phone, await numberOn(page))
  await heading(phone, 'Number accepted')
  await button(phone, 'Done').click()
  await expect(page.getByText('Phone added.')).toBeVisible()
}

/** Signs in with the password, up to phone approval. */
export const reachPhone = async (page: Page) => {
  await page.goto('/')
  await signInPage(page).signIn()
  await heading(page, 'Approve on your phone')
}
