import * as v from 'valibot'

/** A decoded value, or a sentence that says what was wrong with it. Decoding never throws. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: string }

/**
 * A named schema. The name is the prefix of every decode failure: `shape('User', …)` fails with `decodeUser: …` (§8).
 */
export type Shape<T = unknown> = { name: string; schema: v.GenericSchema<unknown, T> }

/** What a shape decodes to. */
export type Infer<S> = S extends Shape<infer T> ? T : never

export const shape = <T>(name: string, schema: v.GenericSchema<unknown, T>): Shape<T> => ({ name, schema })

/**
 * Decodes an untrusted value. A failure starts with the shape's prefix, says where (`/contents/factorUUID`) and never
 * quotes a value: it may be a password typed into the wrong field.
 */
export const decode = <T>({ name, schema }: Shape<T>, input: unknown): Result<T> => {
  const parsed = v.safeParse(schema, input, { abortEarly: true })
  if (parsed.success) return { ok: true, value: parsed.output }
  const [issue] = parsed.issues
  const where = issue.path?.map(item => `/${pathKey(item.key)}`).join('') ?? ''
  return { ok: false, error: `decode${name}: ${where && `${where}: `}${sentence(issue)}` }
}

/** Object keys come from the sender too, so only one that could be a field name is repeated. */
const pathKey = (key: unknown) => (/^[\w-]{1,64}$/.test(String(key)) ? String(key) : '?')

const sentence = (issue: v.BaseIssue<unknown>) => {
  // Checks and tagged unions carry a sentence of our own; Valibot's own sentences would quote the value.
  if (issue.kind === 'validation' || issue.type === 'variant') return issue.message
  if (issue.type === 'strict_object' && issue.expected === 'never') return 'is not a known field'
  if (issue.received === 'undefined') return 'is missing'
  return `expected ${issue.expected ?? 'another value'}`
}

/** A field that may be absent or null; Haskell-style senders write null for nothing. */
export const maybe = <T>(schema: v.GenericSchema<unknown, T>) => v.nullish(schema)

/** The message for a tag nobody knows. The spelling is the specification's (§7). */
export const unknownTag = 'Unknow tag'

/** A case without payload: its `contents` may be left out or be an empty list. */
export const bare = <const Tag extends string>(tag: Tag) => v.object({ tag: v.literal(tag), contents: v.optional(v.tuple([])) })

/** A case with a payload. */
export const carrying = <const Tag extends string, T>(tag: Tag, contents: v.GenericSchema<unknown, T>) =>
  v.object({ tag: v.literal(tag), contents })

/** An instant as ISO 8601 in UTC, `2026-11-20T03:00:00Z`, with up to picoseconds. */
export const utcTime = v.pipe(
  v.string(),
  v.check(
    text => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,12})?Z$/.test(text) && !Number.isNaN(Date.parse(text)),
    'expected a UTC time like 2026-11-20T03:00:00Z',
  ),
)
