import { language } from './current.ts'

// Arabic has two sets of digits. Codes and addresses use these, so everything does.
const digits = { numberingSystem: 'latn' } as const

/** `1,234` */
export const numberText = (number: number): string => new Intl.NumberFormat(language, digits).format(number)

/** `one, two, three` */
export const listText = (items: readonly string[]): string =>
  new Intl.ListFormat(language, { type: 'conjunction', style: 'narrow' }).format(items)

/** `one or two` */
export const choiceText = (items: readonly string[]): string => new Intl.ListFormat(language, { type: 'disjunction' }).format(items)
