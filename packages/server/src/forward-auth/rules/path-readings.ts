import { limits } from '../../limits.ts'
import { foldCase, whyUnclearLetters } from './letters.ts'

/**
 * The paths that programs behind a proxy may read in an address, or why the address is ambiguous.
 */
export type Readings = { paths: readonly string[] } | { unclear: string }

/**
 * Reads the path of a raw address in one canonical spelling: decoded once, composed (NFC), in lower
 * case, with `%25` for a `%`. Refuses what programs read differently. Attack: /public/..;/admin or
 * /%2561dmin matches a loose rule here, and opens a page with a strict rule behind the proxy
 * (CVE-2019-9901, CVE-2026-15573).
 *
 * Encoded and doubled slashes are common: RabbitMQ's default host is %2F, and Grafana's data source
 * proxy passes them on. Such a path has several readings, and every reading must lead to the same
 * rule.
 */
export const readingsOf = (uri: string): Readings => {
  const raw = /^[^?]*/.exec(uri)?.[0] ?? ''
  if (raw.length > limits.rules.pathBytes) return { unclear: `the path has more than ${limits.rules.pathBytes} characters` }
  if (!/^\/[!-~]*$/.test(raw)) return { unclear: 'the path must be printable ASCII' }
  if (/%(?![0-9a-f]{2})/i.test(raw)) return { unclear: 'the path has a % without two digits after it' }
  const decoded = decode(raw.replace(/%2f/gi, encodedSlash))
  if (decoded === undefined) return { unclear: 'the path is not UTF-8' }
  const unclear = whyUnclear(decoded)
  if (unclear) return { unclear: `the path has ${unclear}` }
  return { paths: slashReadings(foldCase(decoded).replaceAll('%', '%25')) }
}

/**
 * Programs keep or merge doubled slashes, and keep or decode encoded ones: before merging, after
 * it, or both.
 */
const slashReadings = (path: string): string[] => {
  const merged = path.replace(/\/+/g, '/')
  const decodedBoth = [path, merged].map(one => one.replace(encodedSlashes, '/'))
  const kept = [path, merged].map(one => one.replace(encodedSlashes, '%2F'))
  return [...new Set([...kept, ...decodedBoth, path.replace(slashes, '/')])]
}

/** Stands for an encoded slash while the rest is decoded: half a surrogate pair, which no decoded text contains. */
const encodedSlash = '\ud800'
const encodedSlashes = /\ud800/gu
const slashes = /[/\ud800]+/gu

/** Refuses over-long forms and lone surrogates, which some decoders accept. */
const decode = (raw: string): string | undefined => {
  try {
    return decodeURIComponent(raw)
  } catch {
    return undefined
  }
}

const whyUnclear = (decoded: string): string | undefined => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finds control characters
  if (/[\0-\x1f\x7f-\x9f]/.test(decoded)) return 'a control character'
  if (/[\\;?#]/.test(decoded)) return 'a backslash, a semicolon, or an encoded ? or #'
  if (/%[0-9a-f]{2}/i.test(decoded)) return 'a character that is encoded twice'
  for (const segment of decoded.split(slashes)) {
    if (segment === '.' || segment === '..') return 'a dot segment'
    // Windows ignores dots and spaces at the end of a name.
    if (/[. ]$/.test(segment)) return 'a dot or space at the end of a segment'
  }
  return whyUnclearLetters(decoded)
}
