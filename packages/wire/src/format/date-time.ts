/** Dates and times as every page and mail shows them. Each example is in English. An instant is ISO 8601 text or epoch milliseconds. */
export type DateTimeFormat = {
  /** `20 Nov 2026, 03:04` */
  dateTime: (instant: string | number) => string
  /** `20 Nov 2026, 03:04:05` */
  dateTimeSeconds: (instant: string | number) => string
  /** `20 Nov 2026` */
  date: (instant: string | number) => string
  /** `20 Nov` */
  day: (instant: string | number) => string
  /** `20 Nov, 03:04` */
  dayTime: (instant: string | number) => string
  /** `03:04` */
  time: (instant: string | number) => string
  /** `03:04:05` */
  timeSeconds: (instant: string | number) => string
}

const parts = { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const

type Part = keyof typeof parts
type Parts = Record<Part, string>

/**
 * Formats instants in an IANA time zone, by default the local one.
 *
 * The server and the browser must write the same text, or React would replace it on hydration. Versions of Intl disagree on whole English
 * dates (`Sep`, `Sept`), but not on the parts of an American date.
 * @param language BCP 47
 */
export const dateTimeFormat = (timeZone?: string, language = 'en'): DateTimeFormat =>
  language === 'en' ? englishFormat(timeZone) : formatOf(language, timeZone)

const englishFormat = (timeZone: string | undefined): DateTimeFormat => {
  const format = formatIn('en-US', timeZone, ['year', 'month', 'day', 'hour', 'minute', 'second'])
  const form = (write: (part: Parts) => string) => (instant: string | number) =>
    // Intl returns every part that `parts` requests.
    write(Object.fromEntries(format.formatToParts(new Date(instant)).map(({ type, value }) => [type, value])) as Parts)
  return {
    dateTime: form(({ day, month, year, hour, minute }) => `${day} ${month} ${year}, ${hour}:${minute}`),
    dateTimeSeconds: form(({ day, month, year, hour, minute, second }) => `${day} ${month} ${year}, ${hour}:${minute}:${second}`),
    date: form(({ day, month, year }) => `${day} ${month} ${year}`),
    day: form(({ day, month }) => `${day} ${month}`),
    dayTime: form(({ day, month, hour, minute }) => `${day} ${month}, ${hour}:${minute}`),
    time: form(({ hour, minute }) => `${hour}:${minute}`),
    timeSeconds: form(({ hour, minute, second }) => `${hour}:${minute}:${second}`),
  }
}

const formatOf = (language: string, timeZone: string | undefined): DateTimeFormat => {
  const form = (...names: Part[]) => {
    let format: Intl.DateTimeFormat | undefined
    return (instant: string | number) => {
      format ??= formatIn(language, timeZone, names)
      return format.format(new Date(instant))
    }
  }
  return {
    dateTime: form('year', 'month', 'day', 'hour', 'minute'),
    dateTimeSeconds: form('year', 'month', 'day', 'hour', 'minute', 'second'),
    date: form('year', 'month', 'day'),
    day: form('month', 'day'),
    dayTime: form('month', 'day', 'hour', 'minute'),
    time: form('hour', 'minute'),
    timeSeconds: form('hour', 'minute', 'second'),
  }
}

const formatIn = (language: string, timeZone: string | undefined, names: readonly Part[]) => {
  const options = {
    ...Object.fromEntries(names.map(name => [name, parts[name]])),
    hourCycle: 'h23',
    calendar: 'gregory',
    // Some languages, such as Arabic, have their own digits. Use 0 to 9 in dates, because codes and addresses contain these.
    numberingSystem: 'latn',
  } as const
  try {
    return new Intl.DateTimeFormat(language, { ...options, ...(timeZone !== undefined && { timeZone }) })
  } catch {
    // The server may know a time zone that this browser does not.
    return new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
  }
}
