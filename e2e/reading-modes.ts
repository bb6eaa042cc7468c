import type { Page } from '@playwright/test'

// Forced colors, 400 % zoom and reduced motion.

/** What a user of 400 % zoom has to scroll sideways to, or cannot read at all. */
export const lostAtZoom = async (page: Page) => {
  let lost = await cutOff(page)
  // Charts draw themselves again a moment after the window has changed its size.
  for (let again = 0; lost.length > 0 && again < 20; again++) {
    await page.waitForTimeout(100)
    lost = await cutOff(page)
  }
  return lost
}

const cutOff = (page: Page) =>
  page.evaluate(() => {
    const lost: string[] = []
    if (document.documentElement.scrollWidth > innerWidth) lost.push(`the page is ${document.documentElement.scrollWidth} px wide`)
    for (const element of document.querySelectorAll<HTMLElement>('main *, dialog *, .gatehouse-toasts *')) {
      const { overflowX, clipPath, position } = getComputedStyle(element)
      if (element.clientWidth <= 1 || clipPath !== 'none' || element.closest('svg, canvas')) continue
      // A field scrolls its own text.
      const isCut = overflowX === 'hidden' || overflowX === 'clip'
      if (isCut && !element.matches('input, select') && element.scrollWidth > element.clientWidth + 1)
        lost.push(`cut off: ${element.outerHTML.slice(0, 120)}`)
      if ((position === 'fixed' || position === 'sticky') && !element.matches('dialog, .gatehouse-toasts')) {
        const { height } = element.getBoundingClientRect()
        if (height > innerHeight / 2) lost.push(`${height} px of the screen are covered by ${element.outerHTML.slice(0, 120)}`)
      }
    }
    return lost
  })

/** Marks that only a color made, which forced colors remove; and fields without an edge. */
export const lostInForcedColors = (page: Page) =>
  page.evaluate(() => {
    const look = (element: Element) => {
      const style = getComputedStyle(element)
      const { color, backgroundColor, borderTopColor, borderBottomColor, borderBottomWidth, textDecorationLine, outlineStyle } = style
      return [color, backgroundColor, borderTopColor, borderBottomColor, borderBottomWidth, textDecorationLine, outlineStyle].join()
    }
    const lost: string[] = []
    for (const marked of document.querySelectorAll('[aria-current]:not([aria-current=false]), [aria-pressed=true]')) {
      const state = marked.matches('[aria-current]') ? 'aria-current' : 'aria-pressed'
      const others = [...document.querySelectorAll(`.${marked.className.split(' ')[0]}`)].filter(
        other => !other.matches(`[${state}]:not([${state}=false])`),
      )
      if (others.some(other => look(other) === look(marked))) lost.push(`not marked: ${marked.outerHTML.slice(0, 160)}`)
    }
    for (const field of document.querySelectorAll('input:not([type=hidden]), select')) {
      const { borderTopWidth, borderTopStyle } = getComputedStyle(field)
      if (Number.parseFloat(borderTopWidth) < 1 || borderTopStyle === 'none') lost.push(`no edge: ${field.outerHTML.slice(0, 160)}`)
    }
    return lost
  })

/** Animations that run for users who prefer reduced motion. The timer of a toast is one, and moves nothing. */
export const moving = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState, effect }) => playState === 'running' && Number(effect?.getComputedTiming().duration ?? 0) > 1)
      .filter(({ effect }) => !(effect instanceof KeyframeEffect && effect.target?.matches('.Toastify__progress-bar')))
      .map(({ effect }) => (effect instanceof KeyframeEffect ? effect.target?.outerHTML.slice(0, 160) : 'something')),
  )
