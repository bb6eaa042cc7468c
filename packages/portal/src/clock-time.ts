import type { ClockTime } from './messages/account-messages.ts'
import { englishAccount } from './messages/en-account.ts'

const numbers = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', hourCycle: 'h23' } as const

const formatIn = (timeZone: string) => {
  try {
    return new Intl.DateTimeFormat('en-GB', { ...numbers, calendar: 'gregory', numberingSystem: 'latn', timeZone })
  } catch {
    // A zone that the server knows and this browser does not (yet).
    return new Intl.DateTimeFormat('en-GB', { ...numbers, calendar: 'gregory', numberingSystem: 'latn', timeZone: 'UTC' })
  }
}

/** What the clocks of a zone show at an instant. Numbers only: the words of dates differ from one browser to the next, and from the server. */
const clockTime = (instant: string, timeZone: string): ClockTime => {
  const parts = formatIn(timeZone).formatToParts(Date.parse(instant))
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find(part => part.type === type)?.value)
  return { year: part('year'), month: part('month'), day: part('day'), hour: part('hour'), minute: part('minute') }
}

/** An instant in words, as the account page tells it. */
export const told = (instant: string, timeZone: string): string => englishAccount.clock(clockTime(instant, timeZone))
