import { expect, test } from 'vitest'
import { checkTranslation } from './check.ts'
import { filledFile } from './commands.ts'
import type { EnglishText } from './english-texts.ts'
import { rulesOf } from './glossary.ts'

const text = (key: string, source: string, ...names: string[]): EnglishText => ({ part: 'signIn', path: ['signIn', key], source, names })

const english: EnglishText[] = [
  text('title', 'Sent'),
  text('to', 'Sent to {address}', 'address'),
  text('emails', '{count, plural, one {# email for {name}} other {# emails for {name}}}', 'count', 'name'),
  text('kind', '{kind, select, Push {On the phone} other {By code}}', 'kind'),
  text('provider', 'Google'),
  text('hint', 'Write to name@example.com.'),
]

const rules = rulesOf('---\nquotes: „“’\nsame: Name, Other\n---\n')
const german = {
  title: 'Gesendet',
  to: 'An {address}',
  emails: '{count, plural, one {eine E-Mail für {name}} other {# E-Mails für {name}}}',
  kind: '{kind, select, Push {Am Telefon} other {Mit Code}}',
  provider: 'Google',
  hint: 'Schreibe an name@example.com.',
}
const fileOf = (texts: object, language: object = { tag: 'de', name: 'Deutsch' }) => JSON.stringify({ language, signIn: texts }, null, 2)
const problems = (tag: string, source: string, given = rules) =>
  checkTranslation(tag, source, english, given).map(({ line, key, problem }) => `${line} ${key}: ${problem}`)

test('reports no problem in a good translation', () => {
  expect(problems('de', fileOf(german))).toEqual([])
  expect(problems('de', fileOf({ ...german, title: 'Sent' }), rulesOf('---\nsame: Name, Sent\n---\n'))).toEqual([])
})

test.each([
  ['title', 'Sent to {address', 'The placeholders cannot be read: expected } at character 17 of ‘Sent to {address’.'],
  ['title', ' Gesendet', 'It begins or ends with a blank.'],
  ['title', 'Ist  da', 'It contains two blanks in a row.'],
  ['title', '', 'It is empty.'],
  ['title', 'Gesendet\u200f', 'It contains an invisible mark of direction.'],
  ['title', 'Gesen\u0007det', 'It contains a control character, a line break or an invisible space.'],
  ['title', 'Gesen\ndet', 'It contains a control character, a line break or an invisible space.'],
  ['title', '<b>Gesendet</b>', 'It contains HTML.'],
  ['title', 'Gesendet...', 'It has three dots.'],
  ['title', 'Gesendet, "jetzt"', 'The language does not use the quotation mark or apostrophe "'],
  ['title', 'https://a.example', 'English has no link or address ‘https://a.example’.'],
  ['title', 'Von gatehouse.com', 'English has no link or address ‘gatehouse.com’.'],
  ['title', 'Das wurde soeben bereits gesendet', 'It is more than two and a half times as long as English.'],
  ['title', 'Gеsendet', '‘Gеsendet’ mixes Latin and Cyrillic letters.'],
  ['title', 'U\u0308ber', 'A letter and its accent are two characters.'],
  ['to', 'Gesendet', 'The placeholder {address} is missing.'],
  ['to', 'An {adresse}, {address}', 'English has no placeholder {adresse}.'],
  ['to', 'Sent to {address}', 'It is still English.'],
  ['emails', '{count} E-Mails für {name}', 'It has no plural forms for {count}.'],
  ['emails', '{count, plural, other {# E-Mails für {name}}}', 'The plural form ‘one’ of {count} is missing.'],
  ['emails', '{count, plural, one {für {name}} few {# für {name}} other {# für {name}}}', 'The language has no plural form ‘few’.'],
  ['emails', '{count, plural, one {eine E-Mail} other {# für {name}}}', 'The placeholder {name} is missing in one of the forms.'],
  ['kind', '{kind, select, TOTP {Mit App} other {Mit Code}}', 'The forms of {kind} are TOTP, other.'],
  ['kind', 'Mit Code', 'It has no forms for {kind}.'],
  ['hint', 'Schreibe an name@example.ru.', 'English has no link or address ‘name@example.ru’.'],
])('reports a problem in %s: %s', (key, translation, problem) => {
  expect(problems('de', fileOf({ ...german, [key]: translation }))).toEqual([`${lineOf(key)} signIn.${key}: ${problem}`])
})

const lineOf = (key: string) => 7 + Object.keys(german).indexOf(key)

test.each([
  ['fr', 'quotes: «»’\nspaced: :;?!»', 'Envoyé !', ['The space between ‘ ’ and ‘!’ is missing, or too wide.']],
  ['fr', 'quotes: «»’\nspaced: :;?!»', 'Envoyé\u202f! «\u202foui\u202f» 12:30', []],
  ['es', 'paired: ¿? ¡!', 'Enviado?', ['¿ and ? do not come in pairs.']],
  ['ar', 'instead: ,، ?؟', 'نعم, لا', ['It has the western mark ,']],
  ['ar', '', 'إلى /auth أو auth/x', ['The mark / moves to the other side of the Latin text.']],
  ['ar', '', 'تحتوي على gatehouse-.', ['The mark - moves to the other side of the Latin text.']],
  ['ar', '', 'من auth/x إلى 10.0.0.0/8.', []],
  ['de', '', 'An /auth und gatehouse-.', []],
  ['ja', 'instead: ,、 .。', '送信.', ['It has the western mark .']],
])('checks the typography of %s (%s): %s', (tag, header, title, expected) => {
  const found = checkTranslation(tag, fileOf({ title }, { tag, name: 'x' }), english, rulesOf(`---\n${header}\n---\n`))
  expect(found.filter(({ key }) => key === 'signIn.title').map(({ problem }) => problem)).toEqual(expected)
})

test('does not treat the punctuation after an address as part of the address', () => {
  const [title] = english
  if (!title) throw new Error('no text')
  const source = 'Open https://x.example, not http://y.example.'
  const found = (own: string) =>
    checkTranslation('fr', fileOf({ title: own }, { tag: 'fr', name: 'x' }), [{ ...title, source }], rulesOf('---\nspaced: :\n---\n'))
  expect(found('Pas http://y.example\u202f: ouvrez https://x.example')).toEqual([])
  expect(found('Ouvrez https://x.example/other, vite.').map(({ problem }) => problem)).toEqual([
    'English has no link or address ‘https://x.example/other’.',
  ])
})

test('reports each missing plural form that the language uses for whole numbers', () => {
  const emails = '{count, plural, one {# лист для {name}} other {# листів для {name}}}'
  expect(problems('uk', fileOf({ ...german, emails }, { tag: 'uk', name: 'Українська' }))).toEqual([
    '9 signIn.emails: The plural form ‘few’ of {count} is missing.',
    '9 signIn.emails: The plural form ‘many’ of {count} is missing.',
  ])
})

test('reports texts that the file lacks, and texts that English does not have', () => {
  const { title, ...others } = german
  expect(problems('de', fileOf({ ...others, titel: title }))).toEqual([
    '0 signIn.title: The translation is missing. Pages show English.',
    '12 signIn.titel: English has no such text.',
  ])
  expect(problems('de', fileOf({ ...german, to: ['a'] }))).toContain('8 signIn.to: The translation is missing. Pages show English.')
})

test('reports a file that is not JSON, a wrong language, and a key that occurs twice', () => {
  expect(problems('de', '{\n"language": {')[0]).toMatch(/^2 : The file is not JSON/)
  expect(problems('de', fileOf(german, { tag: 'nl', name: '' }))).toEqual([
    '3 language.tag: It is not ‘de’.',
    '4 language.name: The name is missing.',
  ])
  const twice = fileOf(german).replace('"provider"', '"title"')
  expect(problems('de', twice)).toContain('11 signIn.title: The file has this key twice.')
})

test('fills a file with the missing English texts in their order, and keeps all other texts', () => {
  const filled = filledFile(english, { language: { tag: 'de' }, signIn: { to: 'An {address}', own: 'x' } })
  expect(JSON.stringify(filled)).toBe(
    JSON.stringify({
      language: { tag: 'de' },
      signIn: { ...Object.fromEntries(english.map(({ path, source }) => [path[1], source])), to: 'An {address}', own: 'x' },
    }),
  )
})
