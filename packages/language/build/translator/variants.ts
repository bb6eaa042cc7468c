import type { Pattern } from '../../src/pattern.ts'

/** One possible result of a pattern: its words, and the values in them. */
export type Variant = { words: string; values: ReadonlySet<string> }

/** Every combination of a pattern's forms. `#` becomes the placeholder of the counted value. */
export const variantsOf = (pattern: Pattern, counted?: string): Variant[] =>
  pattern.reduce<Variant[]>(
    (before, piece) => {
      const ways = waysOf(piece, counted)
      return before.flatMap(start =>
        ways.map(way => ({ words: start.words + way.words, values: new Set([...start.values, ...way.values]) })),
      )
    },
    [{ words: '', values: new Set() }],
  )

const waysOf = (piece: Pattern[number], counted: string | undefined): Variant[] => {
  if (typeof piece === 'string') return [{ words: piece, values: new Set() }]
  if ('number' in piece) return [{ words: `{${counted}}`, values: new Set(counted === undefined ? [] : [counted]) }]
  if ('value' in piece) return [{ words: `{${piece.value}}`, values: new Set([piece.value]) }]
  const inner = 'count' in piece ? piece.count : counted
  return [...piece.forms.values()].flatMap(form => variantsOf(form, inner))
}

/** The plural and select forms of a pattern, including nested forms. */
export type Forms = { kind: 'plural' | 'select'; value: string; keys: string[] }

export const formsOf = (pattern: Pattern): Forms[] =>
  pattern.flatMap(piece => {
    if (typeof piece === 'string' || !('forms' in piece)) return []
    const own: Forms =
      'count' in piece
        ? { kind: 'plural', value: piece.count, keys: [...piece.forms.keys()] }
        : { kind: 'select', value: piece.choice, keys: [...piece.forms.keys()] }
    return [own, ...[...piece.forms.values()].flatMap(formsOf)]
  })
