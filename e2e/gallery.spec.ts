import type { Page } from '@playwright/test'
import { parts } from '../packages/sign-in/src/appearance/parts.ts'
import { axeOn, wcag } from './axe.ts'
import { expect, removeMails, scenesIn, test } from './gallery.ts'
import { lostAtZoom, lostInForcedColors, moving } from './reading-modes.ts'

test.describe.configure({ timeout: 300_000 })

/** There are too many scenes for one test. Each test takes a part of them. */
const shares = 8

/** Rules about whole pages. They do not apply to scenes that show a single component or a dialog. */
const ofPages = ['region', 'page-has-heading-one', 'landmark-one-main', 'heading-order']
const isComponent = (scene: string) => /^(parts|toasts)-/.test(scene)

const axe = async (page: Page, scene: string, rules: { tags?: string[]; only?: string[] }) => {
  const axe = await axeOn(page)
  // In a scene with a dialog, check only the dialog. Other scenes show the page behind it.
  const isDialog = (await page.locator('dialog[open]').count()) > 0
  if (isDialog) axe.include('dialog[open]')
  if (rules.tags) axe.withTags(rules.tags)
  if (rules.only) axe.withRules(rules.only)
  else axe.disableRules(isComponent(scene) || isDialog ? ofPages : [])
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => [scene, id, nodes.map(node => node.html)])
}

for (let share = 0; share < shares; share++) {
  test(`every scene of the gallery is accessible in both themes, in forced colors, at 400 % zoom and without motion: part ${share + 1} of ${shares}`, async ({
    page,
    gallery,
    open,
    consoleLines,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const scenes = await scenesIn(page, gallery.url)
    expect(new Set(scenes).size).toBeGreaterThanOrEqual(50)
    consoleLines.splice(0)
    const found: unknown[] = []

    for (const scene of scenes.filter((_, i) => i % shares === share)) {
      await open(scene)
      await removeMails(page)
      found.push(...(await axe(page, scene, { tags: [...wcag, 'best-practice'] })))
      found.push(...(await moving(page)).map(one => [scene, 'moves', one]))
      await page.evaluate(() => Object.assign(document.documentElement.dataset, { gatehouseTheme: 'dark' }))
      // A theme only changes colors.
      found.push(...(await axe(page, scene, { only: ['color-contrast'] })))
      await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark', reducedMotion: 'reduce' })
      found.push(...(await lostInForcedColors(page)).map(one => [scene, 'forced colors', one]))
      found.push(...(await axe(page, `${scene} in forced colors`, { only: ['color-contrast'] })))
      await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light', reducedMotion: 'reduce' })
      // 400 % of 1280 x 1024 (WCAG 1.4.10).
      await page.setViewportSize({ width: 320, height: 256 })
      found.push(...(await lostAtZoom(page)).map(one => [scene, '400 % zoom', one]))
      await page.setViewportSize({ width: 1280, height: 800 })
      expect(consoleLines, scene).toEqual([])
    }
    expect(found).toEqual([])
  })
}

/** Parts with content of the host page. e2e/appearance.spec.ts tests them. */
const ofHosts = ['header', 'above-form', 'below-form', 'footer']

/** Scenes of the widget's pages, and toasts. */
const ofWidget = /^(login|passkeys|pages-of-the-next-step|factor|phone-approval|recovery-(?!codes)|forgot|toasts)/

test('the pages of the widget render every documented part and no other, and every control is a documented part', async ({
  page,
  gallery,
  open,
  consoleLines,
}) => {
  const scenes = await scenesIn(page, gallery.url)
  consoleLines.splice(0)
  const seen = new Set<string | null>()
  const nameless: string[] = []
  for (const scene of scenes.filter(scene => ofWidget.test(scene))) {
    await open(scene)
    const found = await page.locator('[data-part]').evaluateAll(elements => elements.map(element => element.getAttribute('data-part')))
    for (const name of found) if (!ofHosts.includes(name ?? '')) seen.add(name)
    const bare = page.locator('[data-gatehouse] :is(a, button, input, h1, label, p):not([data-part], [data-part="banner"] *)')
    nameless.push(...(await bare.evaluateAll(elements => elements.map(element => element.outerHTML.slice(0, 120)))))
  }
  expect([...seen].sort()).toEqual(parts.filter(name => !ofHosts.includes(name)).sort())
  expect(nameless).toEqual([])
})
