import type { Locator, Page } from '@playwright/test'

/** Presses Tab until something has the focus, and fails if the way is longer than the page. */
export const tabTo = async (page: Page, target: Locator) => {
  for (let i = 0; i < 20; i++) {
    if (await target.evaluate(element => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('Tab does not lead there')
}
