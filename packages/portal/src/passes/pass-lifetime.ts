/** The lifetimes that the form offers, in days. */
export const lifetimes = [30, 90, 365]
/** The choice of a date in place of a lifetime. */
export const ownDate = 'date'

const day = 24 * 60 * 60 * 1000
/** The longest lifetime of a pass, in days. */
const longest = 365

/** The calendar day of an instant in a time zone: `2026-11-23`. */
const dayAt = (at: number, timeZone: string): string => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const part = (type: string) => format.formatToParts(at).find(one => one.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')}`
}
const dayAfter = (date: string, days: number): string => new Date(Date.parse(date) + days * day).toISOString().slice(0, 10)

/** The first and last day on which a pass may end: tomorrow, and one year from today. */
export const endDays = (now: number, timeZone: string): { first: string; last: string } => {
  const today = dayAt(now, timeZone)
  return { first: dayAfter(today, 1), last: dayAfter(today, longest) }
}

/** How many days from today a date is. `undefined` if the text is not a date, or no pass may end on it. */
export const daysUntil = (date: string, now: number, timeZone: string): number | undefined => {
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(Date.parse(date))) return undefined
  const days = Math.round((Date.parse(date) - Date.parse(dayAt(now, timeZone))) / day)
  return days >= 1 && days <= longest ? days : undefined
}
