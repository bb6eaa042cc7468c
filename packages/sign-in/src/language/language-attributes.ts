import { directionOf } from '@gatehouse/language/text.ts'

/** For the widget's root: screen readers pronounce it, and browsers lay it out, in its own language inside a page of another one. */
export const languageAttributes = (lang: string | undefined) => (lang === undefined ? {} : { lang, dir: directionOf(lang) })
