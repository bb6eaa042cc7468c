import { decode, type Shape } from '@gatehouse/wire'
import { parseJson, type ReadBody } from './answer.ts'

/** One value of a shape. */
export const one =
  <T>(shape: Shape<T>): ReadBody<T> =>
  async body => {
    const json = await parseJson(body)
    return json.ok ? decode(shape, json.value) : json
  }

/** A value of a shape; `undefined` for an empty body or `null`. */
export const optional =
  <T>(shape: Shape<T>): ReadBody<T | undefined> =>
  async body => {
    if (body.size === 0) return { ok: true, value: undefined }
    const json = await parseJson(body)
    if (!json.ok) return json
    return json.value === null ? { ok: true, value: undefined } : decode(shape, json.value)
  }

/** A list of values of a shape. One invalid value fails the list; the error says at which index. */
export const array =
  <T>(shape: Shape<T>): ReadBody<T[]> =>
  async body => {
    const json = await parseJson(body)
    if (!json.ok) return json
    if (!Array.isArray(json.value)) return { ok: false, error: `decode${shape.name}: expected a list` }
    const values: T[] = []
    for (const [index, item] of json.value.entries()) {
      const decoded = decode(shape, item)
      if (!decoded.ok) return { ok: false, error: decoded.error.replace(/^(decode\w+: )/, `$1/${index}: `) }
      values.push(decoded.value)
    }
    return { ok: true, value: values }
  }
