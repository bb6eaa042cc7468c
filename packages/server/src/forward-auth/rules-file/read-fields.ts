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

/** Reads one text or a list of texts. */
export const textsOf = (value: Value, name: string, problem: Report['problem']): { text: string; at: Place }[] =>
  (value.is === 'List' ? value.items : [value]).flatMap(item => {
    if (item.is === 'Text' && item.text !== '') return [{ text: item.text, at: item.at }]
    problem(item.at, `${name} must be a text or a list of texts`)
    return []
  })
