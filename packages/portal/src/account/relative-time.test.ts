import { expect, it } from 'vitest'
import { relativeTime } from './relative-time.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const now = Date.parse('2026-11-20T03:00:00.000Z')

it.each([
  [-5 * minute, undefined],
  [0, undefined],
  [minute - 1, undefined],
  [minute, '1 minute ago'],
  [2 * minute + 59_000, '2 minutes ago'],
  [hour - 1, '59 minutes ago'],
  [hour, '1 hour ago'],
  [day - 1, '23 hours ago'],
  [day, '1 day ago'],
  [29 * day, '29 days ago'],
  [30 * day, '1 month ago'],
  [364 * day, '12 months ago'],
  [365 * day, '1 year ago'],
  [3 * 365 * day, '3 years ago'],
])('%d ms before now is %s', (before, text) => {
  expect(relativeTime(new Date(now - before).toISOString(), now)).toBe(text)
})
