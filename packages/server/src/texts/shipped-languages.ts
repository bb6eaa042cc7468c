import { readTranslations } from '@gatehouse/language/build/translations.ts'
import { createServerLanguages, type Translation } from './server-languages.ts'

let shipped: readonly Translation[] | undefined

/** Reads the files once per process, and keeps only what the server needs of them: most of their texts are for the pages. */
const readShipped = (): readonly Translation[] => {
  shipped ??= readTranslations().map(({ language, server }) => ({ language, server }))
  return shipped
}

/**
 * The languages in which this version writes.
 * @param fallback the tag of the server's default
 */
export const shippedLanguages = (fallback: string) => createServerLanguages(readShipped(), fallback)
