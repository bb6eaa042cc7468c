import type { Node, YAMLMap } from 'yaml'

/** A line and a column of a file, both counted from 1. */
export type Place = { line: number; column: number }
/** A sentence about a place in a file. */
export type Remark = Place & { text: string }

/** A value of a YAML file. Scalars stay text, because YAML reads `no` as false and `1e3` as a number. */
export type Value = { at: Place } & (
  | { is: 'Text'; text: string }
  | { is: 'List'; items: readonly Value[] }
  | { is: 'Map'; fields: readonly { at: Place; name: string; value: Value }[] }
)

/** Parses YAML. The library loads on first use, because most servers have no such file. */
export const parseYaml = async (text: string): Promise<{ value: Value; problems: Remark[] }> => {
  const { parseDocument, LineCounter, isAlias, isMap, isScalar, isSeq } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, {
    schema: 'failsafe',
    lineCounter: lines,
    prettyErrors: false,
    // With the level `silent`, the library would ignore all documents but the first.
    logLevel: 'error',
    // The library compares each key with all keys before it, which takes a minute for 40,000 keys. `readMap` finds equal keys.
    uniqueKeys: false,
  })
  const placeOf = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const problems = [...document.errors, ...document.warnings].map(({ pos, message }) => ({ ...placeOf(pos[0]), text: `${message}.` }))

  const read = (node: unknown, otherwise: Place): Value => {
    const at = hasRange(node) ? placeOf(node.range?.[0] ?? 0) : otherwise
    if (isAlias(node)) {
      problems.push({ ...at, text: `put quotes around ‘*${node.source}’: a leading * has a meaning in YAML.` })
      return { is: 'Text', at, text: '' }
    }
    if (isScalar(node)) return { is: 'Text', at, text: String(node.value ?? '') }
    if (isSeq(node)) return { is: 'List', at, items: node.items.map(item => read(item, at)) }
    if (isMap(node)) return readMap(node, at)
    return { is: 'Text', at, text: '' }
  }
  const readMap = ({ items }: YAMLMap, at: Place): Value => {
    const names = new Set<string>()
    const fields = items.map(({ key, value }) => {
      const name = read(key, at)
      if (name.is !== 'Text') return { at: name.at, name: '', value: read(value, name.at) }
      if (names.has(name.text)) problems.push({ ...name.at, text: 'Map keys must be unique.' })
      names.add(name.text)
      return { at: name.at, name: name.text, value: read(value, name.at) }
    })
    return { is: 'Map', at, fields }
  }
  return { value: read(document.contents, { line: 1, column: 1 }), problems }
}

const hasRange = (node: unknown): node is Node => typeof node === 'object' && node !== null && 'range' in node
