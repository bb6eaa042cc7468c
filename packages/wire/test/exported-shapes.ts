import { readdirSync, readFileSync } from 'node:fs'
import * as wire from '../src/index.ts'

const isShape = (value: unknown): value is wire.Shape => typeof value === 'object' && value !== null && 'name' in value && 'schema' in value

const exported = Object.entries<unknown>(wire).filter((entry): entry is [string, wire.Shape] => isShape(entry[1]))
const exportedShapes = new Set(exported.map(([, shape]) => shape))
const routeShapes = Object.values<wire.Route>({ ...wire.routes, ...wire.accountRoutes })
  .concat(
    [wire.administrationRoutes, wire.approverRoutes, wire.passkeyRoutes, wire.pushRoutes].flatMap(table =>
      Object.values<wire.Route>(table),
    ),
  )
  .flatMap(({ request, response }) => [request, response])
  .filter(shape => !exportedShapes.has(shape))

/** Every shape by its exported name, or by its own name if only a route uses it. */
export const shapes = new Map<string, wire.Shape>([...exported, ...routeShapes.map(shape => [shape.name, shape] as const)])

/** Requests are decoded strictly: an unknown field is a mistake of the sender. */
export const isStrict = (name: string) => /Requests?$/.test(name) || ['Redirect', 'Empty', 'FeatureQuery'].includes(name)

const folder = new URL('../fixtures/', import.meta.url)

/** The golden messages: `Shape.json`, or `Shape.Case.json` where a shape has cases. */
export const fixtures = readdirSync(folder).map(file => ({
  file,
  of: file.split('.')[0] ?? '',
  message: JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as unknown,
}))

export const shapeOf = (name: string): wire.Shape => {
  const shape = shapes.get(name)
  if (!shape) throw new Error(`no shape of the name ${name}`)
  return shape
}

/** Decodes and encodes a message, as the other side would receive it. */
export const roundTrip = (shape: wire.Shape, message: unknown): unknown => {
  const decoded = wire.decode(shape, message)
  if (!decoded.ok) throw new Error(decoded.error)
  return JSON.parse(JSON.stringify(wire.encode(shape, decoded.value)))
}
