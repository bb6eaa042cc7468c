import { pseudo, pseudoTag } from '@gatehouse/language/pseudo.ts'
import { sourceOf, translate } from '@gatehouse/language/translate.ts'

/** A catalog in the pseudo-language. */
export const pseudoOf = <Catalog extends object>(catalog: Catalog): Catalog => translate(catalog, accented(sourceOf(catalog)), pseudoTag)

const accented = (source: unknown): unknown => {
  if (typeof source === 'string') return pseudo(source)
  if (Array.isArray(source)) return source.map(accented)
  return Object.fromEntries(Object.entries(source ?? {}).map(([key, value]) => [key, accented(value)]))
}

const shownAttributes = ['aria-label', 'title', 'alt', 'placeholder', 'data-column']

/** The plain Latin words that a page shows. Test data for the pseudo-language has none, so each word found is an untranslated text. */
export const plainWordsOf = (page: ParentNode): string[] => {
  const words: string[] = []
  const collect = (text: string | null) => words.push(...(text?.match(/(?<![\p{L}\p{M}])[A-Za-z]{2,}(?![\p{L}\p{M}])/gu) ?? []))
  for (const element of page.querySelectorAll('*')) {
    for (const name of shownAttributes) collect(element.getAttribute(name))
    for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) collect(node.textContent)
  }
  return words
}
