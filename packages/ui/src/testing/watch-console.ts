import { afterEach, beforeEach, expect, vi } from 'vitest'

/**
 * Fails a test that wrote errors or warnings to the console and did not read them.
 * @returns `lines`, which returns the lines so far and removes them
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
