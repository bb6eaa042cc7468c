import * as wire from '@gatehouse/wire'
import { passkeyRoutes, pushRoutes, type Route, routes, type Shape } from '@gatehouse/wire'

/** The properties of a Valibot schema that the tables use. Valibot's types omit some of them. */
type Schema = {
  kind: 'schema'
  type: string
  entries?: Record<string, Schema>
  wrapped?: Schema
  options?: readonly (Schema | string)[]
  item?: Schema
  items?: readonly Schema[]
  literal?: unknown
  pipe?: readonly (Schema | { kind: 'validation' | 'transformation'; type: string; requirement?: unknown; message?: unknown })[]
  getter?: (input: unknown) => Schema
}

const isShape = (value: unknown): value is Shape => typeof value === 'object' && value !== null && 'name' in value && 'schema' in value
const isSchema = (part: { kind: string }): part is Schema => part.kind === 'schema'

/** The calls that the sign-in area and its pages of mailed links make. */
const signInCalls: Record<string, Route> = { ...routes, ...pushRoutes, ...passkeyRoutes }

/** The calls of other pages. A server with its own pages does not need them. */
const otherCalls: [page: string, Record<string, Route>][] = [
  ['account page', wire.accountRoutes],
  ['administration page', wire.administrationRoutes],
  ['phone', wire.approverRoutes],
]

const shapes = new Map<string, Shape>()
for (const shape of Object.values<unknown>(wire)) if (isShape(shape)) shapes.set(shape.name, shape)
for (const { request, response } of Object.values(signInCalls)) for (const shape of [request, response]) shapes.set(shape.name, shape)
const hasParts = ({ type }: Schema) => !['string', 'number', 'boolean'].includes(type)
const nameOf = new Map(
  [...shapes.values()].map(({ name, schema }) => [schema as unknown as Schema, name] as const).filter(([schema]) => hasParts(schema)),
)

/** The last schema of a pipe determines the type of a value. The checks before that schema narrow the type. */
const core = (schema: Schema): Schema => {
  const inner = schema.pipe?.filter(isSchema) ?? []
  const last = inner.at(-1)
  return last && inner.length > 1 ? core(last) : schema
}

/** The limits that a pipe sets, in words. */
const limitsOf = (schema: Schema): string =>
  [...new Set([...(schema.pipe ?? []), ...(core(schema).pipe ?? [])])]
    .flatMap(part => {
      if (isSchema(part)) return []
      if (part.type === 'max_length') return [`at most ${part.requirement}`]
      if (part.type === 'check' && typeof part.message === 'string' && !/U\+0000|^expected Object$|error types/.test(part.message))
        return [part.message.replace(/^(expected|must have) /, '')]
      return []
    })
    .join('; ')

const isOptional = ({ type }: Schema) => type === 'optional' || type === 'nullish'
const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``

/** The values of a schema, as a reader of the tables sees them. */
const valuesOf = (given: Schema): string => {
  const named = nameOf.get(given)
  if (named) return `[${named}](#${named.toLowerCase()})`
  const limits = limitsOf(given)
  const schema = core(given)
  const inner = describe(schema)
  return limits && schema.type !== 'union' ? `${inner} (${limits})` : inner
}

const describe = (schema: Schema): string => {
  switch (schema.type) {
    case 'nullish':
    case 'optional':
    case 'nullable':
      return schema.wrapped ? valuesOf(schema.wrapped) + (schema.type === 'nullable' ? ' or `null`' : '') : ''
    case 'literal':
      return code(JSON.stringify(schema.literal))
    case 'picklist':
      return (schema.options ?? []).map(option => code(JSON.stringify(option))).join(' ')
    case 'array':
      return `list of ${schema.item ? valuesOf(schema.item) : ''}`
    case 'strict_tuple':
      return schema.items?.length ? `list of exactly: ${schema.items.map(valuesOf).join(', ')}` : 'empty list'
    case 'variant':
    case 'union':
      return (schema.options ?? []).map(option => (typeof option === 'string' ? option : valuesOf(option))).join(' or ')
    case 'object':
    case 'strict_object':
      return `{ ${fieldsOf(schema)
        .map(([name, value]) => `${name}${isOptional(value) ? '?' : ''}: ${valuesOf(value)}`)
        .join(', ')} }`
    case 'record':
      return 'an object of booleans'
    case 'lazy':
      return 'a boolean, or `features`: an object of booleans'
    case 'unknown':
      return 'any value'
    default:
      return schema.type
  }
}

const fieldsOf = (schema: Schema): [string, Schema][] => Object.entries(schema.entries ?? {})

/** The rows of a shape: its fields, or its cases with their contents. */
const rowsOf = (name: string, schema: Schema): [field: string, value: string][] => {
  const inner = core(schema)
  if (inner.type === 'variant')
    return (inner.options ?? []).flatMap((option): [string, string][] => {
      if (typeof option === 'string') return []
      const { tag, contents, ...others } = option.entries ?? {}
      const more = Object.entries(others).map(
        ([field, value]) => `${code(field)}${isOptional(value) ? ' (optional)' : ''}: ${valuesOf(value)}`,
      )
      const carried = contents && !(isOptional(contents) && contents.wrapped?.type === 'strict_tuple') ? [valuesOf(contents)] : []
      return [[code(String(tag?.literal)), [...carried, ...more].join('; ') || 'no contents']]
    })
  const fields = fieldsOf(inner)
  if (fields.length === 0)
    return [
      [
        code(name),
        inner.type === 'strict_object'
          ? 'an empty object'
          : inner.type === 'object'
            ? 'an object; clients ignore its fields'
            : valuesWithout(schema),
      ],
    ]
  return fields.map(([field, value]) => [`${code(field)}${isOptional(value) ? ' (optional)' : ''}`, valuesOf(value)])
}
/** Describes the schema itself, because a shape without fields must not link to its own heading. */
const valuesWithout = (schema: Schema) => {
  const limits = limitsOf(schema)
  return describe(core(schema)) + (limits ? ` (${limits})` : '')
}

/** The shapes of the sign-in calls, of errors and of the socket, and those they refer to, in alphabetical order. */
const reachable = (): string[] => {
  const found = new Set<string>()
  const visit = (name: string) => {
    if (found.has(name)) return
    found.add(name)
    const shape = shapes.get(name)
    for (const [, value] of shape ? rowsOf(name, shape.schema as unknown as Schema) : [])
      for (const [, other = ''] of value.matchAll(/\[(\w+)\]\(#/g)) visit(other)
  }
  for (const { request, response } of Object.values(signInCalls)) for (const shape of [request, response]) visit(shape.name)
  visit('ErrorBody')
  visit('SocketMessage')
  visit('SocketRequest')
  return [...found].sort()
}

const table = (heads: string[], rows: string[][]) =>
  [heads, heads.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')
/** Sorts by path, because the order of a module's exports depends on the loader. */
const byPath = (table: Record<string, Route>) => Object.entries(table).sort(([, a], [, b]) => (a.path < b.path ? -1 : 1))
const link = (name: string) => `[${name}](#${name.toLowerCase()})`

/** The generated parts of wire.md, by the name of their marker. */
export const wireTables: Record<string, string> = {
  calls: table(
    ['call', 'method and path', 'request', 'response'],
    byPath(signInCalls).map(([name, { method, path, request, response }]) => [
      code(name),
      code(`${method} ${path}`),
      link(request.name),
      link(response.name),
    ]),
  ),
  shapes: reachable()
    .map(name => `### ${name}\n\n${table(['field or tag', 'value'], rowsOf(name, shapes.get(name)?.schema as unknown as Schema))}`)
    .join('\n\n'),
  others: table(
    ['page', 'calls'],
    otherCalls.map(([page, table]) => [
      page,
      byPath(table)
        .map(([, { path }]) => code(path))
        .join(' '),
    ]),
  ),
}

/** Returns the page with every table updated to the current wire format. */
export const withTables = (page: string): string =>
  Object.entries(wireTables).reduce(
    (text, [name, table]) =>
      text.replace(new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`), (_, start, end) => `${start}\n${table}\n\n${end}`),
    page,
  )
