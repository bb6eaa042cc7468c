import { expect, test } from 'vitest'
import { asciiDigits } from './digits.ts'

test.each([
  ['012345'],
  ['٠١٢٣٤٥'],
  ['۰۱۲۳۴۵'],
  ['०१२३४५'],
  ['০১২৩৪৫'],
  ['０１２３４５'],
  // Bold, from a block of several sets of digits.
  ['𝟎𝟏𝟐𝟑𝟒𝟓'],
])('replaces the digits in %s', digits => expect(asciiDigits(`a ${digits}`)).toBe('a 012345'))

test('knows the value of every digit in Unicode', () => {
  const numbers = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint).filter(
    codePoint => (codePoint < 0xd800 || codePoint > 0xdfff) && /\p{Nd}/u.test(String.fromCodePoint(codePoint)),
  )
  expect(numbers.length).toBeGreaterThan(600)
  expect(asciiDigits(String.fromCodePoint(...numbers))).toBe('0123456789'.repeat(numbers.length / 10))
})
