import { expect, test } from 'vitest'
import { hours } from '../limits.ts'
import { lastDays, lastHours } from './zone-days.ts'

const iso = (instants: number[]) => instants.map(at => new Date(at).toISOString())

test('days begin at midnight in the time zone, or at their first instant if its clocks skip midnight', () => {
  const now = Date.parse('2026-10-25T12:00:00Z')
  expect(iso(lastDays('UTC', now, 2))).toEqual(['2026-10-24T00:00:00.000Z', '2026-10-25T00:00:00.000Z', '2026-10-26T00:00:00.000Z'])
  // The day of the change has 25 hours.
  expect(iso(lastDays('Europe/Amsterdam', now, 2))).toEqual([
    '2026-10-23T22:00:00.000Z',
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T23:00:00.000Z',
  ])
  expect(iso(lastDays('Asia/Kathmandu', now, 1))).toEqual(['2026-10-24T18:15:00.000Z', '2026-10-25T18:15:00.000Z'])
  expect(iso(lastDays('Pacific/Kiritimati', now, 1))).toEqual(['2026-10-25T10:00:00.000Z', '2026-10-26T10:00:00.000Z'])
  // On 24 April 2026, clocks in Cairo skip midnight.
  expect(iso(lastDays('Africa/Cairo', Date.parse('2026-04-24T12:00:00Z'), 2))).toEqual([
    '2026-04-22T22:00:00.000Z',
    '2026-04-23T22:00:00.000Z',
    '2026-04-24T21:00:00.000Z',
  ])
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const days = lastDays(zone, now, 90)
    expect([zone, days.length, days.every((at, i) => i === 0 || at > (days[i - 1] ?? 0))]).toEqual([zone, 91, true])
    expect([zone, (days[90] ?? 0) > now && (days[89] ?? 0) <= now]).toEqual([zone, true])
  }
})

test('hours begin on the hour by the zone’s clocks', () => {
  const now = Date.parse('2026-11-20T03:20:10.500Z')
  expect(iso(lastHours('Asia/Kolkata', now, 2))).toEqual([
    '2026-11-20T01:30:00.000Z',
    '2026-11-20T02:30:00.000Z',
    '2026-11-20T03:30:00.000Z',
  ])
  expect((lastHours('UTC', now, 24)[0] ?? 0) + hours(24)).toBe(Date.parse('2026-11-20T04:00:00Z'))
})
