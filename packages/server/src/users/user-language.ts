import type { Language } from '@gatehouse/language/languages.ts'
import type { Account } from './users.store.ts'

/**
 * The language of mails to a user: the one that the user chose, then that of the last sign-in, then the server's default. Ignores languages
 * that were removed.
 */
export const languageOfMails = (
  { userLanguage, userLastLanguage }: Pick<Account, 'userLanguage' | 'userLastLanguage'>,
  languages: readonly Language[],
  otherwise: string,
): string => [userLanguage, userLastLanguage].find(tag => tag !== null && isLanguage(tag, languages)) ?? otherwise

/** Ends the sentence of an error about a tag that is not in the list. */
export const expectedLanguage = (languages: readonly Language[]): string => `expected one of ${languages.map(({ tag }) => tag).join(', ')}`

/** Whether a tag is exactly that of a language. */
export const isLanguage = (tag: unknown, languages: readonly Language[]): tag is string => languages.some(language => language.tag === tag)
