import { createHash, timingSafeEqual } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'

vi.mock('node:crypto', { spy: true })
const { hashSecret, matchesHash, randomSecret } = await import('./secrets.ts')

test('CR-01: compares secrets in constant time, as hashes of equal length', () => {
  const secret = randomSecret(256)
  expect(matchesHash(secret, hashSecret(secret))).toBe(true)
  expect(matchesHash(randomSecret(256), hashSecret(secret))).toBe(false)
  expect(matchesHash(secret, 'short')).toBe(false)
  const lengths = vi.mocked(timingSafeEqual).mock.calls.map(([a, b]) => [a.byteLength, b.byteLength])
  expect(lengths).toEqual([
    [43, 43],
    [43, 43],
  ])
})

test('SE-01, EM-01: generates secrets of 256 random bits, and hashes secrets with SHA-256', () => {
  // Alternating, so that some secrets of each length come right before and after new random bytes.
  const bits = Array.from({ length: 10_000 }, (_, i) => (i % 3 ? 128 : 256))
  const secrets = bits.map(randomSecret)
  expect(secrets.map(secret => Buffer.from(secret, 'base64url').length * 8)).toEqual(bits)
  // No two share a quarter of their bytes, and none is zeros.
  const quarters = secrets.flatMap(secret => secret.match(/.{10}/g) ?? [])
  expect(new Set(quarters).size).toBe(quarters.length)
  expect(quarters).not.toContain('AAAAAAAAAA')
  expect(hashSecret('a')).toBe(createHash('sha256').update('a').digest('base64url'))
})

const sources = join(import.meta.dirname, '..')
/** The files that may build SQL from text. All of that text is constant. */
const mayBeRaw = ['db/refuse.ts', 'db/statement-marks.ts', 'doctor/database.ts']

test('IN-02: builds no SQL statement from external input', () => {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
    file => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
  expect(files.length).toBeGreaterThan(40)
  const raw = files.filter(file => /\bsql\s*\.\s*raw\(|\braw\s*\(\s*`/.test(readFileSync(join(sources, file), 'utf8')))
  expect(raw.sort()).toEqual(mayBeRaw)
  // Literals in statements are constants.
  for (const file of files) {
    for (const [, literal = ''] of readFileSync(join(sources, file), 'utf8').matchAll(/sql\.lit\(([^)]*)\)/g))
      expect(literal, file).toMatch(/^('[\w-]+'|\w+( [+-] \w+)*|rule\.message|`begin raise exception '\$\{rule\.message\}'; end`)$/)
  }
})
