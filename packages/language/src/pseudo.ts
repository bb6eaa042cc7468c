import { type Pattern, parsePattern } from './pattern.ts'

/** The tag of the pseudo-language: Arabic, so that pages run from right to left, with a region reserved for tests. */
export const pseudoTag = 'ar-XB'

const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const accents = [...'àƀçðéƒĝĥîĵķļɱñöþɋŕšţûṽŵẋýžÀƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞɊŔŠŢÛṼŴẊÝŽ']

const stretch = (words: string) => {
  const letters = [...words].map(letter => accents[plain.indexOf(letter)] ?? letter).join('')
  const room = Math.ceil((words.match(/\p{L}/gu)?.length ?? 0) * 0.4)
  // Lines can break within the padding, as between words.
  return room === 0 ? letters : `${letters}${' ~~~~~~~'.repeat(Math.ceil(room / 8)).slice(0, room)}`
}

/** Accents every letter of a pattern and makes it 40 % longer, so that texts left in English, cut texts and overflow are visible. */
export const pseudo = (source: string): string => written(parsePattern(source))

const written = (pattern: Pattern): string =>
  pattern
    .map(piece => {
      if (typeof piece === 'string') return stretch(piece)
      if ('number' in piece) return '#'
      if ('value' in piece) return `{${piece.value}}`
      const forms = [...piece.forms].map(([key, form]) => `${key} {${written(form)}}`).join(' ')
      return 'count' in piece ? `{${piece.count}, plural, ${forms}}` : `{${piece.choice}, select, ${forms}}`
    })
    .join('')
