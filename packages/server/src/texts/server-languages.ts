import { english as englishLanguage, type Language } from '@gatehouse/language/languages.ts'
import { translate } from '@gatehouse/language/translate.ts'
import { languageOfMails } from '../users/user-language.ts'
import { englishServer } from './en.ts'
import type { ServerTexts } from './server-texts.ts'

/** The server's texts in one language. `tag` is from BCP 47. */
export type ServerLanguage = { tag: string; texts: ServerTexts }

export const english: ServerLanguage = { tag: 'en', texts: englishServer }

/** A translation's file. */
export type Translation = { language: Language; server?: unknown }

/** A reader's languages, see `languageOfMails`. A user who is being created has none yet. */
export type Reader = Partial<Parameters<typeof languageOfMails>[0]>

/**
 * The languages in which the server writes.
 * @param fallback the tag of the server's default
 */
export const createServerLanguages = (translations: readonly Translation[], fallback: string) => {
  const languages = [englishLanguage, ...translations.map(({ language }) => language)]
  const given = new Map(translations.map(({ language, server }) => [language.tag, server]))
  const made = new Map([[english.tag, english]])
  const find = (tag: string): ServerLanguage | undefined => {
    const known = made.get(tag)
    if (known || !given.has(tag)) return known
    const language = { tag, texts: translate(englishServer, given.get(tag), tag) }
    made.set(tag, language)
    return language
  }
  const withTag = (tag: string | undefined) => (tag === undefined ? undefined : find(tag)) ?? find(fallback) ?? english
  return {
    /** The language of a tag. The server's default without a tag, or if the tag has no translation. */
    in: withTag,
    /** The language of a user's mails. */
    of: ({ userLanguage = null, userLastLanguage = null }: Reader) =>
      withTag(languageOfMails({ userLanguage, userLastLanguage }, languages, fallback)),
  }
}
export type ServerLanguages = ReturnType<typeof createServerLanguages>
