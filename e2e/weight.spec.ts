import { brotliCompressSync, constants } from 'node:zlib'
import { allLanguages } from '@gatehouse/language/build/translations.ts'
import type { Page } from '@playwright/test'
import { expect, test } from './gatehouse.ts'

/** HTML, style sheets and scripts, compressed with brotli. A bare form in React 19 has 58,600 bytes. Later pages load when needed. */
const most = { english: 72_000, other: 73_500, requests: 2 }
/** The scripts that load before the page asks for a passkey's challenge, half a second after its first frame. */
const mostOfOffer = 4_500
const smallest = (body: Buffer) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length

/** Opens the sign-in page and checks its size. `compressed` keeps the sizes of files that several languages load. */
const measure = async (page: Page, tag: string, name: string, compressed: Map<string, Promise<number>>) => {
  const bodies: Promise<[string, number]>[] = []
  const later: string[] = []
  // The browser fetches static imports before the load event, so this counts everything the page needs.
  let loaded = false
  page.once('load', () => {
    loaded = true
  })
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (loaded) later.push(pathname)
    if (loaded || !['document', 'stylesheet', 'script'].includes(request.resourceType())) return
    const key = pathname === '/' ? tag : pathname
    const size = compressed.get(key) ?? request.response().then(async response => smallest((await response?.body()) ?? Buffer.alloc(0)))
    compressed.set(key, size)
    bodies.push(size.then(bytes => [pathname, bytes]))
  })
  await page.goto('/', { waitUntil: 'load' })
  await expect(page.locator('html')).toHaveAttribute('lang', tag)
  await expect(page.locator('#root form button[type=submit]').first()).toBeVisible()
  const files = await Promise.all(bodies)
  expect(files.map(([path]) => path)).toContain('/')
  expect(files.length, JSON.stringify(files)).toBeLessThanOrEqual(most.requests)
  expect(
    files.reduce((sum, [, size]) => sum + size, 0),
    JSON.stringify(files),
  ).toBeLessThanOrEqual(tag === 'en' ? most.english : most.other)
  expect(files.some(([path]) => path.endsWith('.css'))).toBe(false)
  await test.step(`the other texts come in ${name} only`, async () => {
    await expect.poll(() => later.filter(path => path.includes('/texts-'))).toEqual([expect.stringContaining(`/texts-signIn-${tag}-`)])
  })
}

const languages = allLanguages()
/** How many languages one test opens. Compressing nine pages takes a slow machine more than 30 seconds. */
const share = 3

for (let from = 0; from < languages.length; from += share) {
  const some = languages.slice(from, from + share)
  const limit = `${most.requests} requests, and ${most.english} bytes in English, ${most.other} in other languages`
  test(`the first load of the sign-in page is at most ${limit}: ${some.map(({ tag }) => tag).join(', ')}`, async ({
    browser,
    gatehouse,
    consoleLines,
  }) => {
    const compressed = new Map<string, Promise<number>>()
    const inLanguage = ({ tag, name }: { tag: string; name: string }) =>
      test.step(name, async () => {
        const context = await browser.newContext({ baseURL: gatehouse.url, locale: tag })
        const page = await context.newPage()
        page.on('console', message => consoleLines.push(`${tag}: ${message.text()}`))
        page.on('pageerror', error => consoleLines.push(`${tag}: ${error}`))
        await measure(page, tag, name, compressed)
        await context.close()
      })
    await Promise.all(some.map(inLanguage))
  })
}

test(`the offer of passkeys in the autofill loads at most ${mostOfOffer} bytes of scripts, and not the calls that may follow`, async ({
  page,
}) => {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => true
  })
  const scripts: Promise<[string, number]>[] = []
  page.once('load', () => {
    page.on('response', response => {
      if (response.request().resourceType() !== 'script') return
      const { pathname } = new URL(response.url())
      scripts.push(response.body().then(body => [pathname, smallest(body)]))
    })
  })
  const asked = page.waitForRequest('**/passkey/options')
  await page.goto('/')
  await asked
  const files = await Promise.all(scripts)
  expect(files.map(([path]) => path)).toContainEqual(expect.stringContaining('/login-passkeys-'))
  expect(files.filter(([path]) => /\/(calls|parts|passkey-sign-in)-/.test(path))).toEqual([])
  expect(
    files.reduce((sum, [, size]) => sum + size, 0),
    JSON.stringify(files),
  ).toBeLessThanOrEqual(mostOfOffer)
})
