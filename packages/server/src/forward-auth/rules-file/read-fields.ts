import type { Place, Value } from './yaml-tree.ts'

export type Report = { problem: (at: Place, text: string) => void; warn: (at: Place, text: string) => void }
export type Fields = ReadonlyMap<string, Value>

/** Reads a map that has only these fields. */
export const fieldsOf = (value: Value, what: string, names: readonly string[], { problem }: Report): Fields => {
  if (value.is !== 'Map') {
    problem(value.at, `${what} must have ${names.join(', ')}`)
    return new Map()
  }
  for (const { at, name } of value.fields)
    if (!names.includes(name)) problem(at, `‘${name}’ is not part of ${what}; it may have ${names.join(', ')}`)
  return new Map(value.fields.map(field => [field.name, field.value]))
}

/** One value, or a list of at least one. Refuses an empty list, because it could mean all or nothing. */
export const itemsOf = (value: Value, name: string, problem: Report['problem']): readonly Value[] => {
  if (value.is !== 'List') return [value]
  if (value.items.length === 0) problem(value.at, `${name} must not be an empty list`)
  return value.items
}

/** Reads one text or a list of texts. */
export const textsOf = (value: Value, name: string, problem: Report['problem']): { text: string; at: Place }[] =>
  itemsOf(value, name, problem).flatMap(item => {
    if (item.is === 'Text' && item.text !== '') return [{ text: item.text, at: item.at }]
    problem(item.at, `${name} must be a text or a list of texts`)
    return []
  })
