import { join } from 'node:path'
import { createServer } from 'vite'
import { test as base, expect } from './console.ts'

/** The gallery as `npm run gallery` serves it: `gallery.open` shows one of its scenes. */
export const test = base.extend<{ open: (scene: string, theme?: 'light' | 'dark') => Promise<void> }, { gallery: { url: string } }>({
  gallery: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from its pattern
    async ({}, use) => {
      const root = join(import.meta.dirname, '../packages/portal/gallery')
      // A source that is saved while the tests run must not pull a page away.
      const server = await createServer({
        configFile: join(root, 'vite.config.ts'),
        cacheDir: join(import.meta.dirname, `../test-results/gallery-${process.pid}`),
        server: { port: 0, hmr: false, watch: null },
        logLevel: 'error',
      })
      await server.listen()
      await use({ url: server.resolvedUrls?.local[0] ?? '' })
      await server.close()
    },
    { scope: 'worker', timeout: 60_000 },
  ],

  open: async ({ page, gallery }, use) => {
    await use(async (scene, theme = 'light') => {
      await page.goto(`${gallery.url}frame.html?scene=${scene}&theme=${theme}`)
      await expect(page.locator('html'), scene).toHaveAttribute('data-scene', 'reached')
    })
  },

  // The development server and React's development build speak of themselves; Chromium gives advice on forms, and a scene is none.
  // In one scene a QR code cannot be drawn, which React writes down.
  noise: /\[vite\]|React DevTools|^verbose: \[DOM\]|Data too long/,
})

export { expect }
