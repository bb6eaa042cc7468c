import { test as base, type Page } from '@playwright/test'

/** Chromium logs this line when a test, like a fast user, types before the page's autofocus takes effect. */
const typedEarly = /^info: Autofocus processing was blocked because a document already has a focused element\.$/

/** Fails a test on unexpected console messages. A test that expects some removes them from `consoleLines`. */
export const test = base.extend<{ noise: RegExp | undefined; consoleLines: string[]; strictConsole: undefined }>({
  /** Messages to ignore, for example those that a tool prints on every page. */
  noise: [undefined, { option: true }],

  consoleLines: async ({ page, noise }, use) => {
    const lines: string[] = []
    const hear = (line: string) => noise?.test(line) || typedEarly.test(line) || lines.push(line)
    page.on('console', message => hear(`${message.type()}: ${message.text()}`))
    page.on('pageerror', error => hear(`uncaught: ${error.message}`))
    await use(lines)
  },

  strictConsole: [
    async ({ consoleLines }, use) => {
      await use(undefined)
      base.expect(consoleLines).toEqual([])
    },
    { auto: true },
  ],
})

export const { expect } = base

/** Waits until the page has loaded a number of files whose names match. Call it before going offline. */
const filesLoaded = (page: Page, name: RegExp, files: number) =>
  expect
    .poll(
      () =>
        page.evaluate(
          pattern => performance.getEntriesByType('resource').filter(entry => new RegExp(pattern).test(entry.name)).length,
          name.source,
        ),
      { timeout: 20_000 },
    )
    .toBe(files)

/** Waits for the files of the toasts, which load when the page is idle. */
export const toastsLoaded = (page: Page) => filesLoaded(page, /\/toaster[^/]*\.(js|css)$/, 2)

/**
 * Waits for the files of the calls, which the sign-in page loads when it is idle. While they are missing, the browser posts the form
 * without the page's script.
 */
export const callsLoaded = (page: Page) => filesLoaded(page, /\/(after-first-load|calls)[^/]*\.js$/, 2)
