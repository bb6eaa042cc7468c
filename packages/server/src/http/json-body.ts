import { BadInput } from '../bad-input.ts'

/** The deepest nesting that a body may have. No message of the wire format is this deep. */
const deepest = 12

/**
 * Parses a JSON body more strictly than JSON.parse: UTF-8 without byte order mark (RFC 8259 §8.1), no repeated name in an object, no name
 * `__proto__`, `constructor` or `prototype`, no lone surrogate, no NUL, limited depth. Refuses what two parsers could read differently.
 * @throws BadInput
 */
export const parseJsonBody = (bytes: Buffer): unknown => {
  if (bytes.length === 0) throw new BadInput('body: is empty')
  const text = decodeUtf8(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new BadInput('body: is not JSON')
  }
  // In valid JSON, a string before a colon is a name. If names are repeated, the parsed value has fewer. The expression matches whole
  // strings, so it scans the text once.
  let named = 0
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) if (colon) named++
  if (checkedNames(value, '', 0) !== named) throw new BadInput('body: contains a name twice in one object')
  return value
}

const decodeUtf8 = (bytes: Buffer) => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new BadInput('body: is not UTF-8')
  }
}

/** Checks a value recursively and counts its names. */
const checkedNames = (value: unknown, where: string, depth: number): number => {
  if (depth > deepest) throw new BadInput('body: is nested too deeply')
  if (typeof value === 'string') checkText(value, where)
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return value.reduce((names: number, item, i) => names + checkedNames(item, `${where}/${i}`, depth + 1), 0)
  let names = 0
  for (const [name, item] of Object.entries(value)) {
    if (name === '__proto__' || name === 'constructor' || name === 'prototype')
      throw new BadInput(`${where || 'body'}: has a name that is not allowed`)
    checkText(name, where)
    names += 1 + checkedNames(item, `${where}/${/^\w{1,64}$/.test(name) ? name : '?'}`, depth + 1)
  }
  return names
}

const checkText = (text: string, where: string) => {
  if (!text.isWellFormed()) throw new BadInput(`${where || 'body'}: holds half a character`)
  if (text.includes('\0')) throw new BadInput(`${where || 'body'}: holds a NUL character`)
}
