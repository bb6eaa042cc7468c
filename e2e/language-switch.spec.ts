import { expect, test } from './gatehouse.ts'

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with a script' : 'without a script', () => {
    test.use({ javaScriptEnabled })

    test('the switch changes the language by keyboard, and stays on the page', async ({ page }) => {
      await page.goto('/forgot-password')
      const current = page.locator('summary', { hasText: 'English' })
      await current.focus()
      await page.keyboard.press('Enter')
      const german = page.getByRole('button', { name: 'Deutsch', exact: true })
      await expect(german).toBeVisible()
      await german.focus()
      await page.keyboard.press('Enter')
      await expect(page.locator('html')).toHaveAttribute('lang', 'de')
      expect(new URL(page.url()).pathname).toBe('/forgot-password')
      await expect(page.locator('summary')).toHaveText('Deutsch')
      await page.goto('/')
      await expect(page.locator('html')).toHaveAttribute('lang', 'de')
    })
  })
}
