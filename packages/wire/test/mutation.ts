/** A path to a value in a message: `['contents', 0]`. */
export type Path = readonly (string | number)[]

const isNode = (value: unknown): value is Record<string | number, unknown> => typeof value === 'object' && value !== null

/** Every path in a message, starting with the whole message. */
export const pathsOf = (value: unknown, at: Path = []): Path[] => [
  at,
  ...(isNode(value)
    ? Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...at, Array.isArray(value) ? Number(key) : key]))
    : []),
]

export const lookUp = (value: unknown, path: Path): unknown => path.reduce((node, key) => (isNode(node) ? node[key] : undefined), value)

/** A copy with one value replaced. */
export const replaced = (value: unknown, path: Path, by: unknown): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return by
  if (!isNode(value)) return value
  const copy = Array.isArray(value) ? [...value] : { ...value }
  Reflect.set(copy, key, replaced(value[key], rest, by))
  return copy
}

/** A copy without one field. */
export const without = (value: unknown, path: Path): unknown => {
  const parent = { ...(lookUp(value, path.slice(0, -1)) as object) }
  Reflect.deleteProperty(parent, path.at(-1) ?? '')
  return replaced(value, path.slice(0, -1), parent)
}
