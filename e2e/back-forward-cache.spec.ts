import type { BrowserContext, Page } from '@playwright/test'
import { area, signIn, tokenPage } from './area.ts'
import { fullChromium } from './chromium.ts'
import { test as base, expect } from './wire.ts'

/** Playwright turns the back/forward cache off. This browser has it, as users' browsers do. */
const test = base.extend<{ page: Page }, { kept: BrowserContext }>({
  kept: [
    async ({ playwright, launchOptions }, use) => {
      const browser = await playwright.chromium.launch({
        ...launchOptions,
        executablePath: fullChromium,
        ignoreDefaultArgs: ['--disable-back-forward-cache'],
      })
      await use(await browser.newContext())
      await browser.close()
    },
    { scope: 'worker' },
  ],
  page: async ({ kept, baseURL }, use) => {
    const page = await kept.newPage()
    const { goto } = page
    page.goto = (address, options) => goto.call(page, new URL(address, baseURL).href, options)
    await use(page)
    await page.close()
  },
})

test('Back from the token page restores the form from the back/forward cache, without the password', async ({ page, wire }) => {
  wire.allowPageCache()
  await page.addInitScript(() => {
    window.addEventListener('pageshow', event => {
      document.documentElement.dataset.persisted = String(event.persisted)
    })
  })
  await signIn({ page })
  await expect(page).toHaveURL(tokenPage)
  // A page that comes from the cache fires no load event.
  await page.goBack({ waitUntil: 'commit' })
  // The browser shows the same document without reloading it.
  await expect(page.locator('html')).toHaveAttribute('data-persisted', 'true')
  const { signIn: button, email, password } = area(page)
  await expect(button).toBeEnabled()
  await expect(email).toHaveValue('ada@example.com')
  await expect(password).toHaveValue('')
  await password.fill('correct horse battery staple')
  await button.click()
  await expect(page).toHaveURL(tokenPage)
})
