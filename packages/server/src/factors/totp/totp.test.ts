import { Secret } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { newTotpSecret, totpStep, totpUri } from './totp.ts'

/** RFC 6238 Appendix B, SHA-1: seconds, and the last six of the eight digits. */
const vectors: [number, number][] = [
  [59, 287082],
  [1111111109, 81804],
  [1111111111, 50471],
  [1234567890, 5924],
  [2000000000, 279037],
  [20000000000, 353130],
]
const secret = new Secret({ buffer: new TextEncoder().encode('12345678901234567890').buffer }).base32

describe.each(vectors)('TP-02: RFC 6238 Appendix B at %i s', (at, code) => {
  const step = Math.floor(at / 30)
  const within = (steps: number) => totpStep(code, secret, at * 1000 + steps * 30_000)

  test('accepts the codes of the current, previous and next step', () => {
    expect([within(-1), within(0), within(1)]).toEqual([step, step, step])
  })

  test('refuses codes two steps away', () => {
    expect([within(-2), within(2)]).toEqual([undefined, undefined])
  })
})

test('TP-02: steps are exact to the millisecond', () => {
  const first = 37_037_036 * 30_000
  expect(totpStep(81_804, secret, first - 30_000)).toBe(37_037_036)
  expect(totpStep(81_804, secret, first - 30_001)).toBeUndefined()
  expect(totpStep(81_804, secret, first + 60_000 - 1)).toBe(37_037_036)
  expect(totpStep(81_804, secret, first + 60_000)).toBeUndefined()
})

test('TP-04: compares a code including its leading zeros', () => {
  const at = 1234567890_000
  expect(totpStep(5924, secret, at)).toBe(41_152_263)
  expect(totpStep(592_400, secret, at)).toBeUndefined()
  for (const near of [5923, 5925, 924, 15_924]) expect(totpStep(near, secret, at)).toBeUndefined()
})

test('TP-01: generates ten thousand different secrets of 160 bits', () => {
  const secrets = Array.from({ length: 10_000 }, newTotpSecret)
  expect(new Set(secrets).size).toBe(10_000)
  for (const one of secrets) expect(one).toMatch(/^[A-Z2-7]{32}$/)
  // At each position, each letter occurs about 312 times, within six standard deviations.
  for (let place = 0; place < 32; place++) {
    const counts = Object.values(Object.groupBy(secrets, one => one[place] ?? '')).map(those => those?.length ?? 0)
    expect(counts).toHaveLength(32)
    expect(Math.min(...counts)).toBeGreaterThan(200)
    expect(Math.max(...counts)).toBeLessThan(425)
  }
})

test('the URI in the QR code names the product, the account and the TOTP parameters', () => {
  const uri = totpUri({ issuer: 'Acme & Söhne: 1', account: 'ada+ops@example.com', secret })
  const url = new URL(uri)
  expect(url.protocol + url.host).toBe('otpauth:totp')
  expect(decodeURIComponent(url.pathname)).toBe('/Acme & Söhne: 1:ada+ops@example.com')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    issuer: 'Acme & Söhne: 1',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})
