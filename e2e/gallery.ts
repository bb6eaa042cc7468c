import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { build, preview } from 'vite'
import { freePort } from '../packages/server/test/support/free-port.ts'
import { test as base, expect } from './console.ts'

/** The gallery, built once for all scenes, with React's development build, which reports problems. */
export const test = base.extend<
  { open: (scene: string, theme?: 'light' | 'dark', language?: string) => Promise<void> },
  { gallery: { url: string } }
>({
  gallery: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from its pattern
    async ({}, use) => {
      const root = join(import.meta.dirname, '../packages/portal/gallery')
      const outDir = await mkdtemp(join(tmpdir(), 'gatehouse-gallery-'))
      const configFile = join(root, 'vite.config.ts')
      await build({
        configFile,
        mode: 'development',
        logLevel: 'error',
        define: { 'process.env.NODE_ENV': '"development"' },
        build: { outDir, emptyOutDir: true, minify: false },
      })
      const server = await preview({ configFile, build: { outDir }, preview: { port: await freePort() }, logLevel: 'error' })
      await use({ url: server.resolvedUrls?.local[0] ?? '' })
      await server.close()
      await rm(outDir, { recursive: true })
    },
    { scope: 'worker', timeout: 60_000 },
  ],

  open: async ({ page, gallery }, use) => {
    await use(async (scene, theme = 'light', language = 'en') => {
      await page.goto(`${gallery.url}frame.html?scene=${scene}&theme=${theme}&lang=${language}`)
      await expect(page.locator('html'), scene).toHaveAttribute('data-scene', 'reached')
    })
  },

  // Vite and React's development build log their own lines, and Chromium logs advice about forms. One scene has a QR code that cannot
  // be rendered, which React logs.
  noise: /\[vite\]|React DevTools|^verbose: \[DOM\]|Data too long/,
})

/** The names of all scenes. */
export const scenesIn = async (page: Page, url: string) => {
  // Check only the list: hundreds of frames at once take too long.
  await page.route('**/frame.html**', route => route.abort())
  await page.goto(url)
  await expect(page.getByRole('heading', { name: 'Gatehouse, all of it' })).toBeVisible()
  const scenes = await page.locator('nav a').evaluateAll(links => links.map(link => link.getAttribute('href')?.slice(1) ?? ''))
  expect(await page.locator('iframe').count()).toBe(4 * scenes.length)
  await page.unrouteAll()
  await page.goto('about:blank')
  return scenes
}

/** Removes mails from a scene. They are separate pages, in frames without scripts. */
export const removeMails = (page: Page) =>
  page.locator('iframe').evaluateAll(frames => {
    for (const frame of frames) frame.remove()
  })

export { expect }
