import { fixtures } from './exported-shapes.ts'
import { pathsOf } from './mutation.ts'

type Row = readonly [name: string, value: unknown]

const nested = (depth: number, wrap: (inner: unknown) => unknown) => {
  let value: unknown = 'bottom'
  for (let i = 0; i < depth; i++) value = wrap(value)
  return value
}

const refuses = () => {
  throw new Error('must not be read')
}

/** A proxy that throws on every access. */
const untouchable = new Proxy([], {
  get: refuses,
  has: refuses,
  ownKeys: refuses,
  getPrototypeOf: refuses,
  getOwnPropertyDescriptor: refuses,
})
const { proxy: revoked, revoke } = Proxy.revocable([], {})
revoke()

const fields = [
  ...new Set(fixtures.flatMap(({ message }) => pathsOf(message).flatMap(path => path.filter(key => typeof key === 'string')))),
]
const booby = Object.defineProperties({}, Object.fromEntries(fields.map(field => [field, { enumerable: true, get: refuses }])))

/** Values that no decoder accepts, neither as a whole message nor inside one. */
export const hostile: readonly Row[] = [
  ['NaN', Number.NaN],
  ['infinity', Number.POSITIVE_INFINITY],
  ['minus infinity', Number.NEGATIVE_INFINITY],
  ['a fraction', 1.5],
  ['a negative number', -1],
  ['the first unsafe integer', 2 ** 53],
  ['a huge number', 1e308],
  ['a bigint', 10n ** 30n],
  ['a symbol', Symbol('hostile')],
  ['a function', () => 'hostile'],
  ['a list in a list', [[]]],
  ['a list of null', [null]],
  ['a list of empty objects', [{}]],
  ['a list with a hole', new Array(1)],
  ['a long list', new Array(100_000).fill('hostile')],
  ['a deep list', nested(20_000, inner => [inner])],
  ['a list that cannot be read', untouchable],
  ['a revoked proxy', revoked],
]

/** Values that no decoder accepts, except one that reads no field (`Nothing`). */
export const hostileObjects: readonly Row[] = [
  ['a deep object', nested(20_000, inner => ({ contents: inner }))],
  ['a deep tagged object', nested(20_000, inner => ({ tag: 'AuthFailureFactorError', contents: inner }))],
  ['an own __proto__', JSON.parse('{"__proto__":{"tag":"AuthRequires2FA","features":{},"error":"x","polluted":true}}')],
  ['an own constructor', JSON.parse('{"constructor":{"prototype":{"polluted":true}}}')],
  ['an object without a prototype', Object.assign(Object.create(null), { hostile: 1 })],
  ['fields that cannot be read', booby],
  ['a string object', new String('Push')],
  ['bytes', new Uint8Array(3)],
  ['a list as tag', { tag: ['AuthRequires2FA'] }],
  ['an object as tag', { tag: { toString: refuses } }],
  ['a tag from Object.prototype', { tag: 'toString' }],
  ['__proto__ as tag', { tag: '__proto__' }],
  ['a tag in capitals', { tag: 'AUTHREQUIRES2FA' }],
  ['a tag with a space', { tag: 'AuthRequires2FA ' }],
  ['a missing payload', { tag: 'AuthSuccessful' }],
  ['an empty payload', { tag: 'AuthSuccessful', contents: [] }],
  ['a payload too many', { tag: 'AuthRequires2FA', contents: ['hostile'] }],
]

/** Texts that no request may contain. */
export const hostileTexts: readonly Row[] = [
  ['a megabyte', 'x'.repeat(1_000_000)],
  ['a high surrogate alone', 'a\ud83d'],
  ['a low surrogate alone', '\ude00a'],
  ['surrogates the wrong way round', '\ude00\ud83d'],
  ['U+0000', 'a\0'],
]
