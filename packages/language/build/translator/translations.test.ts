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

// A new text in English stays English until a translator has seen it, so missing texts are no failure here. `npm run translate -- check`
// lists them.
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
