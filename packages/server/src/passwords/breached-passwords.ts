import { hash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** Longer than any line: 40 digits, a colon, a count and a line end. */
const longestLine = 64
/** When the range that is left is this short, the search reads it line by line. */
const restBytes = 256
/** How many lines the check at the start compares. An unsorted file fails this check with near certainty. */
const probes = 64

const line = /^([0-9A-Fa-f]{40})(?::\d{1,15})?$/

/** Thrown when the file cannot be read or has the wrong format. */
class BreachedListFault extends Error {}

type List = { size: number; read: (at: number, bytes: number) => string }

/** Opens the file for each search, so that a replaced file takes effect at once. */
const withList = <T>(path: string, use: (list: List) => T): T => {
  let file: number | undefined
  try {
    const opened = openSync(path, 'r')
    file = opened
    const stats = fstatSync(opened)
    if (!stats.isFile()) throw new BreachedListFault(`${path} is not a file`)
    return use({
      size: stats.size,
      read: (at, bytes) => {
        const buffer = Buffer.allocUnsafe(bytes)
        return buffer.toString('latin1', 0, readSync(opened, buffer, 0, bytes, at))
      },
    })
  } catch (error) {
    if (error instanceof BreachedListFault) throw error
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new BreachedListFault(`${path} cannot be read (${code})`, { cause: error })
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Returns the first line that starts at `at` or later. `undefined` at the end of the file. */
const lineFrom = (list: List, path: string, at: number): { start: number; end: number; key: string } | undefined => {
  const before = at === 0 ? 0 : at - 1
  const text = list.read(before, 2 * longestLine)
  const start = at === 0 ? 0 : text.indexOf('\n') + 1
  if (at > 0 && start === 0) {
    if (text.length < 2 * longestLine) return undefined
    throw garbled(path)
  }
  if (start === text.length) return undefined
  const stop = text.indexOf('\n', start)
  if (stop < 0 && text.length === 2 * longestLine) throw garbled(path)
  const whole = text.slice(start, stop < 0 ? undefined : stop).replace(/\r$/, '')
  const [, key] = line.exec(whole) ?? []
  if (!key) throw garbled(path)
  return { start: before + start, end: before + (stop < 0 ? text.length : stop + 1), key: key.toUpperCase() }
}

const garbled = (path: string) =>
  new BreachedListFault(`${path} has a line that is not the SHA-1 hash of a password in hexadecimal digits, with or without :COUNT`)

/**
 * Checks that the file can be searched. A file of all known breached passwords takes 40 GB, so this reads only its start, its end
 * and samples between them.
 * @throws BreachedListFault
 */
export const checkBreachedList = (path: string): void =>
  withList(path, list => {
    let last = lineFrom(list, path, 0)
    if (!last) throw new BreachedListFault(`${path} is empty`)
    for (let probe = 1; probe <= probes; probe++) {
      const found = lineFrom(list, path, Math.floor((Math.max(0, list.size - longestLine) * probe) / probes))
      if (!found || found.start <= last.start) continue
      if (found.key <= last.key) throw new BreachedListFault(`${path} is not sorted by hash; download the version ordered by hash`)
      last = found
    }
    // An incomplete download ends in the middle of a line.
    for (let next = lineFrom(list, path, last.end); next; next = lineFrom(list, path, next.end)) last = next
  })

/**
 * Whether the sorted file contains the password's hash. Hashes are evenly distributed, so every other step estimates the position
 * (interpolation). The steps between halve the range, so no content makes the search slow.
 * @throws BreachedListFault
 */
export const isBreached = (path: string, password: string): boolean =>
  withList(path, list => {
    const target = hash('sha1', password).toUpperCase()
    let [low, high] = [0, list.size]
    let [lowKey, highKey] = [0, 1]
    for (let step = 0; high - low > restBytes; step++) {
      const share = step % 2 === 0 ? Math.min(0.98, Math.max(0.02, (position(target) - lowKey) / (highKey - lowKey || 1))) : 0.5
      const found = lineFrom(list, path, low + Math.floor((high - low) * share))
      if (!found || found.start >= high) {
        high = low + Math.floor((high - low) * share)
        continue
      }
      if (found.key === target) return true
      if (found.key < target) [low, lowKey] = [found.end, position(found.key)]
      else [high, highKey] = [found.start, position(found.key)]
    }
    for (let next = lineFrom(list, path, low); next && next.start < high; next = lineFrom(list, path, next.end))
      if (next.key === target) return true
    return false
  })

/** The position of a hash among all possible ones, from 0 to 1. */
const position = (key: string) => Number.parseInt(key.slice(0, 12), 16) / 0x1_0000_0000_0000
