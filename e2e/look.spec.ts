import type { Page } from '@playwright/test'
import { axeOn, wcag } from './axe.ts'
import { mailedLink } from './dev-mailbox.ts'
import { admin, expect, signInPage, test } from './gatehouse.ts'

const pages = {
  'sign-in': async () => {},
  'sign-in, refused': async (page: Page) => {
    await signInPage(page).signIn({ ...admin, password: 'wrong password wrong' })
    await expect(signInPage(page).error).not.toBeEmpty()
  },
  'sign-in, fields empty': async (page: Page) => {
    await signInPage(page).button.click()
    await expect(signInPage(page).email).toHaveAttribute('aria-invalid', 'true')
  },
  'forgot password': async (page: Page) => {
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    await expect(page.getByRole('button', { name: 'Back to Login' })).toBeVisible()
  },
  account: async (page: Page) => {
    await signInPage(page).signIn()
    await expect(page.getByRole('button', { name: 'Change password' })).toBeEnabled()
  },
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [name, prepare] of Object.entries(pages)) {
    // The long suite also tests every scene of the gallery.
    const tag = colorScheme === 'light' && name === 'sign-in' ? [] : '@long'
    test(`${name}, ${colorScheme}: is accessible and no wider than a phone`, { tag }, async ({ page }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width: 360, height: 740 })
      await page.goto('/')
      await prepare(page)
      const { violations } = await (await axeOn(page)).withTags(wcag).analyze()
      expect(violations.map(({ id, nodes }) => [id, nodes.map(node => node.html)])).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    })
  }
}

test('signs in and out by keyboard alone', async ({ page, gatehouse }) => {
  await page.goto('/')
  await expect(signInPage(page).email).toBeFocused()
  await page.keyboard.type(admin.username)
  await page.keyboard.press('Tab')
  await page.keyboard.type(admin.password)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Show password' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Forgot your password?' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(signInPage(page).button).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${gatehouse.url}/account`)
  await expect(page.getByRole('button', { name: 'Change password' })).toBeEnabled()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Administration' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${gatehouse.url}/`)
})

test('resets a password by keyboard alone, from the sign-in page through the email', { tag: '@long' }, async ({ page, gatehouse }) => {
  const press = async (key: string, times = 1) => {
    for (let n = 0; n < times; n++) await page.keyboard.press(key)
  }
  await page.goto('/')
  await expect(signInPage(page).email).toBeFocused()
  await press('Tab', 3)
  await expect(page.getByRole('button', { name: 'Forgot your password?' })).toBeFocused()
  await press('Enter')
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.keyboard.type(admin.username)
  await press('Tab')
  await press('Enter')
  await expect(page.getByText('Email sent')).toBeVisible()

  await page.goto('about:blank')
  await page.goto(await mailedLink(gatehouse, admin.username, 'new-password'))
  await expect(page.locator('input[name=newpassword]')).toBeFocused()
  await page.keyboard.type('too short')
  await press('Enter')
  await expect(page.getByText('The password needs at least 15 characters. This one has 9.')).toBeVisible()
  await expect(page.locator('input[name=newpassword]')).toBeFocused()
  await press('Control+A')
  await page.keyboard.type('a wholly new password')
  // Skip the visibility button and focus the confirmation field.
  await press('Tab', 2)
  await page.keyboard.type('a wholly new password')
  await press('Enter')
  await expect(page.getByRole('heading', { name: 'Password changed' })).toBeFocused()
  await press('Tab')
  await press('Enter')
  await signInPage(page).signIn({ ...admin, password: 'a wholly new password' })
  await expect(page).toHaveURL(`${gatehouse.url}/account`)
})

test('shows a focus ring of two pixels on every element, on the edge of a field and around a button', async ({ page }) => {
  await page.goto('/')
  for (let i = 0; i < 7; i++) {
    const ring = await page.evaluate(() => {
      const element = document.activeElement ?? document.body
      const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element)
      return { isField: element.matches('input'), ring: [outlineStyle, outlineWidth, outlineOffset] }
    })
    expect(ring.ring).toEqual(['solid', '2px', ring.isField ? '-1px' : '2px'])
    await page.keyboard.press('Tab')
  }
})

test('PW-10: a password manager finds both fields in one form, and pasting works', async ({ page }) => {
  await page.goto('/')
  await expect(page.locator('form input[autocomplete~="username"][type="email"]')).toHaveCount(1)
  await expect(page.locator('form input[autocomplete="current-password"][type="password"]')).toHaveCount(1)
  await signInPage(page).password.focus()
  await page.evaluate(() => document.execCommand('insertText', false, 'pasted by a manager'))
  await expect(signInPage(page).password).toHaveValue('pasted by a manager')
})

test('the page sends requests to its own server only', async ({ page, gatehouse }) => {
  const elsewhere: string[] = []
  page.on('request', request => {
    if (!request.url().startsWith(gatehouse.url)) elsewhere.push(request.url())
  })
  await page.goto('/')
  await signInPage(page).signIn()
  await expect(page).toHaveURL(/\/account$/)
  expect(elsewhere).toEqual([])
})
