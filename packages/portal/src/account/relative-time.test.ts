import { afterEach, expect, it } from 'vitest'
import { speak } from '../messages/current.ts'
import { allEnglish } from '../testing/speak-english.ts'
import { relativeTime } from './relative-time.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
afterEach(() => speak('en', allEnglish))

const now = Date.parse('2026-11-20T03:00:00.000Z')

it.each([
  [-5 * minute, undefined],
  [0, undefined],
  [minute - 1, undefined],
  [minute, '1\u00a0minute ago'],
  [2 * minute + 59_000, '2\u00a0minutes ago'],
  [hour - 1, '59\u00a0minutes ago'],
  [hour, '1\u00a0hour ago'],
  [day - 1, '23\u00a0hours ago'],
  [day, '1\u00a0day ago'],
  [29 * day, '29\u00a0days ago'],
  [30 * day, '1\u00a0month ago'],
  [364 * day, '12\u00a0months ago'],
  [365 * day, '1\u00a0year ago'],
  [3 * 365 * day, '3\u00a0years ago'],
])('%d ms before now is %s', (before, text) => {
  expect(relativeTime(new Date(now - before).toISOString(), now)).toBe(text)
})

it.each([
  ['de', 'vor 2\u00a0Minuten'],
  ['uk', '2\u00a0хвилини тому'],
  ['ja', '2\u00a0分前'],
  ['zh-Hans', '2\u00a0分钟前'],
])('keeps the number and its unit on one line in %s', (language, text) => {
  speak(language, {})
  expect(relativeTime(new Date(now - 2 * minute).toISOString(), now)).toBe(text)
})
