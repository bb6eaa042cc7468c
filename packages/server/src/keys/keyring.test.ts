import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { CannotOpen, createKeyring, keyId } from './keyring.ts'

const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const of = (...masters: Buffer[]) => createKeyring(() => masters)

test('TP-06: decrypts a value only for the same purpose and the same record', () => {
  const keyring = of(first)
  const sealed = keyring.seal('totp', 'JBSWY3DPEHPK3PXP', 'user/factor')
  expect(keyring.open('totp', sealed, 'user/factor')).toBe('JBSWY3DPEHPK3PXP')
  expect(() => keyring.open('totp', sealed, 'other/factor')).toThrow(CannotOpen)
  expect(() => keyring.open('totp', sealed, 'user/factor ')).toThrow(CannotOpen)
  expect(() => keyring.open('totp', sealed, '')).toThrow(CannotOpen)
  expect(() => keyring.open('mail', sealed, 'user/factor')).toThrow(CannotOpen)
})

test('TP-06: encrypts the same text differently each time, and reveals neither text nor key', () => {
  const keyring = of(first)
  const all = Array.from({ length: 1000 }, () => keyring.seal('totp', 'JBSWY3DPEHPK3PXP', 'a'))
  expect(new Set(all).size).toBe(1000)
  expect(
    new Set(
      all.map(sealed =>
        Buffer.from(sealed.split('.')[1] ?? '', 'base64url')
          .subarray(0, 12)
          .toString('hex'),
      ),
    ).size,
  ).toBe(1000)
  for (const sealed of all.slice(0, 10)) {
    expect(sealed).not.toContain('JBSWY3DP')
    expect(Buffer.from(sealed.split('.')[1] ?? '', 'base64url').toString('latin1')).not.toContain('JBSWY3DP')
  }
  expect(keyId(first)).not.toContain(first.toString('base64url').slice(0, 6))
})

test('decrypts any text unchanged: empty, long, or with emoji and control characters', () => {
  const keyring = of(randomBytes(32))
  for (const text of ['', 'a', '🔒 ünïcode\n\0', 'x'.repeat(100_000)])
    expect(keyring.open('mail', keyring.seal('mail', text, 'id'), 'id')).toBe(text)
})

test('TP-06: refuses a value with one changed bit or a missing end', () => {
  const keyring = of(first)
  const [id, text = ''] = keyring.seal('totp', 'secret', 'a').split('.')
  const bytes = Buffer.from(text, 'base64url')
  const opens = (changed: Buffer) => () => keyring.open('totp', `${id}.${changed.toString('base64url')}`, 'a')
  expect(opens(bytes)()).toBe('secret')
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(opens(changed)).toThrow(CannotOpen)
  }
  for (let length = 0; length < bytes.length; length++) expect(opens(bytes.subarray(0, length))).toThrow(CannotOpen)
})

test.each(['', '.', 'x', 'x.y', `${keyId(first)}`, `${keyId(first)}.`, `${keyId(first)}.AAAA`, '__proto__.AAAA', `${keyId(first)}.💥`])(
  'TP-06: refuses %j like any value that it cannot decrypt',
  sealed => {
    expect(() => of(first).open('totp', sealed, 'a')).toThrow(CannotOpen)
  },
)

test('CR-02: with a new key in front, decrypts old values and encrypts new ones with the new key', () => {
  const sealed = of(first).seal('totp', 'secret', 'a')
  const both = of(second, first)
  expect(both.open('totp', sealed, 'a')).toBe('secret')
  expect(both.seal('totp', 'secret', 'a').startsWith(`${keyId(second)}.`)).toBe(true)
  expect(both.prefix()).toBe(`${keyId(second)}.`)
  expect(sealed.startsWith(both.prefix())).toBe(false)
  expect(() => of(second).open('totp', sealed, 'a')).toThrow(CannotOpen)
})

test('CR-02: loads a key that was added while the server runs, when a value names that key', () => {
  const masters = [first]
  let reads = 0
  const keyring = createKeyring(() => {
    reads++
    return [...masters]
  })
  const own = keyring.seal('totp', 'secret', 'a')
  expect(keyring.open('totp', own, 'a')).toBe('secret')
  expect(reads).toBe(1)
  masters.unshift(second)
  expect(keyring.open('totp', of(second).seal('totp', 'new', 'a'), 'a')).toBe('new')
  expect(reads).toBe(2)
  // From then on, the keyring encrypts new values with the added key.
  expect(keyring.prefix()).toBe(`${keyId(second)}.`)
})

test('CR-02: reload loads added keys and drops removed ones', () => {
  let masters = [first]
  const keyring = createKeyring(() => masters)
  const old = keyring.seal('totp', 'secret', 'a')
  masters = [second]
  expect(keyring.prefix()).toBe(`${keyId(first)}.`)
  keyring.reload()
  expect(keyring.prefix()).toBe(`${keyId(second)}.`)
  expect(() => keyring.open('totp', old, 'a')).toThrow(CannotOpen)
})

test('CR-02: gives each master key its own id of 8 characters, and encrypts nothing without a master key', () => {
  expect(keyId(first)).not.toBe(keyId(second))
  expect(keyId(first)).toMatch(/^[\w-]{8}$/)
  expect(() => of().seal('totp', 'secret', 'a')).toThrow('there is no master key')
})
