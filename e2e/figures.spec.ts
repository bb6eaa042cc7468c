import { expect, test } from './gallery.ts'

test('the modal has wide padding from a viewport of 768 px, and narrow padding below', async ({ page, open }) => {
  await open('parts-modal')
  const dialog = page.getByRole('dialog')
  const edge = dialog.locator('[class*=window]')
  for (const [width, around, within] of [
    [768, '24px', '24px'],
    [767, '12px', '20px'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await expect(dialog).toHaveCSS('padding', around)
    await expect(edge).toHaveCSS('padding', within)
  }
})

test('a success toast closes after 15000 ms; an error toast stays', async ({ page, open }) => {
  // The gallery's other toasts have their own durations; these two use the default.
  await open('toasts-a-success-and-an-error')
  const success = page.locator('.Toastify__toast--success')
  const error = page.locator('.Toastify__toast--error')
  await expect(success).toBeVisible()
  const clock = success.locator('.Toastify__progress-bar')
  await page.mouse.move(0, 700)
  await expect(clock).toHaveCSS('animation-play-state', 'running')
  const animation = await clock.evaluateHandle(bar => {
    const [animation] = bar.getAnimations()
    if (!animation) throw new Error('nothing counts the time')
    return animation
  })
  expect(await animation.evaluate(({ effect, playState }) => [effect?.getTiming().duration, playState])).toEqual([15_000, 'running'])
  // Held shortly before its end, so that a slow machine cannot close the toast before the test looks.
  await animation.evaluate(animation => {
    animation.pause()
    animation.currentTime = 14_900
  })
  await page.waitForTimeout(1000)
  await expect(success).toBeVisible()
  await animation.evaluate(animation => animation.play())
  await expect(success).toHaveCount(0)
  await expect(error).toBeVisible()
  // No timer that could close the error toast is running.
  expect(
    await error.evaluate(toast => toast.getAnimations({ subtree: true }).filter(({ playState }) => playState === 'running').length),
  ).toBe(0)
})

test('on a phone, toasts are as wide as the screen minus 8 px on each side, whatever they say', async ({ page, open }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await open('toasts-a-success-and-an-error')
  const widths = await page.locator('.gatehouse-toast').evaluateAll(toasts => toasts.map(toast => toast.getBoundingClientRect().width))
  expect(widths).toEqual([344, 344])
})

test('a toast is never taller than the screen: its body scrolls to the end', { tag: '@long' }, async ({ page, open }) => {
  await page.setViewportSize({ width: 700, height: 360 })
  await open('toasts-more-info-long')
  const toast = page.locator('.gatehouse-toast')
  const box = await toast.boundingBox()
  if (!box) throw new Error('no toast')
  expect(box.y).toBeGreaterThanOrEqual(0)
  expect(box.y + box.height).toBeLessThanOrEqual(360)
  const body = toast.locator('.gatehouse-toast-body')
  expect(await body.evaluate(element => element.scrollHeight > element.clientHeight)).toBe(true)
  await body.evaluate(element => element.scrollTo(0, element.scrollHeight))
  const end = await body.locator('.gatehouse-toast-quiet').evaluate(element => element.getBoundingClientRect().bottom)
  expect(end).toBeLessThanOrEqual(360)
})

test('the error panel shows ‘Something went wrong’ and the message below it', async ({ page, open }) => {
  await open('parts-banner-and-error-panel')
  const title = page.getByRole('alert').getByText('Something went wrong', { exact: true })
  await expect(title).toBeVisible()
  const message = title.locator('xpath=following-sibling::p')
  await expect(message.first()).not.toBeEmpty()
  const [above, below] = [await title.boundingBox(), await message.first().boundingBox()]
  expect(below?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0))
})

test('the last line of a short text has more than one word', async ({ page, open }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await open('pages-of-the-account-account')
  const detail = page.getByText('Each one works once, in place of your second factor.')
  // Slightly too narrow for one line, in any font.
  await detail.evaluate(node => {
    const range = document.createRange()
    range.selectNodeContents(node)
    node.style.setProperty('white-space', 'nowrap', 'important')
    const { width } = range.getBoundingClientRect()
    node.style.removeProperty('white-space')
    node.style.setProperty('width', `${Math.floor(width) - 2}px`, 'important')
  })
  const linesOf = () =>
    detail.evaluate(node => {
      const words = [...(node.firstChild?.textContent ?? '').matchAll(/\S+/g)].map(({ 0: word, index }) => {
        const range = document.createRange()
        range.setStart(node.firstChild ?? node, index)
        range.setEnd(node.firstChild ?? node, index + word.length)
        return range.getBoundingClientRect().top
      })
      return [...new Set(words)].map(top => words.filter(other => other === top).length)
    })
  const [first = 0, last = 0, ...more] = await linesOf()
  expect([first + last, more]).toEqual([10, []])
  expect(last).toBeGreaterThan(1)
  // Without the page's `text-wrap`, the last line has only one word.
  await detail.evaluate(node => node.style.setProperty('text-wrap', 'wrap', 'important'))
  expect(await linesOf()).toEqual([9, 1])
})
