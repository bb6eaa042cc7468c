import type { Page } from '@playwright/test'
import { axeOn, wcag } from './axe.ts'
import { brands } from './brands.ts'
import { expect, signInPage, test } from './gatehouse.ts'

test.describe.configure({ timeout: 120_000 })

/** Some of the pages show an error, so the server sends them with the status 403 or 404. */
test.use({ noise: /Failed to load resource: the server responded with a status of (403|404)/ })

/** Every kind of page, and the steps that open it. */
const pages: Record<string, (page: Page) => Promise<unknown>> = {
  'sign-in': page => page.goto('/'),
  'a wrong password': async page => {
    await page.goto('/')
    await signInPage(page).signIn({ username: 'nobody@example.com', password: 'wrong' })
    // Password hashing has the lowest priority, and other tests run in parallel.
    await expect(signInPage(page).error).toBeVisible({ timeout: 20_000 })
  },
  'forgot password': page => page.goto('/forgot-password'),
  'a link that does not work': page => page.goto('/new-password#a.b'),
  approver: page => page.goto('/approve'),
  misconfiguration: page => page.goto('/trouble?cause=cookie-domain&seen=https://grafana.example.com'),
  'nothing here': page => page.goto('/nowhere'),
  mailbox: page => page.goto('/mail'),
  account: async page => {
    await page.goto('/')
    await signInPage(page).signIn()
    await expect(page).toHaveURL(/\/account$/, { timeout: 20_000 })
  },
  'administration without a second factor': page => page.goto('/administration'),
}

for (const { name, settings } of brands) {
  test.describe(name, { tag: '@long' }, () => {
    test.use({ settings })

    test(`every page with the brand ${name} is accessible in the light and dark themes, and fits a phone`, async ({ page }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      for (const [what, open] of Object.entries(pages)) {
        await open(page)
        await expect(page.locator('footer a').first()).toBeVisible()
        await expect(page).toHaveTitle(new RegExp(`${settings.GATEHOUSE_NAME}$`))
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          const { violations } = await (await axeOn(page)).withTags(wcag).analyze()
          expect(violations.map(({ id, nodes }) => [what, colorScheme, id, nodes.map(node => node.html)])).toEqual([])
        }
        for (const width of [360, 320]) {
          await page.setViewportSize({ width, height: 640 })
          expect([what, width, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([what, width, width])
        }
        await page.setViewportSize({ width: 1280, height: 720 })
      }
    })

    test(`pages show the brand ${name} without JavaScript`, async ({ browser, gatehouse }) => {
      const context = await browser.newContext({ javaScriptEnabled: false, baseURL: gatehouse.url })
      const page = await context.newPage()
      for (const path of ['/', '/forgot-password', '/nowhere', '/trouble?cause=not-protected']) {
        await page.goto(path)
        const links = page.locator('footer a')
        await expect(links).toHaveText(
          [
            settings.GATEHOUSE_HELP_URL && 'Help',
            settings.GATEHOUSE_PRIVACY_URL && 'Privacy',
            settings.GATEHOUSE_IMPRINT_URL && 'Imprint',
            'English',
          ].filter(label => label !== undefined),
        )
        await expect(
          page.getByRole('img', { name: settings.GATEHOUSE_NAME ?? '' }).or(page.getByText(settings.GATEHOUSE_NAME ?? '', { exact: true })),
        ).toBeVisible()
        if (settings.GATEHOUSE_NOTICE) await expect(page.getByText(settings.GATEHOUSE_NOTICE)).toBeVisible()
      }
      await context.close()
    })
  })
}

test('pages without a script have the styles of their status glyph', { tag: '@long' }, async ({ page }) => {
  for (const path of ['/nowhere', '/trouble?cause=not-protected']) {
    await page.goto(path)
    const box = await page.locator('[class*=status-glyph]').first().boundingBox()
    expect([path, box?.width, box?.height]).toEqual([path, 40, 40])
  }
})

const [harbor] = brands
test.describe('a brand with every file', () => {
  test.use({ settings: harbor?.settings ?? {} })

  test('adds no request before the load event, and causes no layout shift', async ({ page }) => {
    await page.addInitScript(() => {
      Object.assign(window, { moved: 0 })
      new PerformanceObserver(list => {
        for (const entry of list.getEntries()) Object.assign(window, { moved: Reflect.get(window, 'moved') + Reflect.get(entry, 'value') })
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto('/')
    const requests = () =>
      page.evaluate(() => {
        const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
        return performance.getEntriesByType('resource').map(({ name, startTime }) => ({
          path: new URL(name).pathname.replace(/-[\w-]{8}\./, '.'),
          isEarly: !page || page.loadEventStart === 0 || startTime < page.loadEventStart,
        }))
      })
    const background = '/assets/brand/background.svg'
    await expect.poll(async () => (await requests()).map(({ path }) => path)).toContain(background)
    const early = (await requests()).filter(({ path, isEarly }) => isEarly && !path.includes('favicon'))
    expect(early.map(({ path }) => path)).toEqual(['/assets/main.js'])
    await expect(page.getByRole('img', { name: 'Harbor' })).toHaveCSS('height', '36px')
    await page.waitForTimeout(500)
    expect(await page.evaluate(() => Reflect.get(window, 'moved'))).toBe(0)
    expect(await page.locator('body').evaluate(body => getComputedStyle(body).backgroundImage)).toContain('/assets/brand/background-')
  })

  test('shows another logo in the dark theme, and no background on a phone', { tag: '@long' }, async ({ page }) => {
    const logo = () => page.getByRole('img', { name: 'Harbor' }).evaluate(element => getComputedStyle(element).backgroundImage)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto('/forgot-password')
    const light = await logo()
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await logo()).not.toBe(light)
    await page.setViewportSize({ width: 400, height: 800 })
    expect(await page.locator('body').evaluate(body => getComputedStyle(body).backgroundImage)).toBe('none')
  })
})
