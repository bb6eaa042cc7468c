import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decode } from '../src/index.ts'
import { fixtures, shapeOf, shapes } from './exported-shapes.ts'
import { pathsOf, replaced } from './mutation.ts'

// The secret looks like a field name, so only the decoder's own rule keeps it out of a message.
const secret = 'Hunter2-Hunter2'

const keys = [...new Set(fixtures.flatMap(({ message }) => pathsOf(message).flatMap(path => path.map(String))))]
const { tree } = fc.letrec(tie => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(secret, `${secret}@example.com`, { tag: secret }, { tag: secret, contents: secret }, [secret]),
    fc.constantFrom<unknown>(null, 7, 1.5, true, [], {}),
    fc.array(tie('tree'), { maxLength: 6 }),
    fc.dictionary(fc.constantFrom(...keys), tie('tree'), { maxKeys: 4 }),
  ),
}))

/** Two messages of §8 quote a name from a one-time-link request: the provider and the tag. No other message quotes anything. */
const beyondWhatIsQuoted = (name: string, error: string) =>
  /^(SSOProvider|Redirect|MagicLinkRequests?)$/.test(name)
    ? error.replace(/(?:unknown enumeration|Unknown tag value found) '.{0,64}…?'\.$/su, '')
    : error

describe('a decode failure', () => {
  it.each(fixtures)('reveals no value of $file', ({ of, message }) => {
    const paths = pathsOf(message)
    const places = fc.tuple(fc.constantFrom(...paths), tree)
    fc.assert(
      fc.property(fc.array(places, { minLength: 1, maxLength: 3 }), changes => {
        const spoilt = changes.reduce<unknown>((body, [path, by]) => replaced(body, path, by), message)
        const decoded = decode(shapeOf(of), spoilt)
        if (decoded.ok) return
        expect(decoded.error).toMatch(new RegExp(`^decode${shapeOf(of).name}: .`))
        expect(beyondWhatIsQuoted(of, decoded.error)).not.toContain(secret)
      }),
      { numRuns: 60 },
    )
  })

  it('reveals nothing a getter threw', () => {
    const refuses = () => {
      throw new Error(secret)
    }
    const booby = new Proxy({}, { get: refuses, has: refuses, ownKeys: refuses })
    const failures = [...shapes].filter(([name]) => name !== 'Nothing').map(([name, shape]) => [name, decode(shape, booby)])
    expect(failures.length).toBeGreaterThan(40)
    for (const [, failure] of failures) expect(failure).toEqual({ ok: false, error: expect.not.stringContaining(secret) })
  })
})

describe('decoding', () => {
  // Built once, because building it takes longer than one test that uses it.
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
    withUnicodeString: true,
  })
  it.each([...shapes])('%s never throws on any input', (_, shape) => {
    fc.assert(fc.property(fc.oneof(anything, tree), value => typeof decode(shape, value).ok === 'boolean'))
  })
})
