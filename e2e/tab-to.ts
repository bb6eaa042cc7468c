import type { Locator, Page } from '@playwright/test'

/** Presses Tab until an element has the focus. Fails after more presses than the page has elements. */
export const tabTo = async (page: Page, target: Locator, presses = 20) => {
  for (let i = 0; i < presses; i++) {
    if (await target.evaluate(element => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('Tab does not lead there')
}
