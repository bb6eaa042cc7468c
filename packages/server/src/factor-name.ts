import { BadInput } from './bad-input.ts'
import { limits } from './limits.ts'

/** A name that its owner gives: one line, and nothing in it that cannot be seen. */
export const nameOf = (text: string, field: string): string => {
  const name = text.normalize('NFC').trim().replace(/ +/g, ' ')
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(name)) throw new BadInput(`${field}: must not hold control characters`)
  const length = [...name].length
  if (length === 0) throw new BadInput(`${field}: is missing`)
  if (length > limits.factor.nameLength) throw new BadInput(`${field}: must have at most ${limits.factor.nameLength} characters`)
  return name
}
