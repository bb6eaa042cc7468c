import { directionOf } from '@gatehouse/language/text.ts'

/** For the widget's root, so that screen readers and browsers use the widget's language, not that of the page around it. */
export const languageAttributes = (lang: string | undefined) => (lang === undefined ? {} : { lang, dir: directionOf(lang) })
