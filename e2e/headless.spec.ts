import type { Page } from '@playwright/test'
import { buildHeadless } from './headless-example.ts'
import { outcome, sentence } from './messages.ts'
import { ada, count, expect, lastBody, test } from './wire.ts'

// The same journeys on the widget and on the page of examples/headless, which has its own markup.

let built: Awaited<ReturnType<typeof buildHeadless>>
test.beforeAll(async () => {
  built = await buildHeadless()
})
test.afterAll(() => built.remove())

/** The parts of either page, found by label and role as users find them. */
const parts = (page: Page) => ({
  email: page.getByLabel('Email'),
  password: page.getByLabel('Password', { exact: true }),
  code: page.getByLabel('Verification Code'),
  alert: page.getByRole('alert').filter({ hasText: /./ }).first(),
  button: (name: string) => page.getByRole('button', { name, exact: true }),
})
const tokenPage = /\/auth\/page\/plow\/wq3S0bX9r2m1Yd7K\/Jx8hT2vQm5nR0cUe1sLZ4g$/

for (const [name, at] of [
  // In the short suite, other files test the widget.
  ['@long the widget', '/'],
  ['a page with its own markup', '/headless/'],
] as const) {
  test.describe(name, () => {
    test.beforeEach(async ({ page, wire }) => {
      wire.serveApplication('/headless/', built.folder)
      // The page with its own markup offers passkeys in its email field. No user of these tests chooses one.
      const options = { challenge: 'YQ', timeout: 300_000, rpId: 'localhost', userVerification: 'required' }
      await page.route('**/passkey/options', route => route.fulfill({ json: options }))
    })

    const signIn = async (page: Page) => {
      await page.goto(at)
      await parts(page).email.fill(` ${ada.username.toUpperCase()} `)
      await parts(page).password.fill(ada.password)
      await parts(page).password.press('Enter')
    }

    test('signs in', async ({ page, wire }) => {
      await signIn(page)
      await expect(page).toHaveURL(tokenPage)
      expect(lastBody(wire, 'getAuthTokenWithError')).toMatchObject({ ...ada, useragent: '' })
      expect(count(wire, 'plowlogin')).toBe(1)
    })

    test('says that the sign-in failed, for a wrong password as for a lockout, and signs in after the wait', async ({ page, wire }) => {
      wire.answer('getAuthTokenWithError', { json: outcome.failedLogin }, { json: outcome.failedLogin }, { json: outcome.success })
      await signIn(page)
      for (let i = 0; i < 2; i++) {
        await expect(parts(page).alert).toContainText(sentence.failedLogin)
        await expect(parts(page).button('Sign in')).toBeEnabled()
        if (i === 0) await parts(page).password.press('Enter')
        await expect.poll(() => count(wire, 'getAuthTokenWithError')).toBe(2)
      }
      await parts(page).password.press('Enter')
      await expect(page).toHaveURL(tokenPage)
    })

    test('verifies a code, and sends nothing that is not six digits', async ({ page, wire }) => {
      wire.answer('getAuthTokenWithError', { json: outcome.needsCode })
      wire.answer('verifyOTP', { json: outcome.invalidCode }, { json: outcome.success })
      await signIn(page)
      await expect(parts(page).code).toBeFocused()
      await parts(page).code.fill('123')
      await parts(page).code.press('Enter')
      await expect(page.getByText('Enter the six-digit code.').first()).toBeVisible()
      expect(count(wire, 'verifyOTP')).toBe(0)
      await parts(page).code.fill('012 345')
      await parts(page).code.press('Enter')
      await expect(page.getByText('Invalid code').first()).toBeVisible()
      expect(lastBody(wire, 'verifyOTP')).toMatchObject({ otpUsername: ada.username, otpVerification: 12345 })
      await parts(page).code.fill('678901')
      await parts(page).code.press('Enter')
      await expect(page).toHaveURL(tokenPage)
      expect(count(wire, 'loginWithToken')).toBe(1)
    })

    test('sets up a second factor', async ({ page, wire }) => {
      wire.answer('getAuthTokenWithError', { json: outcome.needsFactor })
      await signIn(page)
      await parts(page).button('Next').click()
      await parts(page).code.fill('123456')
      await parts(page).code.press('Enter')
      await expect(page).toHaveURL(tokenPage)
      expect(lastBody(wire, 'setupOTP')).toMatchObject({ otpVerification: 123456, otpFactorUUID: expect.any(String) })
    })

    test('requests the email that resets the password', async ({ page, wire }) => {
      await page.goto(at)
      await parts(page).email.fill(ada.username)
      await parts(page).button('Forgot your password?').click()
      await expect(parts(page).email).toHaveValue(ada.username)
      await parts(page).button('Send Password Reset Email').click()
      await expect(page.getByText(sentence.resetEmailSent)).toBeVisible()
      expect(lastBody(wire, 'sendPasswordResetEmail')).toEqual({ useremail: ada.username })
    })

    test('requests a one-time link, and signs in with the code of its email', async ({ page, wire }) => {
      await page.goto(at)
      await parts(page).button('Forgot your password?').click()
      await parts(page).email.fill(ada.username)
      await parts(page).button('Send One Time Link Email').click()
      await expect(page.getByText('42').first()).toBeVisible()
      expect(lastBody(wire, 'magiclinkSend')).toEqual([{ email: ada.username, redirect: { tag: 'RedirectDashboard' } }])
      const code = page.getByLabel(/code/i).and(page.getByRole('textbox'))
      await code.fill('ABCD-EFGH')
      await code.press('Enter')
      await expect(page).toHaveURL(tokenPage)
    })
  })
}
