import { describe, expect, it } from 'vitest'
import { dateTimeFormat } from './date-time.ts'

describe('a date and time', () => {
  it.each([
    ['2026-11-20T03:04:05.678Z', 'UTC', '20 Nov 2026, 03:04'],
    ['2026-11-20T03:04:05Z', 'Europe/Amsterdam', '20 Nov 2026, 04:04'],
    ['2026-07-01T22:30:00Z', 'Europe/Amsterdam', '2 Jul 2026, 00:30'],
    ['2026-01-01T02:00:00Z', 'America/St_Johns', '31 Dec 2025, 22:30'],
    ['2026-11-20T03:04:05Z', 'Mars/Olympus', '20 Nov 2026, 03:04'],
  ])('formats %s in %s', (instant, zone, text) => {
    expect(dateTimeFormat(zone).dateTime(instant)).toBe(text)
    expect(dateTimeFormat(zone).dateTime(Date.parse(instant))).toBe(text)
  })

  it('abbreviates every month to three letters', () => {
    const months = Array.from({ length: 12 }, (_, month) =>
      dateTimeFormat('UTC')
        .day(Date.UTC(2026, month, 1))
        .slice(2),
    )
    expect(months).toEqual(['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'])
  })

  it('has shorter and longer forms', () => {
    const { date, day, dayTime, time, timeSeconds, dateTimeSeconds } = dateTimeFormat('UTC')
    const forms = [date, day, dayTime, time, timeSeconds, dateTimeSeconds].map(form => form('2026-09-03T00:05:06Z'))
    expect(forms).toEqual(['3 Sep 2026', '3 Sep', '3 Sep, 00:05', '00:05', '00:05:06', '3 Sep 2026, 00:05:06'])
  })

  it.each([
    ['de', '3. Sept. 2026, 00:05', '3. Sept., 00:05'],
    ['fr', '3 sept. 2026, 00:05', '3 sept., 00:05'],
    ['ja', '2026年9月3日 00:05', '9月3日 00:05'],
    // With the digits 0 to 9, as in codes.
    ['ar', '3 سبتمبر 2026، 00:05', '3 سبتمبر، 00:05'],
  ])('follows the conventions of %s', (language, dateTime, dayTime) => {
    const format = dateTimeFormat('UTC', language)
    expect([format.dateTime('2026-09-03T00:05:06Z'), format.dayTime('2026-09-03T00:05:06Z')]).toEqual([dateTime, dayTime])
    expect([format.time('2026-09-03T00:05:06Z'), format.timeSeconds('2026-09-03T00:05:06Z')]).toEqual(['00:05', '00:05:06'])
    expect(dateTimeFormat('Mars/Olympus', language).time('2026-09-03T00:05:06Z')).toBe('00:05')
  })
})
