import type { Locator, Page } from '@playwright/test'
import { TOTP } from 'totp-generator'
import { ada, addAda } from './accounts.ts'
import { axeOn, wcag } from './axe.ts'
import { expect, test } from './gatehouse.ts'
import { tabTo } from './tab-to.ts'
import { textsIn } from './texts.ts'

// Two journeys over many pages, and axe checks each page twice.
test.describe.configure({ timeout: 60_000 })

/** A user without a mouse who finds everything by the texts of the given language. */
const readerOf = (page: Page, tag: string, digits: string) => {
  const text = textsIn(tag)
  const button = (path: string) => page.getByRole('button', { name: text(path), exact: true })
  const field = (path: string) => page.getByLabel(text(path), { exact: true })
  /** Types into the field that the page has focused, and presses Enter. */
  const enter = async (path: string, typed: string) => {
    await expect(field(path)).toBeFocused()
    await page.keyboard.type(typed)
    await page.keyboard.press('Enter')
  }
  const inDigits = (code: string) => code.replace(/\d/g, digit => digits.charAt(Number(digit)))
  const press = async (target: Locator) => {
    await expect(target).toBeEnabled()
    // The account page has the most elements.
    await tabTo(page, target, 60)
    await page.keyboard.press('Enter')
  }
  return {
    text,
    button,
    field,
    enter,
    press,
    heading: (path: string) => page.getByRole('heading', { level: 1, name: text(path), exact: true }),
    enterCode: (code: string) => enter('signIn.verifyFactor.code', inDigits(code)),
    signIn: async () => {
      await expect(field('signIn.login.email')).toBeFocused()
      await page.keyboard.type(ada.username)
      await page.keyboard.press('Tab')
      await enter('signIn.login.password', ada.password)
    },
    signOut: async () => {
      await press(button('portal.account.signOut'))
      await expect(page).toHaveURL(/\/$/)
    },
    /** Fails on violations of WCAG and of best practices, in both themes. */
    isAccessible: async () => {
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
      // Only this rule depends on the theme.
      expect((await (await axeOn(page)).withRules(['color-contrast']).analyze()).violations, page.url()).toEqual([])
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      expect((await (await axeOn(page)).withTags([...wcag, 'best-practice']).analyze()).violations, page.url()).toEqual([])
    },
  }
}

// One language for each direction.
for (const { tag, direction, digits } of [
  { tag: 'ar', direction: 'rtl', digits: '٠١٢٣٤٥٦٧٨٩' },
  { tag: 'ja', direction: 'ltr', digits: '０１２３４５６７８９' },
]) {
  test.describe(`in the language ${tag}`, () => {
    test.use({ locale: tag, settings: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })

    test('a user without a mouse skips set-up, opens a dialog and asks for a new password', async ({ page, gatehouse }) => {
      const { text, button, field, heading, enter, press, signOut, isAccessible } = readerOf(page, tag, digits)
      addAda(gatehouse)
      await page.goto('/')
      await expect(page.locator('html')).toHaveAttribute('lang', tag)
      await expect(page.locator('html')).toHaveCSS('direction', direction)
      await isAccessible()
      await expect(field('signIn.login.email')).toBeFocused()
      await page.keyboard.type(ada.username)
      await page.keyboard.press('Tab')
      await enter('signIn.login.password', 'a wrong password')
      await expect(page.getByRole('alert').filter({ hasText: text('signIn.failures.failed-login') })).toBeVisible()
      await isAccessible()
      await enter('signIn.login.password', ada.password)

      await expect(heading('signIn.createFactor.title')).toBeFocused()
      await expect(page.getByRole('img', { name: text('signIn.createFactor.qrCode') })).toBeVisible()
      await isAccessible()
      await press(button('signIn.createFactor.skip'))
      await expect(heading('portal.account.title')).toBeVisible()
      await isAccessible()
      await press(button('account.language.open'))
      await expect(page.getByRole('dialog', { name: text('account.language.title') })).toBeVisible()
      await isAccessible()
      await page.keyboard.press('Escape')
      await expect(button('account.language.open')).toBeFocused()
      await signOut()

      await press(button('signIn.login.forgotPassword'))
      await expect(heading('signIn.forgotPassword.title')).toBeVisible()
      await isAccessible()
      await expect(field('signIn.login.email')).toBeFocused()
      await page.keyboard.type(ada.username)
      await press(button('signIn.forgotPassword.sendResetEmail'))
      await expect(page.getByText(text('signIn.forgotPassword.resetEmailSent'))).toBeVisible()
      await isAccessible()
      await press(button('signIn.backToLogin'))
      await expect(field('signIn.login.email')).toBeFocused()
      await expect(field('signIn.login.email')).toHaveValue(ada.username)
    })

    test('a user without a mouse sets up a second factor, and signs in with a code in other digits', async ({ page, gatehouse }) => {
      const { text, button, heading, enterCode, press, signIn, signOut, isAccessible } = readerOf(page, tag, digits)
      addAda(gatehouse)
      await page.goto('/')
      await signIn()
      await expect(heading('signIn.createFactor.title')).toBeFocused()
      const secret = (await page.locator('figcaption code').innerText()).replace(/\s/g, '')
      const code = async (later: number) => (await TOTP.generate(secret, { timestamp: Date.now() + later })).otp
      await press(button('signIn.createFactor.next'))
      await enterCode(await code(0))
      await expect(heading('portal.recoveryCodes.title')).toBeVisible()
      await isAccessible()
      await press(button('portal.recoveryCodes.show'))
      await expect(page.getByRole('list', { name: text('portal.recoveryCodes.list') }).getByRole('listitem')).toHaveCount(10)
      await isAccessible()
      await press(page.getByRole('link', { name: text('portal.recoveryCodes.saved') }))
      await expect(heading('portal.account.title')).toBeVisible()
      await signOut()

      await signIn()
      await enterCode('12345')
      await expect(page.getByText(text('signIn.verifyFactor.notSixDigits'), { exact: true }).first()).toBeVisible()
      await isAccessible()
      await press(button('signIn.verifyFactor.reset'))
      await expect(heading('signIn.resetFactor.title')).toBeFocused()
      await isAccessible()
      await press(button('signIn.backToLogin'))
      await expect(heading('signIn.resetFactor.title')).toHaveCount(0)
      await page.goto('/')
      await signIn()
      // The set-up used the current code, and each code works once.
      await enterCode(await code(30_000))
      await expect(heading('portal.account.title')).toBeVisible()
    })
  })
}
