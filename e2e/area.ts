import type { Page } from '@playwright/test'
import { outcome } from './messages.ts'
import { ada, expect } from './wire.ts'
import type { WireServer } from './wire-server.ts'

/** The page and the server of a browser test. `at` is the address of the page with the widget (default: the sign-in page). */
export type Stage = { page: Page; wire: WireServer; at?: string }

/** The parts of the sign-in area, found by label and role as users find them. */
export const area = (page: Page) => ({
  // Not the field ‘Code from the email’.
  email: page.getByLabel('Email', { exact: true }),
  password: page.getByLabel('Password', { exact: true }),
  signIn: page.getByRole('button', { name: 'Sign in', exact: true }),
  forgot: page.getByRole('button', { name: 'Forgot your password?' }),
  back: page.getByRole('button', { name: 'Back to Login' }),
  heading: page.getByRole('heading', { level: 1 }),
  code: page.getByLabel('Verification Code'),
  /** The submit button, whatever its current label. */
  submit: page.locator('[data-gatehouse] button[type=submit]:not([form])').first(),
  resetFactor: page.getByRole('button', { name: 'Reset two factor authentication' }),
  qr: page.getByRole('img', { name: /QR code/ }),
  next: page.getByRole('button', { name: 'Next', exact: true }),
  skip: page.getByRole('button', { name: /^(Skip factor authentication|Loading)$/ }),
  sendReset: page.getByRole('button', { name: /^(Send reset instruction|Sending)$/ }),
  /** These labels change while the form is sent. */
  sendResetEmail: page.getByRole('button', { name: 'Send Password Reset Email' }),
  sendMagicLink: page.getByRole('button', { name: 'Send One Time Link Email' }),
  /** Messages in an alert of the page. The alert regions always exist and are empty without a message. */
  banner: page.locator('[data-gatehouse] [role=alert]:not(:empty):not(.gatehouse-toast)'),
  toast: (text: string | RegExp) => page.locator('.gatehouse-toast').filter({ hasText: text }),
  toasts: page.locator('.gatehouse-toast'),
})

/** Opens the sign-in page and sends Ada's address and password. */
export const signIn = async ({ page, at = '/' }: Omit<Stage, 'wire'>) => {
  await page.goto(at)
  await area(page).email.fill(ada.username)
  await area(page).password.fill(ada.password)
  await area(page).password.press('Enter')
}

/** Opens each page of the area as a user does. */
export const reach = {
  login: async ({ page, at = '/' }: Stage) => {
    await page.goto(at)
    await expect(area(page).signIn).toBeVisible()
  },
  verifyFactor: async ({ wire, ...stage }: Stage) => {
    wire.answer('getAuthTokenWithError', { json: outcome.needsCode })
    await signIn(stage)
    await expect(area(stage.page).code).toBeVisible()
  },
  createFactor: async ({ wire, ...stage }: Stage) => {
    wire.answer('getAuthTokenWithError', { json: outcome.needsFactor })
    await signIn(stage)
    await expect(area(stage.page).qr).toBeVisible()
  },
  firstSetup: async (stage: Stage) => {
    await reach.createFactor(stage)
    await area(stage.page).next.click()
    await expect(area(stage.page).code).toBeVisible()
  },
  resetFactor: async (stage: Stage) => {
    await reach.verifyFactor(stage)
    await area(stage.page).resetFactor.click()
    await expect(area(stage.page).sendReset).toBeVisible()
  },
  afterReset: async (stage: Stage) => {
    await reach.resetFactor(stage)
    await area(stage.page).sendReset.click()
    await expect(area(stage.page).code).toBeVisible()
  },
  forgotPassword: async ({ page, at = '/' }: Stage) => {
    await page.goto(at)
    await area(page).forgot.click()
    await expect(area(page).sendMagicLink).toBeVisible()
  },
}

/** Types a code and sends it with Enter. */
export const sendCode = async (page: Page, code = '012345') => {
  await area(page).code.fill(code)
  await area(page).code.press('Enter')
}

export const tokenPage = /\/auth\/page\/plow\/wq3S0bX9r2m1Yd7K\/Jx8hT2vQm5nR0cUe1sLZ4g$/
