import type { Page } from '@playwright/test'
import { TOTP } from 'totp-generator'
import { mailedLink } from './dev-mailbox.ts'
import { admin, expect, signInPage, test } from './gatehouse.ts'

const codeField = (page: Page) => page.getByLabel('Verification Code')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const codeOf = async (secret: string, later = 0) => (await TOTP.generate(secret, { timestamp: Date.now() + later })).otp

/** Starts a first sign-in and stops at the field for the first code of the new authenticator app. */
const toFirstCode = async (page: Page) => {
  await page.goto('/')
  await signInPage(page).signIn()
  const uri = await page.getByRole('link', { name: 'Open in an app on this device' }).getAttribute('href')
  await button(page, 'Next').click()
  await expect(codeField(page)).toBeFocused()
  return new URL(uri ?? '').searchParams.get('secret') ?? ''
}

test.describe('with GATEHOUSE_SUBMIT_CODE_WHEN_COMPLETE', () => {
  test.use({ settings: { GATEHOUSE_SECOND_FACTOR: 'required', GATEHOUSE_SUBMIT_CODE_WHEN_COMPLETE: 'on', GATEHOUSE_NAME: 'Acme' } })

  test('the sixth digit sends the code, on the sign-in page and on the page that a mailed link opens under the same name', {
    tag: '@long',
  }, async ({ page, gatehouse }) => {
    const secret = await toFirstCode(page)
    await page.keyboard.type(await codeOf(secret))
    await expect(page).toHaveURL(/\/recovery-codes$/)
    await page.context().clearCookies()

    await page.goto('/')
    await button(page, 'Forgot your password?').click()
    await page.getByLabel('Email').fill(admin.username)
    await button(page, 'Send One Time Link Email').click()
    await expect(page.getByText('Email sent')).toBeVisible()
    await page.goto(await mailedLink(gatehouse, admin.username, 'one-time-link'))
    await button(page, 'Sign in').click()
    await expect(codeField(page)).toBeFocused()
    await expect(page.getByText('Acme', { exact: true })).toBeVisible()
    await page.keyboard.type(await codeOf(secret, 30_000))
    await expect(page).toHaveURL(/\/recovery-codes$/)
  })

  test('a wrong code is sent again only after an edit', { tag: '@long' }, async ({ page }) => {
    const secret = await toFirstCode(page)
    const right = await codeOf(secret)
    const wrong = right === '123456' ? '654321' : '123456'
    const sent: string[] = []
    page.on('request', request => void (request.url().endsWith('/setupOTP') && sent.push(request.postDataJSON().otpVerification)))
    await page.keyboard.type(wrong)
    await expect(page.locator('form').getByText('Invalid code')).toBeVisible()
    await codeField(page).fill(wrong)
    await expect(button(page, 'Verify')).toBeEnabled()
    await codeField(page).fill(right)
    await expect(page).toHaveURL(/\/recovery-codes$/)
    expect(sent.map(Number)).toEqual([Number(wrong), Number(right)])
  })
})

test.describe('without GATEHOUSE_SUBMIT_CODE_WHEN_COMPLETE', () => {
  test.use({ settings: { GATEHOUSE_SECOND_FACTOR: 'required' } })

  test('six digits send nothing until the user presses Enter', async ({ page }) => {
    const secret = await toFirstCode(page)
    const sent: string[] = []
    page.on('request', request => void (request.url().endsWith('/setupOTP') && sent.push(request.url())))
    await page.keyboard.type(await codeOf(secret))
    await expect(codeField(page)).toHaveValue(/^\d{6}$/)
    await expect(button(page, 'Verify')).toBeEnabled()
    expect(sent).toEqual([])
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/recovery-codes$/)
    expect(sent).toHaveLength(1)
  })
})
