import { defineConfig } from '@playwright/test'
import { chromium, chromiumFlags } from './chromium.ts'

/**
 * Tests that `npm run test:long` runs and `npm test` does not: those with the tag, and whole files about every scene in both themes, about
 * other style sheets, and about proxies.
 */
const long = /@long|\b(every-state|gallery|host-page|protecting-[\w-]+)\.spec\.ts/
const suite = process.env.GATEHOUSE_TEST_SUITE

/** Real browser, real server. Workers are few: each starts a server, and sign-ins are made to cost. */
export default defineConfig({
  testDir: '.',
  ...(suite === 'long' && { grep: long }),
  ...(suite === 'short' && { grepInvert: long }),
  outputDir: '../test-results/e2e',
  fullyParallel: true,
  workers: 4,
  timeout: 30_000,
  forbidOnly: process.env.CI !== undefined,
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    // Tracing makes every test a third longer; `npm run e2e -- --trace on -g name` looks closely at one.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: chromium,
      args: chromiumFlags,
    },
  },
})
