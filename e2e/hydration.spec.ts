import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { brands } from './brands.ts'
import { admin, expect, signInPage, test } from './gatehouse.ts'

/** Sums all layout shifts that the browser measures, even those right after user input. */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    Object.assign(window, { shifts: 0 })
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) Object.assign(window, { shifts: Reflect.get(window, 'shifts') + Reflect.get(entry, 'value') })
    }).observe({ type: 'layout-shift', buffered: true })
  })
const shifts = (page: Page) => page.evaluate(() => Reflect.get(window, 'shifts'))

/** A slow phone: 1.6 Mbit/s, 150 ms latency, a processor four times slower. */
const slowDown = async (page: Page) => {
  const client = await page.context().newCDPSession(page)
  await client.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 94_000,
  })
  await client.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}

/** Holds back every script. Returns a function that releases the scripts and ignores pages that have been closed. */
const holdScripts = async (page: Page) => {
  let release = () => {}
  const released = new Promise<void>(resolve => (release = resolve))
  await page.route('**/*.js', async route => {
    await released
    await route.continue().catch(() => {})
  })
  return release
}

/** Whether React has hydrated the form. */
const isHydrated = (page: Page) =>
  page.evaluate(() => Object.keys(document.querySelector('form') ?? {}).some(name => name.startsWith('__reactProps')))

test('keeps what is typed while the page loads, keeps the focus and shifts nothing', async ({ page }) => {
  await watchShifts(page)
  await slowDown(page)
  // On a busy machine, the script could otherwise arrive before the test checks the page.
  const release = await holdScripts(page)
  await page.goto('/', { waitUntil: 'commit' })
  await page.waitForSelector('input[name=username]')
  expect(await isHydrated(page)).toBe(false)
  // Types a key every 10 ms until well after hydration. The page focuses the field itself.
  const typed: string[] = []
  let after = 0
  await expect(signInPage(page).email).toBeFocused()
  while (after < 20) {
    const key = 'abcdefghij'[typed.length % 10] ?? ''
    await page.keyboard.press(key, { delay: 10 })
    typed.push(key)
    if (typed.length === 5) release()
    if (await isHydrated(page)) after++
  }
  expect(await signInPage(page).email.inputValue()).toBe(typed.join(''))
  await expect(signInPage(page).email).toBeFocused()
  expect(await shifts(page)).toBe(0)
})

test('a late script keeps the text and caret of the second field', { tag: '@long' }, async ({ page }) => {
  const release = await holdScripts(page)
  await watchShifts(page)
  await page.goto('/', { waitUntil: 'commit' })
  const { email, password, button } = signInPage(page)
  // Wait for autofocus: Chromium logs a message if the user focuses a field before that.
  await expect(email).toBeFocused()
  await email.fill(admin.username)
  await password.pressSequentially('correct horse staple', { delay: 10 })
  for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowLeft')
  release()
  await expect.poll(() => isHydrated(page)).toBe(true)
  await page.keyboard.type('battery ')
  await expect(password).toBeFocused()
  await expect(email).toHaveValue(admin.username)
  await expect(password).toHaveValue(admin.password)
  expect(await shifts(page)).toBe(0)
  await button.click()
  await expect(page).toHaveURL(/\/account$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('the page is complete before its script arrives', async ({ page }) => {
  const release = await holdScripts(page)
  await page.goto('/', { waitUntil: 'domcontentloaded' })
  const { email, password, button } = signInPage(page)
  for (const element of [email, password, button]) await expect(element).toBeVisible()
  expect(await isHydrated(page)).toBe(false)
  release()
  await expect.poll(() => isHydrated(page)).toBe(true)
})

test('compresses the page, and does not send it again to a browser that has cached it', async ({ request }) => {
  const first = await request.get('/', { headers: { 'accept-encoding': 'gzip' } })
  expect(first.headers()['content-encoding']).toBe('gzip')
  expect(first.headers()['cache-control']).toBe('private, no-cache')
  const again = await request.get('/', { headers: { 'accept-encoding': 'gzip', 'if-none-match': first.headers().etag ?? '' } })
  expect([again.status(), await again.text()]).toEqual([304, ''])
})

test.describe('later pages', () => {
  test.use({ settings: { GATEHOUSE_SECOND_FACTOR: 'required' } })

  test('hydrates a page reached by a form, and keeps the QR code and the focus', { tag: '@long' }, async ({ page }) => {
    await watchShifts(page)
    const release = await holdScripts(page)
    await page.goto('/', { waitUntil: 'commit' })
    await expect(signInPage(page).email).toBeFocused()
    await signInPage(page).signIn({ ...admin, password: 'not the password at all' })
    await expect(page.getByRole('alert').filter({ hasText: 'You have failed to login.' })).toBeVisible()
    await expect(signInPage(page).password).toBeFocused()
    await signInPage(page).password.fill(admin.password)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/second-factor$/)
    const picture = page.getByRole('img', { name: /QR code to scan/ })
    await expect(picture).toBeVisible()
    const drawn = await picture.evaluate(image => image.outerHTML)
    const next = page.getByRole('button', { name: 'Next' })
    await next.focus()
    release()
    await expect.poll(() => isHydrated(page)).toBe(true)
    await expect(next).toBeFocused()
    expect(await picture.evaluate(image => image.outerHTML)).toBe(drawn)
    expect(await shifts(page)).toBe(0)
    await next.press('Enter')
    await expect(page.getByLabel('Verification Code')).toBeFocused()
    // The script showed the page without a navigation.
    await expect(page).toHaveURL(/\/second-factor$/)
    await page.getByLabel('Verification Code').fill('123456')
    await page.getByRole('button', { name: 'Verify' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Invalid code' }).first()).toBeVisible()
  })
})

test('submits the form without the script when the code for the calls does not load', async ({ page, gatehouse, consoleLines }) => {
  await page.route(/\/after-first-load-[^/]*\.js(\?|$)/, route => route.abort())
  const tried = page.waitForEvent('requestfailed', request => /\/after-first-load-/.test(request.url()))
  await page.goto('/')
  await tried
  const { email, password, button, signIn } = signInPage(page)
  // Without a password, the page shows the error and sends nothing.
  await email.fill(admin.username)
  await button.click()
  await expect(page.getByText('Enter your password.')).toBeVisible()
  await signIn({ ...admin, password: 'not the password at all' })
  await expect(page).toHaveTitle(/^Error: /)
  await expect(page.getByText('You have failed to login.')).toBeVisible()
  await expect(password).toBeFocused()
  await page.waitForEvent('requestfailed', request => /\/after-first-load-/.test(request.url()))
  await password.fill(admin.password)
  await button.click()
  await expect(page).toHaveURL(`${gatehouse.url}/account`)
  await expect(page.getByRole('button', { name: 'Change email' })).toBeEnabled()
  expect(consoleLines.splice(0)).toEqual(expect.arrayContaining([expect.stringContaining('net::ERR_FAILED')]))
})

const [harbor] = brands

/** Positions to pause the transfer: before each tag and in the middle of each text. */
const cutsOf = (html: string) => {
  const cuts: number[] = []
  for (const { index, 0: piece } of html.matchAll(/<[^>]*>|[^<]+/g)) {
    cuts.push(index)
    if (!piece.startsWith('<')) cuts.push(index + Math.ceil(piece.length / 2))
  }
  return cuts.filter(cut => cut > html.indexOf('<main'))
}

for (const [title, settings] of [
  ['without a brand', {}],
  ['with the links of a brand', harbor?.settings ?? {}],
] as const) {
  test.describe(title, () => {
    test.use({ settings })

    test('what is visible does not move, wherever the transfer pauses', { tag: '@long' }, async ({ page, gatehouse }) => {
      test.setTimeout(120_000)
      const whole = await (await fetch(`${gatehouse.url}/`)).text()
      // Without the script: its later changes are not part of this test.
      const html = whole.replace(/<script async.*/, '')
      expect(html).not.toBe(whole)
      let cut = 0
      let goOn = () => {}
      const server = createServer((request, response) => {
        if (request.url !== '/') return void response.writeHead(204).end()
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).write(html.slice(0, cut))
        goOn = () => void response.end(html.slice(cut))
      })
      await once(server.listen(0, '127.0.0.1'), 'listening')
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
      await watchShifts(page)
      const moved: string[] = []
      for (cut of cutsOf(html)) {
        await page.goto(url, { waitUntil: 'commit' })
        // After two frames, the first part is visible.
        await page.evaluate(() => new Promise(shown => requestAnimationFrame(() => requestAnimationFrame(shown))))
        goOn()
        await page.waitForLoadState()
        await page.evaluate(() => new Promise(shown => requestAnimationFrame(() => requestAnimationFrame(shown))))
        if ((await shifts(page)) !== 0) moved.push(`${html.slice(cut - 30, cut)}|${html.slice(cut, cut + 20)}`)
      }
      server.close()
      expect(moved).toEqual([])
      await expect(signInPage(page).button).toBeVisible()
    })
  })
}
