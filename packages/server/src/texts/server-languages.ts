import { translate } from '@gatehouse/language/translate.ts'
import { englishServer } from './en.ts'
import type { ServerTexts } from './server-texts.ts'

/** The server's texts in one language. `tag` is from BCP 47. */
export type ServerLanguage = { tag: string; texts: ServerTexts }

export const english: ServerLanguage = { tag: 'en', texts: englishServer }

/** A translation's file. */
type Translation = { language: { tag: string }; server?: unknown }

/**
 * The languages in which the server writes.
 * @param fallback the language for a tag without a translation; also for rows and users without a language
 */
export const createServerLanguages = (translations: readonly Translation[], fallback: string) => {
  const given = new Map(translations.map(({ language, server }) => [language.tag, server]))
  const made = new Map([[english.tag, english]])
  const find = (tag: string): ServerLanguage | undefined => {
    const known = made.get(tag)
    if (known || !given.has(tag)) return known
    const language = { tag, texts: translate(englishServer, given.get(tag), tag) }
    made.set(tag, language)
    return language
  }
  return { in: (tag: string | null | undefined): ServerLanguage => (tag ? find(tag) : undefined) ?? find(fallback) ?? english }
}
export type ServerLanguages = ReturnType<typeof createServerLanguages>
