import { type Pattern, parsePattern } from './pattern.ts'

export type Value = string | number

/** A text with placeholders: a function of their values, in the order of `names`. */
export type TextFunction = ((...values: Value[]) => string) & { readonly source: string; readonly names: readonly string[] }

export const isTextFunction = (value: unknown): value is TextFunction =>
  typeof value === 'function' && 'source' in value && 'names' in value

/**
 * Makes texts in one language, which determines plural forms and number formats. `tag` is a BCP 47
 * tag.
 */
export const textIn = (tag: string) => {
  // Some languages, such as Arabic, have their own digits. Use 0 to 9 in all texts, because codes and addresses contain these.
  const numbers = new Intl.NumberFormat(tag, { numberingSystem: 'latn' })
  const plurals = new Intl.PluralRules(tag)
  const isolates = isRightToLeft(tag)
  const shown = (value: Value) => {
    if (typeof value === 'number') return numbers.format(value)
    // Names and addresses may run in the other direction. These marks keep them from reordering the
    // words around them.
    if (!isolates || value === '') return value
    // After U+2068, the first letter sets the direction, but browsers skip text between inner marks. If both
    // words of `Google: refused` have marks, no letter is left, so U+2067 sets right to left.
    return `${value.includes('\u2068') ? '\u2067' : '\u2068'}${value}\u2069`
  }

  const write = (pattern: Pattern, values: ReadonlyMap<string, Value>, count = 0): string =>
    pattern
      .map(piece => {
        if (typeof piece === 'string') return piece
        if ('number' in piece) return shown(count)
        if ('value' in piece) return shown(values.get(piece.value) ?? '')
        if ('choice' in piece)
          return write(piece.forms.get(String(values.get(piece.choice))) ?? piece.forms.get('other') ?? [], values, count)
        const number = Number(values.get(piece.count))
        const form = piece.forms.get(`=${number}`) ?? piece.forms.get(plurals.select(number)) ?? piece.forms.get('other') ?? []
        return write(form, values, number)
      })
      .join('')

  /** @param names the placeholders, in the order of the function's parameters */
  return (source: string, ...names: string[]): TextFunction => {
    let pattern: Pattern | undefined
    const fill = (...values: Value[]) => {
      pattern ??= parsePattern(source)
      return write(pattern, new Map(names.map((name, index) => [name, values[index] ?? ''])))
    }
    return Object.assign(fill, { source, names })
  }
}

const isRightToLeft = (tag: string) => /^(ar|fa|he|ur|yi|ckb|ps|sd|ug|dv)\b/.test(tag)

/** `dir` of a language. */
export const directionOf = (tag: string): 'ltr' | 'rtl' => (isRightToLeft(tag) ? 'rtl' : 'ltr')

/** A text of English catalogs. */
export const text = /* @__PURE__ */ textIn('en')
