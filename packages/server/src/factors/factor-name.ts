import { BadInput } from '../bad-input.ts'
import { limits } from '../limits.ts'

/** Checks a factor's name: one line without invisible characters. */
export const nameOf = (text: string, field: string): string => {
  const name = text.normalize('NFC').trim().replace(/ +/g, ' ')
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(name)) throw new BadInput(`${field}: must not contain control characters`, 'NameUntypable')
  const length = [...name].length
  if (length === 0) throw new BadInput(`${field}: is missing`, 'NameMissing')
  if (length > limits.factor.nameLength)
    throw new BadInput(`${field}: must have at most ${limits.factor.nameLength} characters`, 'NameTooLong')
  return name
}

/** Returns the name, followed by a number if it is taken. */
export const freeName = (name: string, taken: readonly string[]): string => {
  const others = new Set(taken.map(other => other.toLowerCase()))
  let free = name
  for (let nth = 2; others.has(free.toLowerCase()); nth++) {
    const end = ` ${nth}`
    free =
      [...name]
        .slice(0, limits.factor.nameLength - end.length)
        .join('')
        .trimEnd() + end
  }
  return free
}
