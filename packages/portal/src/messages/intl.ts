import { directionOf } from '@gatehouse/language/text.ts'
import { language } from './current.ts'

// Some languages, such as Arabic, have their own digits. Use 0 to 9 in all texts, because codes and addresses contain these.
const digits = { numberingSystem: 'latn' } as const

/** `1,234` */
export const numberText = (number: number): string => new Intl.NumberFormat(language, digits).format(number)

const list = (items: readonly string[], options: Intl.ListFormatOptions) =>
  new Intl.ListFormat(language, options).format(ownDirection(items))

/** Allows a line break only between the date and the time. */
export const unbroken = (dateTime: string): string => (/[,،] /.test(dateTime) ? dateTime.replace(/(?<![,،]) /g, '\u00a0') : dateTime)

/** `Google, Microsoft and Pak Platform` in a sentence. */
export const namesText = (names: readonly string[]): string => list(names, {})

/** `Password, Google`, not in a sentence. */
export const listText = (items: readonly string[]): string => list(items, { style: 'narrow' })

/** `Google or Microsoft` in a sentence. */
export const choiceText = (names: readonly string[]): string => list(names, { type: 'disjunction' })

/** `GET, POST`: values that a program reads, so without a word between them. */
export const valuesText = (values: readonly string[]): string => ownDirection(values).join(', ')

/** On pages from right to left, items such as `10.0.0.0/8` must not be read from right to left themselves. */
const ownDirection = (items: readonly string[]) => (directionOf(language) === 'rtl' ? items.map(item => `\u2068${item}\u2069`) : items)
