import * as v from 'valibot'

/** A decoded value, or a message that says what was wrong. Decoding never throws. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: string }

/**
 * A named schema. The name prefixes every decode failure: `shape('User', …)` fails with `decodeUser: …` (§8).
 * `encode` exists only where the wire's field names differ from the code's (User).
 */
export type Shape<T = unknown> = { name: string; schema: v.GenericSchema<unknown, T>; encode?(value: T): unknown }

/** The type that a shape decodes to. */
export type Infer<S> = S extends Shape<infer T> ? T : never

/**
 * Names a schema, so that its failures carry a prefix. `encode` restores the wire's field names. The type comes from the schema's own
 * description: in a project with another copy of Valibot's types, TypeScript infers `unknown` from the rest of the schema.
 */
/* @__NO_SIDE_EFFECTS__ */
export const shape = <S extends v.GenericSchema>(
  name: string,
  schema: S,
  encode?: (value: v.InferOutput<NoInfer<S>>) => unknown,
): Shape<v.InferOutput<S>> => ({ name, schema: schema as v.GenericSchema<unknown, v.InferOutput<S>>, ...(encode && { encode }) })

/**
 * Decodes an untrusted value. A failure starts with the shape's prefix and names the field (`/contents/factorUUID`). It never
 * quotes a value, which may be a password typed into the wrong field. Exceptions: the tag and the enumeration name that §8 quotes.
 */
export const decode = <T>({ name, schema }: Shape<T>, input: unknown): Result<T> => {
  try {
    const parsed = v.safeParse(schema, input, { abortEarly: true })
    if (parsed.success) return { ok: true, value: parsed.output }
    const [issue] = parsed.issues
    const where = issue.path?.map(item => `/${plainName(item.key)}`).join('') ?? ''
    return { ok: false, error: `decode${name}: ${where && `${where}: `}${sentence(issue)}` }
  } catch {
    // A getter or proxy threw. The thrown error may also quote a value.
    return { ok: false, error: `decode${name}: could not be read` }
  }
}

/** Encodes a value for the wire; reverses `decode`. */
export const encode = <T>(of: Shape<T>, value: T): unknown => (of.encode ? of.encode(value) : value)

/** The sender chooses the field names, so a message quotes only those that look like names. */
const plainName = (name: unknown) => (typeof name !== 'symbol' && /^[\w-]{1,64}$/.test(String(name)) ? String(name) : '?')

/** Maximum characters (code points) that a message quotes of a value. */
const mostQuoted = 64

/**
 * A tag or enumeration name for the messages of §8 that quote it: as sent, but cut after 64 characters. Control characters and lone
 * surrogates are escaped (`\u000a`), because log lines and UTF-8 cannot carry them. An object or list has no name to quote.
 */
export const quoted = (value: unknown) => {
  if (typeof value === 'symbol' || typeof value === 'function' || (typeof value === 'object' && value !== null)) return '?'
  // Iterate by code points, so the cut never splits a surrogate pair.
  const characters = [...String(value).slice(0, 2 * (mostQuoted + 1))]
  const start = characters.slice(0, mostQuoted).join('')
  const escaped = start.replace(/[\p{Cc}\p{Cs}]/gu, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return characters.length > mostQuoted ? `${escaped}…` : escaped
}

const sentence = (issue: v.BaseIssue<unknown>) => {
  // Valibot's own messages quote the value, and all start with this word; ours never do.
  if (!issue.message.startsWith('Invalid ')) return issue.message
  if (issue.expected === 'never') return issue.type === 'strict_object' ? 'is not a known field' : 'is one too many'
  if (issue.received === 'undefined') return 'is missing'
  return `expected ${issue.expected ?? 'another value'}`
}

/** A field that may be absent or null; Haskell-style senders write null for an absent value. */
/* @__NO_SIDE_EFFECTS__ */
export const maybe = <T>(schema: v.GenericSchema<unknown, T>) => v.nullish(schema)

/** The message for an unknown tag, in the specification's spelling (§7). */
export const unknownTag = 'Unknow tag'

/** A tagged union's message for an unknown tag; anything but an object gets 'expected Object'. */
/* @__NO_SIDE_EFFECTS__ */
export const otherTag = (say: string | ((tag: unknown) => string)) => (issue: v.BaseIssue<unknown>) => {
  if (!issue.path) return 'expected Object'
  return typeof say === 'string' ? say : say(issue.input)
}

/** A case without a payload: `contents` may be absent, null or an empty list. */
/* @__NO_SIDE_EFFECTS__ */
export const bare = <const Tag extends string>(tag: Tag) => v.object({ tag: v.literal(tag), contents: noContents })
export const noContents = v.nullish(v.strictTuple([]))

/** A case with a payload. */
/* @__NO_SIDE_EFFECTS__ */
export const carrying = <const Tag extends string, T>(tag: Tag, contents: v.GenericSchema<unknown, T>) =>
  v.object({ tag: v.literal(tag), contents })

/** An object but not a list, which Valibot accepts where no field is required. */
/* @__NO_SIDE_EFFECTS__ */
export const noList = <T>(schema: v.GenericSchema<unknown, T>) =>
  v.pipe(
    v.unknown(),
    v.check(input => !Array.isArray(input), 'expected Object'),
    schema,
  )

/** An instant as ISO 8601 in UTC, `2026-11-20T03:00:00Z`, with at most 12 fractional digits. */
export const utcTime = v.pipe(
  v.string(),
  v.check(
    text => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,12})?Z$/.test(text) && isOnTheCalendar(text),
    'expected a UTC time like 2026-11-20T03:00:00Z',
  ),
)

/** `Date.parse` alone reads February 30 as March 2. */
const isOnTheCalendar = (text: string) => {
  const time = Date.parse(text)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, 19))
}
