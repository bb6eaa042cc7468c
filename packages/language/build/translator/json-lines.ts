/** Where the keys of a JSON text are. */
export type JsonLines = {
  /** The line of each key's value, by its path joined with dots. */
  lines: ReadonlyMap<string, number>
  /** Keys that an object has twice. `JSON.parse` drops the first one silently. */
  twice: readonly string[]
}

/** @param source valid JSON */
export const jsonLines = (source: string): JsonLines => {
  const lines = new Map<string, number>()
  const twice: string[] = []
  const tokens = source.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+|\n/g)
  let line = 1
  const next = (): string => {
    const { done, value } = tokens.next()
    if (done) return ''
    if (value[0] !== '\n') return value[0]
    line += 1
    return next()
  }

  const item = (path: string) => {
    if (lines.has(path)) twice.push(path)
    lines.set(path, line)
  }
  const value = (first: string, path: string): void => {
    if (first !== '{' && first !== '[') return
    const isList = first === '['
    for (let token = next(), index = 0; token !== '}' && token !== ']' && token !== ''; token = next()) {
      if (token === ',') continue
      const at = isList ? String(index++) : String(JSON.parse(token))
      const inner = path ? `${path}.${at}` : at
      item(inner)
      if (isList) value(token, inner)
      else {
        next()
        value(next(), inner)
      }
    }
  }
  value(next(), '')
  return { lines, twice }
}
