import { expect, test } from 'vitest'
import { isLanguage, languageOfMails } from './user-language.ts'

const languages = [
  { tag: 'en', name: 'English' },
  { tag: 'de', name: 'Deutsch' },
  { tag: 'pt-BR', name: 'Português' },
]

test.each([
  ['de', 'pt-BR', 'de'],
  [null, 'pt-BR', 'pt-BR'],
  [null, null, 'en'],
  // The language files of `nl` and `xx` no longer exist.
  ['nl', 'de', 'de'],
  ['nl', 'xx', 'en'],
])('mails to a user who chose %s and last signed in with %s are in %s', (userLanguage, userLastLanguage, tag) => {
  expect(languageOfMails({ userLanguage, userLastLanguage }, languages, 'en')).toBe(tag)
})

test.each(['', 'DE', 'de-AT', '../de', 'de.json', '__proto__'])('does not accept %j as a language', tag => {
  expect(isLanguage(tag, languages)).toBe(false)
})
