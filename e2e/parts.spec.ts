import { contrast } from '../packages/wire/src/accent.ts'
import { hex } from './colors.ts'
import { expect, test } from './gallery.ts'

test('shows seven kinds of toasts', async ({ page, open }) => {
  await open('toasts-seven-kinds')
  await expect(page.locator('.gatehouse-toast')).toHaveCount(7)
  for (const kind of ['info', 'success', 'warning', 'error', 'default', 'dark', 'loading']) {
    await expect(page.locator('.gatehouse-toast').filter({ hasText: `A toast of kind ${kind}` })).toBeVisible()
  }
})

test('More Info expands, and the body is at most 600 px high and scrolls', async ({ page, open }) => {
  await page.setViewportSize({ width: 1280, height: 1000 })
  await open('toasts-more-info-long')
  const body = page.locator('.gatehouse-toast-body')
  const details = body.locator('details')
  await expect(details).toHaveAttribute('open', '')
  await details.locator('summary').click()
  await expect(body.getByText('A line of detail.')).toBeHidden()
  await details.locator('summary').click()
  await expect(body.getByText('A line of detail.')).toBeVisible()
  expect((await body.boundingBox())?.height).toBe(600)
  await body.hover()
  await page.mouse.wheel(0, 400)
  await expect.poll(() => body.evaluate(element => element.scrollTop)).toBeGreaterThan(0)
})

test('shows a toast at each of six positions', async ({ page, open }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 1200, height: 900 })
  for (const [position, transition] of [
    ['top-right', 'bounce'],
    ['top-center', 'slide'],
    ['top-left', 'zoom'],
    ['bottom-right', 'flip'],
    ['bottom-center', 'bounce'],
    ['bottom-left', 'slide'],
  ] as const) {
    await open(`toasts-${position}-${transition}`)
    const box = await page.locator('.gatehouse-toast').boundingBox()
    if (!box) throw new Error('no toast')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    expect([y < 300 ? 'top' : 'bottom', x < 400 ? 'left' : x > 800 ? 'right' : 'center'].join('-')).toBe(position)
  }
})

test('the modal has z-index 1050 and is at most 1000 px wide, keeps the focus inside, and returns it on Escape', async ({ page, open }) => {
  await page.setViewportSize({ width: 1600, height: 900 })
  await open('parts-modal')
  const dialog = page.getByRole('dialog', { name: 'Remove this factor' })
  await expect(dialog).toHaveCSS('z-index', '1050')
  const width = () =>
    dialog.evaluate(element =>
      Math.max(...[element, ...element.children].map(part => (part.matches('[class*=window]') ? part.getBoundingClientRect().width : 0))),
    )
  expect(await width()).toBe(1000)
  for (let i = 0; i < 6; i++) {
    await page.keyboard.press('Tab')
    expect(await dialog.evaluate(element => element.contains(document.activeElement))).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  const opener = page.getByRole('button', { name: 'Open the window' })
  await opener.press('Enter')
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
  // Below the breakpoint it takes the available width.
  await page.setViewportSize({ width: 400, height: 800 })
  await opener.press('Enter')
  expect(await width()).toBeLessThanOrEqual(400)
})

test('the spinner is 18 px wide, turns once in 1.8 s, and stops with reduced motion', async ({ page, open }) => {
  await open('parts-small-parts')
  const spinner = page.locator('svg[class*=spinner]')
  await expect(spinner).toHaveCSS('width', '18px')
  await expect(spinner).toHaveCSS('height', '18px')
  await expect(spinner).toHaveCSS('animation-duration', '1.8s')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect(spinner).toHaveCSS('animation-name', 'none')
})

test('the debounced field reports its text 300 ms after the last key', async ({ page, open }) => {
  await page.clock.install()
  await open('parts-fields')
  await page.clock.pauseAt(Date.now() + 60_000)
  const field = page.getByLabel('Debounced')
  await field.pressSequentially('ab')
  await page.clock.runFor(299)
  await expect(page.getByText('Settled: nothing yet')).toBeVisible()
  await field.press('c')
  await page.clock.runFor(299)
  await expect(page.getByText('Settled: nothing yet')).toBeVisible()
  await page.clock.runFor(1)
  await expect(page.getByText('Settled: abc')).toBeVisible()
})

test('a password field shows its toggle and caption only if they are set', async ({ page, open }) => {
  await open('parts-fields')
  const plain = page.getByLabel('Password', { exact: true })
  await expect(plain).toHaveAttribute('type', 'password')
  await expect(page.getByRole('button', { name: 'Show password' })).toHaveCount(2)
  await page.getByRole('button', { name: 'Show password' }).first().click()
  await expect(page.getByLabel('Password with toggle')).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Hide password' }).click()
  await expect(page.getByLabel('Password with toggle')).toHaveAttribute('type', 'password')
  await expect(page.getByText('Optional')).toHaveCount(1)
})

test('the edge of a red button stands out from the card by at least 3 : 1, light and dark', async ({ page, open }) => {
  for (const theme of ['light', 'dark'] as const) {
    await open('parts-buttons', theme)
    const colors = await page.getByRole('button', { name: 'Delete user' }).evaluate(button => {
      const card = button.closest('[data-part="card"]')
      return [getComputedStyle(button).borderTopColor, card && getComputedStyle(card).backgroundColor].map(String)
    })
    const [edge = '', card = ''] = colors.map(hex)
    expect(contrast(edge, card), `${edge} on ${card}`).toBeGreaterThanOrEqual(3)
  }
})

test('the list of passkeys to review after a password change is 16 px below the text', async ({ page, open }) => {
  await open('new-password-changed-passkeys-to-review')
  const text = await page.getByText('Sign in with your new password.').boundingBox()
  const list = await page.getByText('These passkeys still sign in').locator('..').boundingBox()
  expect((list?.y ?? 0) - ((text?.y ?? 0) + (text?.height ?? 0))).toBe(16)
})
