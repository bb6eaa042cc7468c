import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { area, reach, sendCode, tokenPage } from './area.ts'
import { factorUri, outcome } from './messages.ts'
import { count, expect, held, lastBody, test } from './wire.ts'

test('factor verification shows title, field, button and the label of each state', async ({ page, wire }) => {
  const { heading, code, submit, resetFactor } = area(page)
  await reach.verifyFactor({ page, wire })
  await expect(
    page
      .getByRole('img', { name: 'Gatehouse' })
      .or(page.getByText('Gatehouse', { exact: true }))
      .first(),
  ).toBeVisible()
  await expect(heading).toHaveText('Two Factor Authentication')
  await expect(code).toBeFocused()
  await expect(code).toHaveAttribute('inputmode', 'numeric')
  await expect(code).toHaveAttribute('maxlength', '6')
  // Browsers compile the attribute with the flag v (HTML, §4.10.5.3.6).
  const pattern = new RegExp(`^(?:${await code.getAttribute('pattern')})$`, 'v')
  for (const right of ['012345', '٠١٢٣٤٥', '０１２３４５']) expect(pattern.test(right)).toBe(true)
  for (const wrong of ['01234', '0123456', '01234a']) expect(pattern.test(wrong)).toBe(false)
  expect(await code.evaluate(field => getComputedStyle(field).fontFamily)).toMatch(/mono/i)
  expect(Number.parseFloat(await code.evaluate(field => getComputedStyle(field).fontSize))).toBeGreaterThanOrEqual(28)
  await expect(page.getByText('or', { exact: true })).toBeVisible()
  await expect(resetFactor).toBeVisible()

  const call = held()
  const leaving = held()
  wire.answer('verifyOTP', { json: outcome.success, after: call.after })
  wire.answer('loginWithToken', { json: {}, after: leaving.after })
  await expect(submit).toHaveText('Verify')
  const idle = await submit.boundingBox()
  await code.fill('012345')
  await submit.click()
  await expect(submit).toHaveText('Verifying')
  await expect(submit).toBeDisabled()
  await expect(submit.locator('svg')).toBeVisible()
  expect(await submit.boundingBox()).toEqual(idle)
  call.release()
  await expect(submit).toHaveText('Verified, please wait')
  await expect(submit.locator('svg')).toBeVisible()
  leaving.release()
  await expect(page).toHaveURL(tokenPage)
})

test('a click puts the caret after the last digit of the code', async ({ page, wire }) => {
  const { code } = area(page)
  await reach.verifyFactor({ page, wire })
  await code.fill('123')
  await code.evaluate((field: HTMLInputElement) => field.setSelectionRange(0, 0))
  const box = await code.boundingBox()
  if (!box) throw new Error('no field')
  await page.mouse.click(box.x + 4, box.y + box.height / 2)
  expect(await code.evaluate((field: HTMLInputElement) => [field.selectionStart, field.selectionEnd])).toEqual([3, 3])
})

test('submitting a code that is not an integer sends nothing, and the button shows Verifying until an edit', async ({ page, wire }) => {
  const { code, submit } = area(page)
  await reach.verifyFactor({ page, wire })
  for (const wrong of ['12a456', 'abcdef']) {
    await code.fill(wrong)
    await code.press('Enter')
    await expect(submit).toHaveText('Verifying')
    await expect(submit).toBeDisabled()
    await expect(code).toBeEnabled()
    await code.fill('12')
    await expect(submit).toHaveText('Verify')
    await expect(submit).toBeEnabled()
  }
  expect(count(wire, 'verifyOTP')).toBe(0)
  await sendCode(page, '123456')
  await expect(page).toHaveURL(tokenPage)
})

test('verifying a new factor calls setupOTP and offers no reset', async ({ page, wire }) => {
  const { code, resetFactor } = area(page)
  await reach.firstSetup({ page, wire })
  await expect(code).toBeFocused()
  await expect(resetFactor).toHaveCount(0)
  await expect(page.getByText('or', { exact: true })).toHaveCount(0)
  await sendCode(page)
  await expect(page).toHaveURL(tokenPage)
  expect([count(wire, 'setupOTP'), count(wire, 'verifyOTP')]).toEqual([1, 0])
})

test('factor creation shows heading, instruction, a QR code of 400 px, Next, and Skip with its note', async ({ page, wire }) => {
  const { heading, qr, next, skip } = area(page)
  await reach.createFactor({ page, wire })
  await expect(heading).toHaveText('Two Factor Authentication')
  await expect(
    page.getByText(/scan the QR code with an authenticator app such as Google Authenticator or Authy and click Next/i),
  ).toBeVisible()
  expect((await qr.boundingBox())?.width).toBe(400)
  await expect(next).toBeEnabled()
  await expect(page.getByText(/administrator is notified/)).toBeVisible()
  const call = held()
  wire.answer('setupOTP', { json: outcome.success, after: call.after })
  await expect(skip).toHaveText('Skip factor authentication')
  await skip.click()
  await expect(skip).toHaveText('Loading')
  await expect(skip).toBeDisabled()
  call.release()
  await expect(page).toHaveURL(tokenPage)
  expect(lastBody(wire, 'setupOTP')).not.toHaveProperty('otpVerification')
})

test('shows the whole page in two columns if they fit; otherwise the QR code is between the texts', async ({ page, wire }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await reach.createFactor({ page, wire })
  const boxes = async () => {
    const [text, code, next] = await Promise.all(
      [page.getByText(/^Scan the QR code/), area(page).qr, area(page).next].map(at => at.boundingBox()),
    )
    if (!text || !code || !next) throw new Error('not shown')
    return { text, code, next }
  }
  const wide = await boxes()
  expect(wide.code.x - (wide.next.x + wide.next.width)).toBe(40)
  expect(wide.code.width).toBe(400)
  await expect(area(page).back).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(800)
  for (const narrow of [
    { width: 768, height: 1024 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(narrow)
    // The second size tests a host page with a narrow column in a wide window.
    if (narrow.width === 1280) await page.locator('main').evaluate(main => Object.assign(main.style, { width: '700px' }))
    await expect.poll(async () => (await boxes()).code.y > (await boxes()).text.y).toBe(true)
    const { text, code, next } = await boxes()
    expect(code.y).toBeGreaterThan(text.y + text.height)
    expect(next.y).toBeGreaterThan(code.y + code.height)
    expect([code.x, code.width]).toEqual([next.x, 400])
  }
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('the primary action opens an authenticator app on the device, and the QR code is below it', async ({ page, wire }) => {
    await reach.createFactor({ page, wire })
    const open = page.getByRole('link', { name: 'Open in authenticator app on this device' })
    await expect(open).toHaveAttribute('href', factorUri)
    await expect(page.getByRole('link')).toHaveCount(1)
    const [link, picture] = [await open.boundingBox(), await area(page).qr.boundingBox()]
    expect(picture?.y).toBeGreaterThan((link?.y ?? 0) + (link?.height ?? 0))
    // Small, because a phone cannot scan its own screen.
    expect(picture?.width).toBe(212)
    await page.setViewportSize({ width: 360, height: 780 })
    await expect(area(page).next).toBeInViewport({ ratio: 1 })
    const filled = 'rgb(47, 85, 212)'
    await expect(open).toHaveCSS('background-color', filled)
    await expect(area(page).next).not.toHaveCSS('background-color', filled)
    await area(page).next.click()
    await expect(area(page).submit).toHaveCSS('background-color', filled)
  })
})

test('on a computer, the primary action is Next, and a link below the key opens an app', async ({ page, wire }) => {
  await reach.createFactor({ page, wire })
  await expect(page.getByRole('link')).toHaveText(['Open in an app on this device'])
  await expect(page.getByRole('link')).toHaveAttribute('href', factorUri)
  await expect(area(page).next).toHaveCSS('background-color', 'rgb(47, 85, 212)')
})

for (const [colorScheme, width] of [
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const) {
  test(`a scanner reads the QR code from the screen, ${colorScheme}, ${width} px wide`, {
    tag: colorScheme === 'light' && width > 1000 ? [] : '@long',
  }, async ({ page, wire }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 1000 })
    await reach.createFactor({ page, wire })
    const { data, width: w, height: h } = PNG.sync.read(await page.screenshot({ fullPage: true }))
    // The picture as it appears: dark on light in every theme, because many scanners read nothing else.
    const read = jsqr.default(new Uint8ClampedArray(data), w, h, { inversionAttempts: 'dontInvert' })
    expect(read?.data).toBe(factorUri)
  })
}

test('factor reset shows title, instruction and the label while it sends', async ({ page, wire }) => {
  const { heading, sendReset, code } = area(page)
  const call = held()
  wire.answer('resetOTP', { json: outcome.needsReset, after: call.after })
  await reach.resetFactor({ page, wire })
  await expect(heading).toHaveText('Reset Two Factor Authentication')
  await expect(page.getByText(/follow the instructions.*then enter the one-time code in the next step/i)).toBeVisible()
  await expect(sendReset).toHaveText('Send reset instruction')
  await sendReset.click()
  await expect(sendReset).toHaveText('Sending')
  await expect(sendReset).toBeDisabled()
  call.release()
  await expect(code).toBeFocused()
})
