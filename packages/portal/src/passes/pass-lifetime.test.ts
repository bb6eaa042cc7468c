import { describe, expect, it } from 'vitest'
import { daysUntil, endDays } from './pass-lifetime.ts'

// Already the 24th in Tokyo, still the 23rd in New York.
const now = Date.parse('2026-11-23T22:30:00Z')

describe('the date on which a pass ends', () => {
  it('is between tomorrow and one year from today, in the user’s time zone', () => {
    expect(endDays(now, 'America/New_York')).toEqual({ first: '2026-11-24', last: '2027-11-23' })
    expect(endDays(now, 'Asia/Tokyo')).toEqual({ first: '2026-11-25', last: '2027-11-24' })
  })

  it.each([
    ['2026-11-25', 'Asia/Tokyo', 1],
    ['2026-11-25', 'America/New_York', 2],
    // Summer time begins in between.
    ['2027-04-01', 'Europe/Amsterdam', 129],
    ['2027-11-23', 'UTC', 365],
    ['2027-11-24', 'UTC', undefined],
    ['2026-11-23', 'UTC', undefined],
    ['2026-11-22', 'UTC', undefined],
    ['2026-13-01', 'UTC', undefined],
    ['tomorrow', 'UTC', undefined],
    ['', 'UTC', undefined],
  ])('counts the days until %s in %s: %s', (date, zone, days) => {
    expect(daysUntil(date, now, zone)).toBe(days)
  })
})
