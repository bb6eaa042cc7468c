import { afterEach, beforeEach, expect, vi } from 'vitest'

/**
 * A line in the console that no test expects fails the test.
 * @returns `lines`: takes what has been written so far
 */
export const watchConsole = () => {
  const written: string[] = []
  beforeEach(() => {
    written.length = 0
    for (const level of ['error', 'warn'] as const) {
      vi.spyOn(console, level).mockImplementation((...args) => void written.push(args.map(String).join(' ')))
    }
  })
  afterEach(() => {
    vi.restoreAllMocks()
    expect(written, 'stray lines in the console').toEqual([])
  })
  return { lines: () => written.splice(0) }
}
