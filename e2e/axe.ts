import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** Levels A and AA of WCAG 2.2. */
export const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The minified axe: a third of the size of the one that AxeBuilder would load. */
const source = readFileSync(createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Runs axe for violations only. A page without frames uses legacy mode, which does not open a second page and takes a third of the
 * time. Loads axe only once per document.
 */
export const axeOn = async (page: Page) => {
  // Elements have a size, so they count as visible, before the style sheets of their page have loaded.
  await page.waitForLoadState('load')
  await endOfFading(page)
  const isAlone = page.frames().length === 1
  const isThere = isAlone && (await page.evaluate(() => 'axe' in window))
  return new AxeBuilder({ page, axeSource: isThere ? ';' : source }).setLegacyMode(isAlone).options({ resultTypes: ['violations'] })
}

/** While a dialog fades in, its text has less contrast. Waits for short animations only: a spinner and a toast's timer run longer. */
const endOfFading = (page: Page) =>
  page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => Number(effect?.getComputedTiming().endTime ?? 0) <= 1000)
        .map(({ finished }) => finished),
    ).then(() => undefined),
  )
