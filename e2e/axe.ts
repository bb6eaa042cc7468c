import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** Levels A and AA of WCAG 2.2. */
export const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The very axe that its builder would bring, without what makes it three times as long to send and to read. */
const source = readFileSync(createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Axe, which tells what is wrong and nothing else. On a page without frames it runs in the page itself: it needs no second window in
 * which to put together what it found in each, and takes a third of the time. Where it is from before it is not brought again.
 */
export const axeOn = async (page: Page) => {
  const isAlone = page.frames().length === 1
  const isThere = isAlone && (await page.evaluate(() => 'axe' in window))
  return new AxeBuilder({ page, axeSource: isThere ? ';' : source }).setLegacyMode(isAlone).options({ resultTypes: ['violations'] })
}
