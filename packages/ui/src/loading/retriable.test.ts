import { expect, test, vi } from 'vitest'
import { retriable } from './retriable.ts'

test('loads on the second try', async () => {
  const cause = new TypeError('Failed to fetch dynamically imported module: https://sign-in.example.com/assets/qr-code.js')
  const load = vi.fn(async () => 'code').mockRejectedValueOnce(cause)
  const again = retriable(load)
  await expect(again()).rejects.toBe(cause)
  expect(await again()).toBe('code')
  expect(load).toHaveBeenCalledTimes(2)
})

test.each([
  'Importing a module script failed.',
  'Minified React error #418; visit https://react.dev/errors/418',
  'Failed to fetch dynamically imported module: https://sign-in.example.com/a.js, or so',
])('rethrows an error that does not end with a module address: %s', async message => {
  const cause = new TypeError(message)
  const again = retriable(() => Promise.reject(cause))
  for (let i = 0; i < 3; i++) await expect(again()).rejects.toBe(cause)
})
