import { isTextFunction, type TextFunction, textIn } from './text.ts'

/** A catalog as a translator writes it: the same keys, and each text as a pattern. */
export type Source<Catalog> = Catalog extends string
  ? string
  : Catalog extends (...values: never) => string
    ? string
    : Catalog extends readonly (infer Item)[]
      ? Source<Item>[]
      : { [Key in keyof Catalog]: Source<Catalog[Key]> }

/** The patterns of a catalog. */
export const sourceOf = <Catalog extends object>(catalog: Catalog): Source<Catalog> =>
  entries(catalog, '', undefined, { string: words => words, function: words => words.source })

/** A catalog in another language. A text that the translation lacks stays English. A function in place of a pattern is used unchanged. */
export const translate = <Catalog extends object>(english: Catalog, translation: unknown, tag: string): Catalog => {
  const text = textIn(tag)
  return entries(english, '', translation, {
    string: (words, given) => (typeof given === 'string' ? given : words),
    function: (words, given) => {
      if (typeof given === 'string') return text(given, ...words.names)
      return typeof given === 'function' ? given : words
    },
  })
}

type Mapping = {
  string: (words: string, given: unknown) => unknown
  function: (words: TextFunction, given: unknown) => unknown
}

// The result has the catalog's keys, which TypeScript cannot follow. The overload states its type.
function entries<Result>(catalog: object, path: string, given: unknown, mapping: Mapping): Result
function entries(catalog: object, path: string, given: unknown, mapping: Mapping): unknown {
  const mappedOf = ([key, value]: [string, unknown]) => [key, mapped(value, path ? `${path}.${key}` : key, partOf(given, key), mapping)]
  return Object.fromEntries(Object.entries(catalog).map(mappedOf))
}

const mapped = (value: unknown, path: string, given: unknown, mapping: Mapping): unknown => {
  if (typeof value === 'string') return mapping.string(value, given)
  if (isTextFunction(value)) return mapping.function(value, given)
  if (Array.isArray(value)) return value.map((item, index) => mapped(item, `${path}[${index}]`, partOf(given, String(index)), mapping))
  if (typeof value === 'object' && value !== null) return entries(value, path, given, mapping)
  throw new TypeError(`${path}: not a text. Texts with placeholders are made by text()`)
}

const partOf = (given: unknown, key: string): unknown =>
  typeof given === 'object' && given !== null && key in given ? Reflect.get(given, key) : undefined
