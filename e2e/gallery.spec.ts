import type { Page } from '@playwright/test'
import { axeOn, wcag } from './axe.ts'
import { expect, test } from './gallery.ts'

test.describe.configure({ timeout: 180_000 })

/** There are too many scenes for one test. Each test takes a part of them. */
const shares = 4

const scenesIn = async (page: Page, url: string) => {
  // Check the list only: two hundred frames at once take too long.
  await page.route('**/frame.html**', route => route.abort())
  await page.goto(url)
  await expect(page.getByRole('heading', { name: 'Gatehouse, all of it' })).toBeVisible()
  const scenes = await page.locator('nav a').evaluateAll(links => links.map(link => link.getAttribute('href')?.slice(1) ?? ''))
  expect(await page.locator('iframe').count()).toBe(4 * scenes.length)
  await page.unrouteAll()
  await page.goto('about:blank')
  return scenes
}

for (let share = 0; share < shares; share++) {
  test(`the gallery reaches every scene in both themes without console messages: part ${share + 1} of ${shares}`, async ({
    page,
    gallery,
    open,
    consoleLines,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const scenes = await scenesIn(page, gallery.url)
    expect(new Set(scenes).size).toBeGreaterThanOrEqual(50)
    consoleLines.splice(0)

    for (const scene of scenes.filter((_, i) => i % shares === share)) {
      await open(scene)
      for (const theme of ['light', 'dark']) {
        await page.evaluate(theme => Object.assign(document.documentElement.dataset, { gatehouseTheme: theme }), theme)
        // every-state.spec.ts checks the built pages. The components appear nowhere else.
        if (!/^(parts|toasts|pages-of|phone-approval|passkeys)/.test(scene)) continue
        // Scenes without a dialog check the page behind it.
        const axe = await axeOn(page)
        if (await page.locator('dialog[open]').count()) axe.include('dialog[open]')
        // A theme only changes colors.
        if (theme === 'dark') axe.withRules(['color-contrast'])
        else axe.withTags(wcag)
        const { violations } = await axe.analyze()
        expect(violations.map(({ id, nodes }) => [scene, theme, id, nodes.map(node => node.html)])).toEqual([])
      }
      expect(consoleLines, scene).toEqual([])
    }
  })
}
