import { brotliCompressSync, constants } from 'node:zlib'
import { expect, test } from './gatehouse.ts'

/** HTML, style sheets and scripts, compressed with brotli. A bare form in React 19 has 58,600 bytes. Later pages load when needed. */
const most = { bytes: 72_000, requests: 2 }
const smallest = (body: Buffer) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length

test(`the first load of the sign-in page is at most ${most.requests} requests and ${most.bytes} bytes`, async ({ page }) => {
  const bodies: Promise<[string, number]>[] = []
  // The browser fetches static imports before the load event, so this counts everything the page needs.
  let loaded = false
  page.once('load', () => {
    loaded = true
  })
  page.on('request', request => {
    if (loaded || !['document', 'stylesheet', 'script'].includes(request.resourceType())) return
    const body = request.response().then(response => response?.body() ?? Buffer.alloc(0))
    bodies.push(body.then(bytes => [new URL(request.url()).pathname, smallest(bytes)]))
  })
  await page.goto('/', { waitUntil: 'load' })
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  const files = await Promise.all(bodies)
  expect(files.map(([path]) => path)).toContain('/')
  expect(files.length, JSON.stringify(files)).toBeLessThanOrEqual(most.requests)
  expect(
    files.reduce((sum, [, bytes]) => sum + bytes, 0),
    JSON.stringify(files),
  ).toBeLessThanOrEqual(most.bytes)
  expect(files.some(([path]) => path.endsWith('.css'))).toBe(false)
})
