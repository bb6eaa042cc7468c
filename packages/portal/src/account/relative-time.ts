import { language } from '../messages/current.ts'

const units = [
  ['year', 365 * 24 * 60 * 60],
  ['month', 30 * 24 * 60 * 60],
  ['day', 24 * 60 * 60],
  ['hour', 60 * 60],
  ['minute', 60],
] as const

const formats = new Map<string, Intl.RelativeTimeFormat>()

/** One format for each language, because the server renders in several. All use the digits 0 to 9, as codes and addresses do. */
const formatIn = (tag: string) => {
  const format = formats.get(tag) ?? new Intl.RelativeTimeFormat(`${tag}-u-nu-latn`, { numeric: 'always' })
  formats.set(tag, format)
  return format
}

/**
 * How long ago an instant was: `2 minutes ago`. Undefined for less than a minute, and for the
 * future: the page's clock may be seconds behind.
 * @param instant ISO 8601
 * @param now epoch milliseconds
 */
export const relativeTime = (instant: string, now: number): string | undefined => {
  const seconds = Math.floor((now - Date.parse(instant)) / 1000)
  const unit = units.find(([, length]) => seconds >= length)
  // A non-breaking space keeps a number and its unit on one line. Chinese has no space there.
  return (
    unit &&
    formatIn(language)
      .format(-Math.floor(seconds / unit[1]), unit[0])
      .replace(/(?<=\d) ?(?=\p{L})/u, '\u00a0')
  )
}
