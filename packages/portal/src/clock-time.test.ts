import { expect, test } from 'vitest'
import { told } from './clock-time.ts'

test.each([
  ['2026-11-20T03:04:05.678Z', 'UTC', '20 Nov 2026, 03:04'],
  ['2026-11-20T03:04:05Z', 'Europe/Amsterdam', '20 Nov 2026, 04:04'],
  ['2026-07-01T22:30:00Z', 'Europe/Amsterdam', '2 Jul 2026, 00:30'],
  ['2026-01-01T02:00:00Z', 'America/St_Johns', '31 Dec 2025, 22:30'],
  ['2026-11-20T03:04:05Z', 'Mars/Olympus', '20 Nov 2026, 03:04'],
])('%s in %s', (instant, zone, words) => {
  expect(told(instant, zone)).toBe(words)
})
