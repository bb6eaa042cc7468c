import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** Levels A and AA of WCAG 2.2. */
export const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * Axe, which tells what is wrong and nothing else. On a page without frames it runs in the page itself: it needs no second window in
 * which to put together what it found in each, and takes a third of the time.
 */
export const axeOn = (page: Page) =>
  new AxeBuilder({ page }).setLegacyMode(page.frames().length === 1).options({ resultTypes: ['violations'] })
