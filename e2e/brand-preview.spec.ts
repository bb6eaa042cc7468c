import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { environment } from '../packages/server/test/support/environment.ts'
import { freePort } from '../packages/server/test/support/free-port.ts'
import { brands } from './brands.ts'
import { expect, test } from './console.ts'

const setup = join(import.meta.dirname, '../scripts/setup.mjs')

/** Runs `npm run brand -- preview` with only these settings. */
const preview = (settings: Record<string, string>, ...args: string[]) => {
  const child = spawn(process.execPath, [setup, 'brand', 'preview', ...args], { env: environment(settings), stdio: 'pipe' })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => void said.push(String(chunk)))
  return { child, said: () => said.join('') }
}

test.describe.configure({ timeout: 180_000 })
// After Vite has optimized a new dependency, it answers outdated requests with 504 and reloads the page.
test.use({ noise: /\[vite\]|React DevTools|^verbose: \[DOM\]|504/ })

test('the gallery shows pages and a mail in the brand of the settings', { tag: '@long' }, async ({ page }) => {
  const [harbor] = brands
  const port = await freePort()
  const { child, said } = preview({ ...harbor?.settings }, '--port', String(port), '--strictPort')
  try {
    await expect.poll(said, { timeout: 120_000 }).toContain(`localhost:${port}`)
    await page.goto(`http://localhost:${port}/frame.html?scene=pages-of-the-account-account&theme=dark`)
    await expect(page.getByRole('img', { name: 'Harbor' })).toBeVisible({ timeout: 60_000 })
    await expect(page.locator('footer a')).toHaveText(['Help', 'Privacy', 'Imprint'])
    // A second preview does not delete the files of the first.
    await once(preview({ GATEHOUSE_ACCENT: 'bleu' }).child, 'close')
    await page.goto(`http://localhost:${port}/frame.html?scene=login-not-logged-in&theme=light`)
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toHaveCSS('background-color', 'rgb(11, 92, 115)')
    expect(await page.locator('body').evaluate(body => getComputedStyle(body).backgroundImage)).toContain('/assets/brand/background-')
    await page.goto(`http://localhost:${port}/frame.html?scene=mailbox-open&theme=light`)
    await expect(page.frameLocator('iframe').getByText('Sent by Harbor')).toBeVisible()
  } finally {
    child.kill('SIGINT')
    await once(child, 'close')
  }
})

test('a brand with problems opens no gallery and lists the problems', { tag: '@long' }, async () => {
  const { child, said } = preview({ GATEHOUSE_ACCENT: 'bleu', GATEHOUSE_BRAND_DIR: '/nowhere' })
  const [code] = await once(child, 'close')
  expect(code).toBe(1)
  expect(said()).toContain('The brand has problems:\n  GATEHOUSE_ACCENT must be one opaque CSS color')
  expect(said()).toContain('GATEHOUSE_BRAND_DIR: /nowhere cannot be read (ENOENT).')
})
