/**
 * A text with placeholders, in the part of ICU MessageFormat that translators need:
 * `{name}`, `{count, plural, =0 {…} one {# email} other {# emails}}` and `{kind, select, Push {…} other {…}}`.
 */
export type Pattern = readonly Piece[]

type Piece = string | { value: string } | { count: string; forms: Forms } | { choice: string; forms: Forms } | { number: true }
type Forms = ReadonlyMap<string, Pattern>

/** Thrown for a text that is not a valid pattern. The message says what is wrong, and at which character. */
export class PatternError extends Error {}

/** @throws PatternError */
export const parsePattern = (source: string): Pattern => {
  let at = 0
  const fail = (expected: string): never => {
    throw new PatternError(`expected ${expected} at character ${at + 1} of ‘${source}’`)
  }
  const take = (token: RegExp) => {
    const [text] = new RegExp(token, 'y').exec(source.slice(at)) ?? []
    at += text?.length ?? 0
    return text
  }
  const blanks = () => void take(/\s*/)
  const expected = (token: RegExp, name: string) => take(token) ?? fail(name)

  const forms = (): Forms => {
    const all = new Map<string, Pattern>()
    for (;;) {
      blanks()
      if (source[at] === '}') break
      const key = expected(/=?[\w-]+/, 'the name of a form, or }')
      blanks()
      expected(/\{/, '{')
      all.set(key, pieces(true))
      expected(/\}/, '}')
    }
    if (!all.has('other')) fail('a form named other')
    return all
  }

  const placeholder = (): Piece => {
    blanks()
    const name = expected(/\w+/, 'the name of a value')
    blanks()
    if (!take(/,/)) return { value: name }
    blanks()
    const kind = expected(/plural|select/, 'plural or select')
    blanks()
    expected(/,/, 'a comma')
    return kind === 'plural' ? { count: name, forms: forms() } : { choice: name, forms: forms() }
  }

  const pieces = (isForm: boolean): Pattern => {
    const all: Piece[] = []
    while (at < source.length && source[at] !== '}') {
      if (take(/\{/)) {
        all.push(placeholder())
        expected(/\}/, '}')
      } else if (isForm && take(/#/)) all.push({ number: true })
      else all.push(expected(isForm ? /[^{}#]+/ : /[^{}]+/, 'text'))
    }
    return all
  }

  const pattern = pieces(false)
  return at === source.length ? pattern : fail('the end of the text')
}

/** The names of the values that a pattern uses. */
export const valuesOf = (pattern: Pattern): Set<string> =>
  new Set(
    pattern.flatMap(piece => {
      if (typeof piece === 'string' || 'number' in piece) return []
      if ('value' in piece) return [piece.value]
      return ['count' in piece ? piece.count : piece.choice, ...[...piece.forms.values()].flatMap(form => [...valuesOf(form)])]
    }),
  )
