import type { Page } from '@playwright/test'

// Forced colors, 400 % zoom and reduced motion.

/** Content that a user at 400 % zoom must scroll sideways to read, or cannot read. */
export const lostAtZoom = async (page: Page) => {
  let lost = await cutOff(page)
  // Charts redraw shortly after the window is resized.
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
      if ((position === 'fixed' || position === 'sticky') && !element.matches('dialog, .Toastify, .gatehouse-toasts')) {
        const { height } = element.getBoundingClientRect()
        if (height > innerHeight / 2) lost.push(`${height} px of the screen are covered by ${element.outerHTML.slice(0, 120)}`)
      }
    }
    return lost
  })

/** Texts that an ancestor element clips, in either direction, and labels that overflow their button. */
export const clippedTexts = (page: Page) =>
  page.evaluate(() => {
    const clipped: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    const isHidden = (style: CSSStyleDeclaration) => style.clipPath !== 'none' || style.visibility !== 'visible'
    const button = 'button, [role=button], [role=tab], a'
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement
      if (
        // Not visible: the content of a closed `details`.
        !parent?.checkVisibility() ||
        !node.nodeValue?.trim() ||
        parent.closest('script, style, noscript, svg, canvas, select, textarea, [aria-hidden=true]')
      )
        continue
      range.selectNodeContents(node)
      const lines = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0)
      if (lines.length === 0) continue
      for (let around: Element | null = parent; around && around !== document.documentElement; around = around.parentElement) {
        const style = getComputedStyle(around)
        // Texts for screen readers only are one pixel large.
        if (isHidden(style) || around.clientWidth === 1) break
        const overflows = [style.overflowX, style.overflowY]
        // What a reader can scroll to is not lost.
        if (overflows.some(overflow => overflow === 'auto' || overflow === 'scroll')) break
        const cuts = overflows.some(overflow => overflow === 'hidden' || overflow === 'clip')
        if (!cuts && !around.matches(button)) continue
        if (style.display === 'inline') continue
        const box = around.getBoundingClientRect()
        // The half-leading above and below a line may overflow, because it contains no letters.
        const lost = lines.some(line => {
          const slack = Math.max(2, (line.height - Number.parseFloat(style.fontSize)) / 2 + 1)
          return line.left < box.left - 1 || line.right > box.right + 1 || line.top < box.top - slack || line.bottom > box.bottom + slack
        })
        if (lost) clipped.push(`clipped: ${node.nodeValue.trim().slice(0, 60)} in ${around.outerHTML.slice(0, 120)}`)
        if (lost) break
      }
    }
    return clipped
  })

/** States that only a color marks, which forced colors remove, and fields without a border. */
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

/** Animations that run for users who prefer reduced motion. Ignores the timer of a toast, which moves nothing. */
export const moving = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState, effect }) => playState === 'running' && Number(effect?.getComputedTiming().duration ?? 0) > 1)
      .filter(({ effect }) => !(effect instanceof KeyframeEffect && effect.target?.matches('.Toastify__progress-bar')))
      .map(({ effect }) => (effect instanceof KeyframeEffect ? effect.target?.outerHTML.slice(0, 160) : 'something')),
  )
