import fc from 'fast-check'

export const any = fc.string({ unit: 'binary', maxLength: 40 })
const upTo = (maxLength: number) => fc.string({ unit: 'binary-ascii', maxLength }).map(text => text.replaceAll('\0', ' '))
export const word = fc.oneof(upTo(60), fc.string({ unit: 'grapheme', maxLength: 8 }))
export const uuid = fc.uuid()
export const time = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map(date => date.toISOString())
export const code = fc.integer({ min: 0, max: 999_999 })

/** An object of which some fields may be absent or null. */
export const record = (required: Record<string, fc.Arbitrary<unknown>>, optional: Record<string, fc.Arbitrary<unknown>> = {}) =>
  fc.record(
    { ...required, ...Object.fromEntries(Object.entries(optional).map(([key, value]) => [key, fc.option(value)])) },
    { requiredKeys: Object.keys(required) },
  )
export const bare = (...tags: string[]) =>
  fc.oneof(fc.record({ tag: fc.constantFrom(...tags) }), fc.record({ tag: fc.constantFrom(...tags), contents: fc.constantFrom([], null) }))
export const carrying = (tag: string, contents: fc.Arbitrary<unknown>) => fc.record({ tag: fc.constant(tag), contents })

export const flag = fc.boolean()
export const count = fc.maxSafeNat()
/** Where a browser is, as the account and administration pages show it. */
export const origin = record(
  { address: any, place: fc.constantFrom('Here', 'Server', 'Inside', 'Elsewhere', 'Unknown') },
  { browser: any, system: any },
)
const words = fc.array(word, { maxLength: 3 })
/** The scope of a pass. */
export const passScope = { to: words, methods: words, from: words }
/** The fields that every listed pass has. */
export const listedPass = { passId: any, name: any, ...passScope, created: time, expires: time }
