import { area, reach, type Stage, signIn } from './area.ts'
import { expect, test } from './wire.ts'

test.use({ noise: /Failed to load resource/ })

/** A sign-in that the server answers with an error page. */
const fail = async ({ page, wire }: Stage) => {
  wire.answer('getAuthTokenWithError', { status: 503, body: '<html>', type: 'text/html' })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signIn({ page })
  await expect(area(page).toasts).toBeVisible()
  const boxOf = async (selector: string) => {
    const box = await page.locator(selector).boundingBox()
    if (!box) throw new Error(`no ${selector}`)
    return { ...box, right: box.x + box.width, bottom: box.y + box.height }
  }
  return { toast: await boxOf('.gatehouse-toast'), card: await boxOf('.gatehouse-card-card') }
}

test('a toast appears above the card if there is room', async ({ page, wire }) => {
  await page.setViewportSize({ width: 1280, height: 1100 })
  const { toast, card } = await fail({ page, wire })
  expect(toast.bottom).toBeLessThanOrEqual(card.y)
  expect(toast.bottom).toBeGreaterThan(card.y - 40)
  expect([toast.x, toast.right]).toEqual([card.x, card.right])
})

test('a toast appears below the card if only that side has room', async ({ page, wire }) => {
  await page.setViewportSize({ width: 1280, height: 1100 })
  await fail({ page, wire })
  await page.locator('main').evaluate(main => Object.assign(main.style, { paddingBlockStart: '24px' }))
  const boxes = async () => [await area(page).toasts.boundingBox(), await page.locator('.gatehouse-card-card').boundingBox()] as const
  const gap = async () => {
    const [toast, card] = await boxes()
    return toast && card ? toast.y - (card.y + card.height) : undefined
  }
  await expect.poll(gap).toBe(12)
  const [toast, card] = await boxes()
  expect([toast?.x, toast?.width]).toEqual([card?.x, card?.width])
})

test('a toast appears to the right of the card if only that side has room', async ({ page, wire }) => {
  await page.setViewportSize({ width: 1280, height: 640 })
  const { toast, card } = await fail({ page, wire })
  expect([toast.x - card.right, toast.y - card.y]).toEqual([12, 0])
  expect(toast.right).toBeLessThanOrEqual(1280)
})

test('on a phone, a toast pushes the card down until the user closes it', async ({ page, wire }) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await page.goto('/')
  const card = page.locator('.gatehouse-card-card')
  const before = (await card.boundingBox())?.y
  const failed = await fail({ page, wire })
  expect(failed.toast.bottom).toBeLessThanOrEqual(failed.card.y)
  expect([failed.toast.x, failed.toast.right]).toEqual([8, 352])
  await area(page).toasts.getByRole('button', { name: 'Close' }).click()
  await expect(area(page).toasts).toHaveCount(0)
  expect((await card.boundingBox())?.y).toBe(before)
})

test('a toast covers no field in a small window, and follows the card that a host page puts elsewhere', async ({ page, wire }) => {
  await page.setViewportSize({ width: 1080, height: 640 })
  const { toast, card } = await fail({ page, wire })
  expect(toast.y).toBeGreaterThanOrEqual(0)
  expect(toast.bottom).toBeGreaterThan(card.y)
  expect(toast.bottom).toBeLessThanOrEqual((await area(page).email.boundingBox())?.y ?? 0)
  await page.locator('main').evaluate(main => Object.assign(main.style, { width: '460px', marginInlineStart: '600px' }))
  const moved = await page.locator('.gatehouse-card-card').boundingBox()
  expect(moved?.x).toBeGreaterThan(card.x + 100)
  await expect.poll(async () => (await page.locator('.gatehouse-toast').boundingBox())?.x).toBe(moved?.x)
})

test('a toast stays on the screen while the page scrolls', async ({ page, wire }) => {
  await page.setViewportSize({ width: 360, height: 400 })
  await fail({ page, wire })
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(100)
  const toast = async () => (await page.locator('.gatehouse-toast').boundingBox())?.y ?? -1
  await expect.poll(toast).toBeGreaterThanOrEqual(0)
  await expect.poll(toast).toBeLessThan(40)
})

test('a wrong code shows the banner and the toast of §8; a failed login shows the banner only', async ({ page, wire }) => {
  await reach.verifyFactor({ page, wire })
  wire.answer('verifyOTP', { json: { tag: 'AuthFailureFailedLogin' } })
  await area(page).code.fill('123456')
  await area(page).code.press('Enter')
  await expect(area(page).banner).toContainText('You have failed to login')
  await expect(area(page).toasts).toHaveCount(0)
  const contents = { status: 'Pending', reason: { tag: 'InvalidCode' } }
  wire.answer('verifyOTP', { json: { tag: 'AuthFailureFactorError', contents: { tag: 'TOTPError', contents } } })
  await area(page).code.fill('123457')
  await area(page).code.press('Enter')
  await expect(area(page).banner).toHaveText('Invalid code')
  await expect(area(page).toast('Authentication Failed')).toHaveCount(1)
})
