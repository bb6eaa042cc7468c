import type { Page } from '@playwright/test'
import { axeOn, wcag } from './axe.ts'
import { expect, test } from './gallery.ts'

test.describe.configure({ timeout: 180_000 })

/** There are more scenes than one test has time for; each of these looks at its share. */
const shares = 4

const scenesIn = async (page: Page, url: string) => {
  // The list alone, for two hundred frames at once are for a person's patience.
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
        // The pages are looked at by every-state.spec.ts as they are built; the parts are seen nowhere else.
        if (!/^(parts|toasts|pages-of|phone-approval)/.test(scene)) continue
        // What is behind a window is looked at in the scenes without one.
        const axe = await axeOn(page)
        if (await page.locator('dialog[open]').count()) axe.include('dialog[open]')
        // Another theme is other colours and nothing else.
        if (theme === 'dark') axe.withRules(['color-contrast'])
        else axe.withTags(wcag)
        const { violations } = await axe.analyze()
        expect(violations.map(({ id, nodes }) => [scene, theme, id, nodes.map(node => node.html)])).toEqual([])
      }
      expect(consoleLines, scene).toEqual([])
    }
  })
}
