import { IntlMessageFormat } from 'intl-messageformat'
import { expect, test } from 'vitest'
import { PatternError, parsePattern, valuesOf } from './pattern.ts'
import { pseudo } from './pseudo.ts'
import { text, textIn } from './text.ts'
import { sourceOf, translate } from './translate.ts'

const emails = '{count, plural, one {# email is} few {# emails are (few)} other {# emails are}} delayed'

test.each([
  ['en', emails, { count: 1 }],
  ['en', emails, { count: 1234 }],
  ['uk', emails, { count: 3 }],
  ['ja', emails, { count: 1 }],
  ['en', '{count, plural, =0 {none} other {{count} of #}}', { count: 0 }],
  ['en', '{kind, select, Push {by {name}} other {by code}}', { kind: 'Push', name: 'Ada' }],
  ['en', '{kind, select, Push {by {name}} other {by code}}', { kind: 'TOTP', name: 'Ada' }],
  ['de', 'Gesendet an {address}', { address: 'ada@example.com' }],
])('writes the same text as intl-messageformat: %s %s', (tag, source, values) => {
  const ours = textIn(tag)(source, ...Object.keys(values))(...Object.values(values))
  expect(ours).toBe(new IntlMessageFormat(source, tag).format(values))
})

test('writes numbers in Arabic texts with the digits 0 to 9, and isolates names', () => {
  const write = textIn('ar')('{name}: {count}', 'name', 'count')
  expect(write('ada@example.com', 12)).toBe('\u2068ada@example.com\u2069: 12')
})

test('gives a text within a text the direction of its language, even if it contains only values', () => {
  const joined = textIn('ar')('{before}: {after}', 'before', 'after')
  const next = textIn('ar')('{before}، ثم {step}', 'before', 'step')
  const first = '\u2068Google\u2069: \u2068مرفوض\u2069'
  // After U+2068 alone, browsers find no letter outside the inner marks, and write the whole from left to right.
  expect(next(joined('Google', 'مرفوض'), 'x')).toBe(`\u2067${first}\u2069، ثم \u2068x\u2069`)
})

test.each([
  ['{', 'the name of a value'],
  ['{name', '}'],
  ['a}', 'the end of the text'],
  ['{n, plural, one {#}}', 'a form named other'],
  ['{n, number}', 'plural or select'],
])('refuses the pattern %s', (source, expected) => {
  expect(() => parsePattern(source)).toThrow(PatternError)
  expect(() => parsePattern(source)).toThrow(`expected ${expected}`)
})

test('lists the values that a pattern uses', () => {
  expect([...valuesOf(parsePattern('{a} {n, plural, one {{b}} other {#}}'))]).toEqual(['a', 'n', 'b'])
})

test('translates a catalog, and keeps the English texts that the translation lacks', () => {
  const english = { title: 'Sent', list: ['One', 'Two'], deep: { to: text('Sent to {address}', 'address'), left: 'Left' } }
  expect(sourceOf(english)).toEqual({ title: 'Sent', list: ['One', 'Two'], deep: { to: 'Sent to {address}', left: 'Left' } })
  const german = translate(english, { title: 'Gesendet', list: ['Eins'], deep: { to: 'Gesendet an {address}', left: 7 } }, 'de')
  expect([german.title, german.list, german.deep.to('x'), german.deep.left]).toEqual(['Gesendet', ['Eins', 'Two'], 'Gesendet an x', 'Left'])
  expect(() => sourceOf({ deep: { own: (name: string) => name } })).toThrow('deep.own: not a text')
})

test('makes a pseudo-language that keeps placeholders', () => {
  expect(pseudo('Sent to {address}')).toMatch(/^Šéñţ ţö.*\{address\}$/)
  expect(valuesOf(parsePattern(pseudo(emails)))).toEqual(new Set(['count']))
})
