import { expect, test, vi } from 'vitest'
import { loadAgain } from './load-again.ts'

test('code that comes the second time is all that is needed', async () => {
  const load = vi.fn(async () => 'code')
  expect(await loadAgain(load)).toBe('code')
  expect(load).toHaveBeenCalledTimes(1)
})

test('where the browser names no address, what it threw is thrown', async () => {
  const cause = new TypeError('Importing a module script failed.')
  await expect(loadAgain(() => Promise.reject(cause))).rejects.toBe(cause)
})
