import type { Page } from '@playwright/test'
import { area, reach, type Stage, sendCode, signIn } from './area.ts'
import { axeOn, wcag } from './axe.ts'
import { outcome, sentence } from './messages.ts'
import { lostAtZoom, lostInForcedColors, moving } from './reading-modes.ts'
import { ada, expect, held, test } from './wire.ts'
import type { CallName } from './wire-server.ts'

/** A call that gets no reply during the test. */
const endless = ({ wire }: Stage, call: CallName) => wire.answer(call, { json: {}, after: held().after })
const fillIn = async ({ page }: Stage) => {
  await area(page).email.fill(ada.username)
  await area(page).password.fill(ada.password)
}

/** A file that cannot load, for example because the network is gone. */
const withoutFile = ({ page }: Stage, name: string) => page.route(new RegExp(`${name}[^/]*\\.js$`), route => route.abort())

/** Every page in every state, with the steps that lead there. */
const states: Record<string, (stage: Stage) => Promise<void>> = {
  'login, not logged in': reach.login,
  'login, fields empty': async stage => {
    await reach.login(stage)
    await area(stage.page).signIn.click()
    await expect(area(stage.page).email).toHaveAttribute('aria-invalid', 'true')
  },
  'login, password shown': async stage => {
    await reach.login(stage)
    await fillIn(stage)
    await stage.page.getByRole('button', { name: 'Show password' }).click()
  },
  'login, logging in': async stage => {
    endless(stage, 'getAuthTokenWithError')
    await reach.login(stage)
    await fillIn(stage)
    await area(stage.page).password.press('Enter')
    await expect(area(stage.page).submit).toHaveText('Signing in')
  },
  'login, failed': async stage => {
    stage.wire.answer('getAuthTokenWithError', { json: outcome.failedLogin })
    await reach.login(stage)
    await fillIn(stage)
    await area(stage.page).password.press('Enter')
    await expect(area(stage.page).banner).toBeVisible()
  },
  'login, forced reset': async stage => {
    stage.wire.answer('getAuthTokenWithError', { json: outcome.forcedReset })
    await reach.login(stage)
    await fillIn(stage)
    await area(stage.page).password.press('Enter')
    await expect(area(stage.page).banner).toHaveText(sentence.forcedReset)
  },
  'login, a panel in place of a toast that does not come': async stage => {
    stage.wire.answer('getAuthTokenWithError', { status: 503, body: '<html>', type: 'text/html' })
    await withoutFile(stage, 'toaster')
    await reach.login(stage)
    await fillIn(stage)
    await area(stage.page).password.press('Enter')
    await expect(area(stage.page).banner).toContainText('Something went wrong')
    await expect(area(stage.page).toasts).toHaveCount(0)
  },
  'the next page, on its way': async stage => {
    await stage.page.route(/lazy-pages[^/]*\.js$/, () => {})
    await reach.login(stage)
    await area(stage.page).forgot.click()
    await expect(stage.page.getByText('Loading')).toBeVisible()
  },
  'the next page, not come': async stage => {
    await withoutFile(stage, 'lazy-pages')
    await reach.login(stage)
    await area(stage.page).forgot.click()
    await expect(stage.page.getByRole('button', { name: 'Try again' })).toBeFocused()
  },
  'login, logged in': async stage => {
    endless(stage, 'plowlogin')
    await reach.login(stage)
    await fillIn(stage)
    await area(stage.page).password.press('Enter')
    await expect(area(stage.page).submit).toHaveText('Signed in, please wait')
  },
  'login, a toast with its detail': async stage => {
    stage.wire.answer('getAuthTokenWithError', { status: 503, body: '<html>', type: 'text/html' })
    await reach.login(stage)
    await fillIn(stage)
    await area(stage.page).password.press('Enter')
    await area(stage.page).toasts.getByText('More Info').click()
  },
  'factor verification, not verified': reach.verifyFactor,
  'factor verification, verifying': async stage => {
    endless(stage, 'verifyOTP')
    await reach.verifyFactor(stage)
    await sendCode(stage.page)
    await expect(area(stage.page).submit).toHaveText('Verifying')
  },
  'factor verification, no integer': async stage => {
    await reach.verifyFactor(stage)
    await sendCode(stage.page, '12a456')
    await expect(area(stage.page).submit).toHaveText('Verifying')
  },
  'factor verification, invalid code': async stage => {
    stage.wire.answer('verifyOTP', { json: outcome.invalidCode })
    await reach.verifyFactor(stage)
    await sendCode(stage.page)
    await expect(area(stage.page).toasts).toHaveCount(1)
  },
  'factor verification, verified': async stage => {
    endless(stage, 'loginWithToken')
    await reach.verifyFactor(stage)
    await sendCode(stage.page)
    await expect(area(stage.page).submit).toHaveText('Verified, please wait')
  },
  'factor verification, first setup': reach.firstSetup,
  'factor verification, after a reset': reach.afterReset,
  'factor creation': reach.createFactor,
  'factor creation, picture not come': async stage => {
    await withoutFile(stage, 'qr-code')
    stage.wire.answer('getAuthTokenWithError', { json: outcome.needsFactor })
    await signIn(stage)
    await expect(stage.page.getByRole('button', { name: 'Try again' })).toBeVisible()
    await expect(area(stage.page).next).toBeVisible()
  },
  'factor creation, nothing to scan': async stage => {
    const { factorBinding: _, ...factor } = Object(outcome.needsFactor.contents)
    stage.wire.answer('getAuthTokenWithError', { json: { ...outcome.needsFactor, contents: factor } })
    await signIn(stage)
    await expect(area(stage.page).banner).toContainText('Something went wrong')
    await expect(area(stage.page).skip).toBeVisible()
  },
  'factor creation, skipping': async stage => {
    endless(stage, 'setupOTP')
    await reach.createFactor(stage)
    await area(stage.page).skip.click()
    await expect(area(stage.page).skip).toHaveText('Loading')
  },
  'factor creation, skip refused': async stage => {
    stage.wire.answer('setupOTP', { json: outcome.failedLogin })
    await reach.createFactor(stage)
    await area(stage.page).skip.click()
    await expect(area(stage.page).banner).toBeVisible()
  },
  'factor creation, skipped': async stage => {
    endless(stage, 'loginWithToken')
    await reach.createFactor(stage)
    await area(stage.page).skip.click()
    await expect(stage.page.getByText(/please wait/).first()).toBeVisible()
  },
  'factor reset, not sent': reach.resetFactor,
  'factor reset, sending': async stage => {
    endless(stage, 'resetOTP')
    await reach.resetFactor(stage)
    await area(stage.page).sendReset.click()
    await expect(area(stage.page).sendReset).toHaveText('Sending')
  },
  'factor reset, refused': async stage => {
    stage.wire.answer('resetOTP', { json: outcome.failedLogin })
    await reach.resetFactor(stage)
    await area(stage.page).sendReset.click()
    await expect(area(stage.page).toasts).toHaveCount(1)
  },
  'forgot password, not sent': reach.forgotPassword,
  'forgot password, field empty': async stage => {
    await reach.forgotPassword(stage)
    await area(stage.page).sendMagicLink.click()
    await expect(area(stage.page).email).toHaveAttribute('aria-invalid', 'true')
  },
  'forgot password, sending a reset': async stage => {
    endless(stage, 'sendPasswordResetEmail')
    await reach.forgotPassword(stage)
    await area(stage.page).email.fill(ada.username)
    await area(stage.page).sendResetEmail.click()
    await expect(area(stage.page).sendMagicLink).toBeDisabled()
  },
  'forgot password, sending a link': async stage => {
    endless(stage, 'magiclinkSend')
    await reach.forgotPassword(stage)
    await area(stage.page).email.fill(ada.username)
    await area(stage.page).sendMagicLink.click()
    await expect(area(stage.page).sendResetEmail).toBeDisabled()
  },
  'forgot password, sent': async stage => {
    await reach.forgotPassword(stage)
    await area(stage.page).email.fill(ada.username)
    await area(stage.page).sendMagicLink.click()
    await expect(stage.page.getByText('Email sent')).toBeVisible()
  },
}

const axe = async (page: Page) => {
  const { violations } = await (await axeOn(page)).withTags([...wcag, 'best-practice']).analyze()
  return violations.map(({ id, nodes }) => [id, nodes.map(node => `${node.html} ${node.failureSummary}`)])
}

for (const [name, to] of Object.entries(states)) {
  test(`${name}: is accessible in both themes, in forced colors, on a phone, at 400 % zoom and without motion`, async ({
    page,
    wire,
    consoleLines,
  }) => {
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await page.setViewportSize({ width: 360, height: 740 })
    await to({ page, wire })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await axe(page), colorScheme).toEqual([])
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    expect(await moving(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'active', reducedMotion: 'reduce' })
    expect(await lostInForcedColors(page)).toEqual([])
    expect(await axe(page), 'forced colors').toEqual([])
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', reducedMotion: 'reduce' })
    // 400 % of 1280 x 1024 (WCAG 1.4.10).
    await page.setViewportSize({ width: 320, height: 256 })
    expect(await lostAtZoom(page)).toEqual([])
    expect(consoleLines.splice(0).filter(line => !line.includes('Failed to load resource'))).toEqual([])
  })
}
