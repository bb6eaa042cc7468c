import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { millisOf } from './old-cost.ts'

test.each([
  // The first three costs are those in docs/moving-in.md.
  ['bcrypt 12', 299],
  ['sha512-crypt 50000 16', 100],
  ['argon2id 65536 3 4 16 32', 78.6],
  ['bcrypt 14', 1196],
  ['bcrypt-sha256 10', 74.8],
  ['sha256-crypt 5000 8', 10],
  ['scrypt 14 8 1 16 32', 50.3],
  // Twice as many blocks take twice as long.
  ['pbkdf2-sha256 1000000 16 32', 400],
  ['pbkdf2-sha256 1000000 16 33', 800],
  ['pbkdf2-sha512 1000000 16 64', 800],
  ['apr1 8', 3],
  ['sha1', 0],
])('estimates %s at %d ms', (kind, millis) => expect(millisOf(kind)).toBeCloseTo(millis, 0))

test('a single hash at the limits of its algorithm stays below the limit for all kinds together', () => {
  const { old } = limits.password
  const slowest = [
    `bcrypt ${old.bcryptCostMost}`,
    `sha512-crypt ${old.shaCryptRoundsMost} 16`,
    `argon2id ${old.argon2MemoryMost} ${old.argon2WorkMost / old.argon2MemoryMost} 1 16 32`,
    `pbkdf2-sha512 ${old.pbkdf2RoundsMost} 16 64`,
    `pbkdf2-sha1 ${old.pbkdf2RoundsMost} 16 64`,
    `scrypt 17 8 4 16 32`,
  ]
  for (const kind of slowest) expect([kind, millisOf(kind) < old.millisMost, millisOf(kind) > 300]).toEqual([kind, true, true])
})
