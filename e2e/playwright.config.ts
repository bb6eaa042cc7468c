import { defineConfig } from '@playwright/test'
import { chromium, chromiumFlags } from './chromium.ts'

/** The longest tests. Start them first, or the last worker runs one alone. */
const first = /\b(whole-life|administration|without-script|push|account)\.spec\.ts/
/** The tests of `npm test` that open the gallery. One worker runs them, because each worker builds the gallery. */
const inGallery = /\b(figures|parts)\.spec\.ts/

/** A real browser and a real server. Few workers, because each starts a server and password hashing is slow by design. */
export default defineConfig({
  testDir: '.',
  outputDir: '../test-results/e2e',
  fullyParallel: true,
  workers: 4,
  projects: [
    { name: 'first', testMatch: first },
    { name: 'gallery', testMatch: inGallery, workers: 1 },
    { name: 'rest', testIgnore: [first, inGallery] },
  ],
  timeout: 30_000,
  forbidOnly: process.env.CI !== undefined,
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    // Traces make tests a third slower. Use `npm run e2e -- --trace on -g name` for one test.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: chromium,
      args: chromiumFlags,
    },
  },
})
