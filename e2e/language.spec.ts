import type { Page } from '@playwright/test'
import { admin, expect, test } from './gatehouse.ts'

/** The chunks of texts that a page requests from now on: part and language, such as `account-de`. */
const textsOf = (page: Page) => {
  const chunks = new Set<string>()
  page.on('request', request => {
    const [, chunk] = /\/assets\/texts-(.+)-[\w-]{8}\.js$/.exec(new URL(request.url()).pathname) ?? []
    if (chunk) chunks.add(chunk)
  })
  return () => [...chunks].sort()
}

for (const [tag, direction] of [
  ['de', 'ltr'],
  ['ar', 'rtl'],
] as const) {
  test(`hydrates pages in the language ${tag}, and loads no other language`, async ({ page, gatehouse }) => {
    await page.goto(gatehouse.url)
    const texts = textsOf(page)
    await page.getByRole('link', { name: 'Language: English' }).click()
    await page.locator(`button[name=language][value=${tag}]`).click()
    await expect(page.locator('html')).toHaveAttribute('lang', tag)
    await page.locator('input[name=username]').fill(admin.username)
    await page.locator('input[name=password]').fill(admin.password)
    await page.locator('main form button[type=submit]:not([form])').click()
    await expect(page).toHaveURL(/\/account$/)
    await expect(page.locator('html')).toHaveAttribute('lang', tag)
    await expect(page.locator('html')).toHaveCSS('direction', direction)
    // Before hydration the buttons of actions are disabled. A difference to the server's markup would be in the console.
    await expect(page.locator('section button[aria-disabled]')).toHaveCount(0)
    await expect(page.getByText('Signed in as')).toHaveCount(0)
    expect(texts()).toEqual([`account-${tag}`, `portal-${tag}`, `signIn-${tag}`])

    // Signs out, but keeps the cookie of the language.
    await page.context().clearCookies({ name: /^(?!.*language)/ })
    await page.goto(`${gatehouse.url}/forgot-password`)
    await expect(page.locator('html')).toHaveAttribute('lang', tag)
    await expect.poll(() => page.evaluate(() => Object.keys(document.querySelector('form') ?? {}).join())).toContain('__reactProps')
    expect(texts()).toEqual([`account-${tag}`, `portal-${tag}`, `signIn-${tag}`])
  })
}

test.describe('in a Japanese browser', () => {
  test.use({ locale: 'ja' })
  test('uses Japanese glyphs, and breaks no line within a phrase', async ({ page, gatehouse }) => {
    await page.goto(gatehouse.url)
    const label = page.locator('main form label').first()
    await expect(label).toHaveCSS('-webkit-locale', '"ja"')
    await expect(label).toHaveCSS('word-break', 'auto-phrase')
  })
})
