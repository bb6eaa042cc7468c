import { parsePattern } from '@gatehouse/language/pattern.ts'
import { pseudoTag } from '@gatehouse/language/pseudo.ts'
import { isTextFunction, type TextFunction } from '@gatehouse/language/text.ts'
import { variantsOf } from '../../language/build/translator/variants.ts'
import { speak } from '../src/messages/current.ts'
import { loadAllTexts } from '../src/messages/load-texts.ts'
import { pseudoOf } from '../src/testing/pseudo-language.ts'

/** Each English text of the pages, with its translation. */
let translations: { english: string | TextFunction; translation: unknown }[] | undefined

/** Shows the pages in a language, or in the pseudo-language, which exists only here. */
export const speakInGallery = async (tag: string) => {
  const english = await loadAllTexts('en')
  const texts = tag === pseudoTag ? pseudoOf(english) : await loadAllTexts(tag)
  speak(tag, texts)
  translations = tag === 'en' ? undefined : pairsOf(english, texts)
}

const pairsOf = (english: unknown, translation: unknown): { english: string | TextFunction; translation: unknown }[] => {
  if (typeof english === 'string' || isTextFunction(english)) return [{ english, translation }]
  if (typeof english !== 'object' || english === null || typeof translation !== 'object' || translation === null) return []
  return Object.entries(english).flatMap(([key, value]) => pairsOf(value, Reflect.get(translation, key)))
}

/**
 * The texts, in the page's language, that the English words of a scene's step can stand for. In
 * English, the words themselves.
 * @param isPart whether the words can be any part of a text; otherwise they are its beginning
 */
export const inLanguage = (words: string, isPart: boolean): string[] => {
  if (!translations) return [words]
  const matches = (english: string) => (isPart ? english.includes(words) : english.startsWith(words))
  const whole = translations.flatMap(({ english, translation }) => {
    if (typeof english === 'string') return english === words || (isPart && matches(english)) ? [String(translation)] : []
    const values = valuesIn(words, english)
    if (!values || !isTextFunction(translation)) return []
    // A value can be a text too, such as the name of a provider.
    return [translation(...values), translation(...values.map(value => inLanguage(value, false)[0] ?? value))]
  })
  const parts = translations.flatMap(({ english, translation }) => {
    if (typeof english === 'string') return matches(english) ? [String(translation)] : []
    if (!isTextFunction(translation)) return []
    const isMeant = variantsOf(parsePattern(english.source)).some(variant => meets(words, variant.words))
    return isMeant ? variantsOf(parsePattern(translation.source)).map(variant => (isPart ? longestPiece : firstPiece)(variant.words)) : []
  })
  // The gallery's own texts and names of users and devices are the same in every language.
  return [...whole, ...parts, words]
}

/** The values that turn an English text into these words. `undefined` if no values do. */
const valuesIn = (words: string, { source, names }: TextFunction): string[] | undefined => {
  const pieces = parsePattern(source)
  if (!pieces.every(piece => typeof piece === 'string' || 'value' in piece)) return undefined
  if (!pieces.some(piece => typeof piece === 'string' && /\p{L}/u.test(piece))) return undefined
  const used = pieces.flatMap(piece => (typeof piece === 'object' && 'value' in piece ? [piece.value] : []))
  const shape = pieces.map(piece => (typeof piece === 'string' ? escaped(piece) : '(.+)')).join('')
  const values = new RegExp(`^${shape}$`).exec(words)?.slice(1)
  return values && names.map(name => values[used.indexOf(name)] ?? '')
}

const escaped = (words: string) => words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Whether a text contains the words. A number in the words also matches a placeholder in the text. */
const meets = (words: string, text: string) => new RegExp(words.split(/\d+/).map(escaped).join('(?:\\d+|\\{\\w+\\})')).test(text)

const firstPiece = (text: string) => text.split(/\{\w+\}/)[0]?.trim() || text

const longestPiece = (text: string) =>
  text.split(/\{\w+\}/).reduce((longest, piece) => (piece.trim().length > longest.length ? piece.trim() : longest), '')
