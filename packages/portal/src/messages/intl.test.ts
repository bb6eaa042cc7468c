import { afterEach, expect, test } from 'vitest'
import { speak } from './current.ts'
import { choiceText, listText, namesText, numberText, unbroken, valuesText } from './intl.ts'

afterEach(() => speak('en', {}))

const isolated = (text: string) => text.replaceAll('<', '\u2068').replaceAll('>', '\u2069')

test.each([
  ['en', '1,234', 'A, B', 'A and B', 'A or B', '::1, ::2'],
  ['de', '1.234', 'A und B', 'A und B', 'A oder B', '::1, ::2'],
  ['ja', '1,234', 'A、B', 'A、B', 'AまたはB', '::1, ::2'],
  // With the digits 0 to 9, as in codes, and with each item in its own direction.
  ['ar', '1,234', '<A> و<B>', '<A> و<B>', '<A> أو <B>', '<::1>, <::2>'],
])('writes numbers and lists as in %s', (tag, number, list, names, choice, values) => {
  speak(tag, {})
  expect(numberText(1234)).toBe(number)
  expect([listText(['A', 'B']), namesText(['A', 'B']), choiceText(['A', 'B'])]).toEqual([list, names, choice].map(isolated))
  expect(valuesText(['::1', '::2'])).toBe(isolated(values))
})

test.each([
  ['20 Nov 2026, 03:04', '20_Nov_2026, 03:04'],
  ['20 de nov. de 2026, 03:04', '20_de_nov._de_2026, 03:04'],
  ['20 نوفمبر 2026، 03:04', '20_نوفمبر_2026، 03:04'],
  // Without a comma, the only space is the one between the date and the time.
  ['2026年11月20日 03:04', '2026年11月20日 03:04'],
  ['03:04', '03:04'],
])('lets %s break only between the date and the time', (dateTime, bound) => {
  expect(unbroken(dateTime)).toBe(bound.replaceAll('_', '\u00a0'))
})
