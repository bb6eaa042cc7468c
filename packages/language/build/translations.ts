import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { english, type Language } from '../src/languages.ts'

/** A translation's file: the language, and the patterns of each part. */
export type Translation = { language: Language; [part: string]: unknown }

const folder = join(import.meta.dirname, '../translations')

const files = () =>
  readdirSync(folder)
    .filter(file => file.endsWith('.json'))
    .sort()

/**
 * Every translation, sorted by tag. A new file adds a language. Only the table in
 * docs/translating.md must list it too.
 */
export const readTranslations = (): Translation[] =>
  files().map(file => {
    const translation: Translation = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    if (`${translation.language?.tag}.json` !== file) throw new Error(`${file}: its language.tag must be its name`)
    return translation
  })

/** English, then the languages with a translation. */
export const allLanguages = (): Language[] => [english, ...readTranslations().map(({ language }) => language)]

/**
 * The tags of all languages, from the file names. Reading the files takes a hundred times as long.
 */
export const allLanguageTags = (): string[] => [english.tag, ...files().map(file => file.slice(0, -'.json'.length))]
