import { hours, minutes } from '../limits.ts'

/** Returns a function that converts an instant to a zone's local time, given as the epoch milliseconds of the same date and time in UTC. */
const clockIn = (zone: string) => {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  return (at: number): number => {
    const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    return Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day, part.hour, part.minute, part.second)
  }
}

const day = hours(24)
const dayOf = (clock: number) => Math.floor(clock / day)

/**
 * Returns the starts of the last days in a zone, and the end of today. Some days have 23 or 25 hours. Some have no midnight, so search for
 * the start in steps of 15 minutes: every zone's offset from UTC is a multiple of that.
 */
export const lastDays = (zone: string, now: number, count: number): number[] => {
  const clock = clockIn(zone)
  const today = dayOf(clock(now))
  return Array.from({ length: count + 1 }, (_, i) => {
    const wanted = today - count + 1 + i
    // Start three hours early: on that day, the zone's offset from UTC may differ from today's.
    const about = wanted * day - (clock(now) - now)
    let at = about - hours(3) - ((about - hours(3)) % minutes(15))
    while (dayOf(clock(at)) < wanted) at += minutes(15)
    return at
  })
}

/** Returns the starts of the last hours in a zone, and the end of the current hour. */
export const lastHours = (zone: string, now: number, count: number): number[] => {
  const shown = clockIn(zone)(now)
  const last = now - (now % 1000) - (shown % hours(1))
  return Array.from({ length: count + 1 }, (_, i) => last - hours(count - 1 - i))
}
