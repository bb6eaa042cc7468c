import { readdirSync, readFileSync } from 'node:fs'
import * as door from '../src/index.ts'

const isShape = (value: unknown): value is door.Shape => typeof value === 'object' && value !== null && 'name' in value && 'schema' in value

const exported = Object.entries<unknown>(door).filter((entry): entry is [string, door.Shape] => isShape(entry[1]))
const known = new Set(exported.map(([, shape]) => shape))
const ofRoutes = Object.values<door.Route>({ ...door.routes, ...door.accountRoutes })
  .concat([door.administrationRoutes, door.approverRoutes, door.pushRoutes].flatMap(table => Object.values<door.Route>(table)))
  .flatMap(({ request, response }) => [request, response])
  .filter(shape => !known.has(shape))

/** Every decoder there is, by the name it is exported under; those that only a route holds, by their own. */
export const shapes = new Map<string, door.Shape>([...exported, ...ofRoutes.map(shape => [shape.name, shape] as const)])

/** What our side sends is decoded strictly: whoever sends more than asked for has made a mistake. */
export const isStrict = (name: string) => /Requests?$/.test(name) || ['Redirect', 'Empty', 'FeatureQuery'].includes(name)

const folder = new URL('../fixtures/', import.meta.url)

/** The golden messages: `Shape.json`, or `Shape.Case.json` where a shape has cases. */
export const fixtures = readdirSync(folder).map(file => ({
  file,
  of: file.split('.')[0] ?? '',
  message: JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as unknown,
}))

export const shapeOf = (name: string): door.Shape => {
  const shape = shapes.get(name)
  if (!shape) throw new Error(`no shape of the name ${name}`)
  return shape
}

/** Decodes and encodes again: what the other side would see. */
export const thereAndBack = (shape: door.Shape, message: unknown): unknown => {
  const decoded = door.decode(shape, message)
  if (!decoded.ok) throw new Error(decoded.error)
  return JSON.parse(JSON.stringify(door.encode(shape, decoded.value)))
}
