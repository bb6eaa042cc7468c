import { test as base, type Page } from '@playwright/test'

/** A stray line on the page's console fails a test; one that expects lines takes them out of `consoleLines`. */
export const test = base.extend<{ noise: RegExp | undefined; consoleLines: string[]; strictConsole: undefined }>({
  /** What a tool says of itself on every page. */
  noise: [undefined, { option: true }],

  consoleLines: async ({ page, noise }, use) => {
    const lines: string[] = []
    const hear = (line: string) => noise?.test(line) || lines.push(line)
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

/** What shows toasts comes while the page rests, in two files; when the network is gone it is too late to fetch them. */
export const toastsCome = (page: Page) =>
  expect
    .poll(
      () =>
        page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => /\/toaster[^/]*\.(js|css)$/.test(name)).length),
      { timeout: 20_000 },
    )
    .toBe(2)
