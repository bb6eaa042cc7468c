import type { Page } from '@playwright/test'
import { buildHeadless } from './headless-example.ts'
import { everyGolden, factorUUID, outcome, sentence } from './messages.ts'
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

    test('shows the failure after each refused attempt, and signs in when the server accepts', async ({ page, wire }) => {
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

    const failures = everyGolden('AuthOutcome').filter(({ tag }) => tag !== 'AuthSuccessful')
    const credentials = { otpUsername: ada.username, otpPassword: ada.password }

    test('handles every reply to a sign-in', { tag: '@long' }, async ({ page, wire, consoleLines }) => {
      for (const answer of everyGolden('AuthOutcome')) {
        wire.answer('getAuthTokenWithError', { json: answer })
        await signIn(page)
        const { code, alert, button } = parts(page)
        if (answer.tag === 'AuthSuccessful') await expect(page).toHaveURL(tokenPage)
        else if (answer.tag === 'AuthRequires2FA') await expect(code).toBeFocused()
        else if (answer.tag === 'AuthRequiresFactorCreation') await expect(button('Next')).toBeEnabled()
        else {
          const message = { AuthFailureFailedLogin: sentence.failedLogin, AuthFailureForcedReset: sentence.forcedReset }[answer.tag]
          await expect(button('Sign in')).toBeEnabled()
          if (message) await expect(alert).toHaveText(message)
          else await expect(alert).toHaveCount(0)
        }
      }
      expect(count(wire, 'getAuthTokenWithError')).toBe(everyGolden('AuthOutcome').length)
      // §8: this failure appears on the console only.
      expect(consoleLines.splice(0)).toEqual([expect.stringContaining('AuthFailureFactorError')])
    })

    for (const { what, call, reply, press, again } of [
      {
        what: 'code',
        call: 'verifyOTP',
        reply: outcome.needsCode,
        press: async (page: Page) => {
          await parts(page).code.fill('012345')
          await parts(page).code.press('Enter')
        },
        again: 'Verify',
      },
      {
        what: 'skip',
        call: 'setupOTP',
        reply: outcome.needsFactor,
        press: (page: Page) => parts(page).button('Skip factor authentication').click(),
        again: 'Skip factor authentication',
      },
    ] as const) {
      test(`handles every reply to a ${what}`, { tag: '@long' }, async ({ page, wire }) => {
        wire.answer('getAuthTokenWithError', { json: reply })
        await signIn(page)
        for (const [n, answer] of failures.entries()) {
          wire.answer(call, { json: answer })
          await press(page)
          await expect.poll(() => count(wire, call)).toBe(n + 1)
          await expect(parts(page).alert).toContainText(
            answer.tag === 'AuthFailureFactorError' ? 'wrong factor type' : sentence.failedLogin,
          )
          await expect(parts(page).button(again)).toBeEnabled()
          expect(lastBody(wire, call)).toMatchObject({ ...credentials, ...(what === 'skip' && { otpFactorUUID: factorUUID }) })
        }
        wire.answer(call, { json: outcome.success })
        await press(page)
        await expect(page).toHaveURL(tokenPage)
        expect(count(wire, 'loginWithToken')).toBe(1)
      })
    }

    test('handles every reply to a factor reset, and accepts the code of the new factor', { tag: '@long' }, async ({ page, wire }) => {
      wire.answer('getAuthTokenWithError', { json: outcome.needsCode })
      await signIn(page)
      await parts(page).button('Reset two factor authentication').click()
      const send = parts(page).button('Send reset instruction')
      for (const [n, answer] of everyGolden('AuthOutcome')
        .filter(({ tag }) => tag !== 'AuthRequiresFactorReset')
        .entries()) {
        wire.answer('resetOTP', { json: answer })
        await send.click()
        await expect.poll(() => count(wire, 'resetOTP')).toBe(n + 1)
        await expect(parts(page).alert).toBeVisible()
        await expect(send).toBeEnabled()
        expect(lastBody(wire, 'resetOTP')).toEqual(credentials)
      }
      wire.answer('resetOTP', { json: outcome.needsReset })
      await send.click()
      await expect(parts(page).code).toBeFocused()
      await parts(page).code.fill('123456')
      await parts(page).code.press('Enter')
      await expect(page).toHaveURL(tokenPage)
      expect(lastBody(wire, 'setupOTP')).toMatchObject({ otpVerification: 123456, otpFactorUUID: factorUUID })
    })

    test('signs in with a recovery code', { tag: '@long' }, async ({ page, wire }) => {
      wire.answer('getAuthTokenWithError', { json: outcome.needsCode })
      wire.answer('recoveryCode', { json: outcome.failedLogin }, { json: outcome.success })
      await signIn(page)
      await parts(page).button('Use a recovery code').click()
      const field = page.getByLabel('Recovery code')
      for (const n of [1, 2]) {
        await field.fill('abcd-efgh-ijkl-mnop')
        await field.press('Enter')
        await expect.poll(() => count(wire, 'recoveryCode')).toBe(n)
        if (n === 1) await expect(parts(page).alert).toContainText(sentence.failedLogin)
      }
      await expect(page).toHaveURL(tokenPage)
      expect(lastBody(wire, 'recoveryCode')).toMatchObject({ ...credentials, otpRecoveryCode: expect.stringMatching(/abcd/i) })
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

    test('requests a one-time link, and signs in with the code from the email', async ({ page, wire }) => {
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
