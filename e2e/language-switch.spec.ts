import AxeBuilder from '@axe-core/playwright'
import { expect, test } from './gatehouse.ts'

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with a script' : 'without a script', () => {
    test.use({ javaScriptEnabled })

    test('a user chooses a language by keyboard, and returns to the page', { tag: javaScriptEnabled ? [] : '@long' }, async ({ page }) => {
      await page.goto('/forgot-password')
      await page.getByRole('link', { name: 'Language: English' }).focus()
      await page.keyboard.press('Enter')
      await expect(page).toHaveTitle(/^Choose your language/)
      if (javaScriptEnabled) expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
      await page.getByRole('button', { name: 'Deutsch', exact: true }).focus()
      await page.keyboard.press('Enter')
      await expect(page.locator('html')).toHaveAttribute('lang', 'de')
      expect(new URL(page.url()).pathname).toBe('/forgot-password')
      await expect(page.locator('footer')).toHaveText('Deutsch')
      await page.goto('/')
      await expect(page.locator('html')).toHaveAttribute('lang', 'de')
    })
  })
}
