import { hash, randomBytes } from 'node:crypto'
import { asciiDigits } from '@gatehouse/language/digits.ts'

// The code of a one-time-link mail, and the number of the tab that waits for it.

/** Crockford's base32. It omits I, L and O, which look like 1 and 0, and U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 40 random bits as eight characters. */
export const newMailCode = (): string => {
  const bits = randomBytes(5).readUIntBE(0, 5)
  return Array.from({ length: 8 }, (_, i) => alphabet[Math.floor(bits / 32 ** i) % 32]).join('')
}

/** Reads a typed code. `undefined` if it cannot be one. */
export const readMailCode = (typed: string): string | undefined => {
  const code = asciiDigits(typed).replace(/[\s-]/g, '').toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
  return /^[0-9A-HJKMNP-TV-Z]{8}$/.test(code) ? code : undefined
}

export const shownMailCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** Returns whether a cookie has the form of those that the server sets. */
export const isMailWait = (cookie: string | undefined): cookie is string => cookie !== undefined && /^[\w-]{43}$/.test(cookie)

/** The number from 10 to 99 that a waiting tab shows. It derives from the browser's cookie, so the server needs no account for it. */
export const waitNumber = (mailWait: string): string =>
  String(10 + (Number.parseInt(hash('sha256', `number of ${mailWait}`, 'hex').slice(0, 8), 16) % 90))
