import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environment } from '../packages/server/test/support/environment.ts'
import { freePort } from '../packages/server/test/support/free-port.ts'
import { axeOn } from './axe.ts'
import { admin, expect, test } from './gatehouse.ts'
import { button, expectOnlyStatuses, heading, isIn, isRefused, withGoogle, withMicrosoft } from './sign-on.ts'

test.describe('a server with the demo provider of npm start', () => {
  const demo = test.extend<{ url: string }>({
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from this pattern which other fixtures the fixture needs
    url: async ({}, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-demo-'))
      const port = await freePort()
      const main = join(import.meta.dirname, '../packages/server/src/main.ts')
      const env = environment({
        GATEHOUSE_DATA_DIR: dataDir,
        GATEHOUSE_LISTEN: `127.0.0.1:${port}`,
        GATEHOUSE_SECOND_FACTOR: 'off',
        GATEHOUSE_ADMIN_PASSWORD: admin.password,
      })
      const child: ChildProcess = spawn(process.execPath, [main, '--demo-provider'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
      let said = ''
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (said += chunk))
      await expect.poll(() => said, { timeout: 20_000 }).toContain('Gatehouse is ready')
      await use(`http://localhost:${port}`)
      const gone = new Promise(resolve => child.on('close', resolve))
      child.kill('SIGTERM')
      await gone
      // The server's output contains no technical terms of OpenID.
      expect(said).not.toMatch(/oidc-provider|WARNING/)
      await rm(dataDir, { recursive: true })
    },
    baseURL: async ({ url }, use) => use(url),
  })

  for (const [name, way] of [
    ['Google', withGoogle],
    ['Microsoft', withMicrosoft],
  ] as const) {
    demo(`the demo stands in for ${name}, and says so`, async ({ page, context, url }) => {
      await page.goto('/')
      await way(page).click()
      await expect(page.getByText(`Demo provider: this is not ${name}.`)).toBeVisible()
      await expect(page.getByText('It is part of this development server.')).toBeVisible()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect((await (await axeOn(page)).analyze()).violations).toEqual([])
      }
      await page.getByRole('link', { name: /Noor Demo/ }).click()
      await isIn(page, 'noor@demo.example')
      await expect(page).toHaveURL(`${url}/account`)
      await button(page, 'Sign out').click()
      // The provider keeps no session, so another user can be chosen.
      await way(page).click()
      await page.getByRole('link', { name: /Emil Demo/ }).click()
      await isIn(page, 'emil@demo.example')
      expect((await context.cookies(url)).every(({ name: cookie }) => cookie.startsWith('gatehouse-'))).toBe(true)
    })
  }

  demo('cancelling at the demo, and the address of the administrator', async ({ page, consoleLines }) => {
    await page.goto('/')
    await withGoogle(page).click()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await isRefused(page, 'Sign-in canceled')
    await page.getByRole('link', { name: 'Back to sign-in' }).click()
    await withGoogle(page).click()
    await page.getByRole('link', { name: /Admin Demo/ }).click()
    await isRefused(page, 'Link your Google account first')
    expectOnlyStatuses(consoleLines)
  })

  demo('an address of the demo that is over leads back', async ({ page, url, consoleLines }) => {
    await page.goto('/')
    await withGoogle(page).click()
    const gone = page.url()
    await page.context().clearCookies()
    await page.goto(gone)
    await expect(heading(page, 'This sign-in can’t continue')).toBeVisible()
    expectOnlyStatuses(consoleLines)
    await page.getByRole('link', { name: 'Back to the sign-in page' }).click()
    await expect(page).toHaveURL(`${url}/`)
  })
})
