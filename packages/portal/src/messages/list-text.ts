import { language } from './current.ts'

/** `Google and Microsoft` */
export const namesText = (names: readonly string[]): string => new Intl.ListFormat(language).format(names)

/** `GET, POST`: values that a program reads, so without a word between them. */
export const valuesText = (values: readonly string[]): string =>
  new Intl.ListFormat(language, { type: 'unit', style: 'short' }).format(values)
