import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parts } from '../parts.ts'
import { problemsOf, translatedTags } from './commands.ts'
import { readEnglishTexts } from './english-texts.ts'

const english = await readEnglishTexts(parts)

test('reads the texts of every part', () => {
  expect(Object.keys(parts).filter(part => !english.some(text => text.part === part))).toEqual([])
})

// A new text stays in English until someone translates it, so a missing translation does not fail this test.
// `npm run translate -- check` lists missing translations.
test.each(translatedTags())('the translation %s has no mistakes', tag => {
  expect(problemsOf(tag, english).filter(({ kind }) => kind !== 'missing')).toEqual([])
})

test('the documentation says how each language was translated', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../../docs/translating.md'), 'utf8')
  expect(
    translatedTags().filter(
      tag => !guide.includes(`| \`${tag}.json\` | translated by machine |`) && !guide.includes(`| \`${tag}.json\` | reviewed`),
    ),
  ).toEqual([])
})
