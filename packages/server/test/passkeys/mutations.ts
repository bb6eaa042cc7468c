import type { Hasher } from '../../src/passwords/hash-threads.ts'

/** A hash that takes no time: these tests are not about passwords. */
export const freeHasher: Hasher = {
  cost: { memoryCost: 64, timeCost: 1, parallelism: 1 },
  threads: 1,
  atOnce: 1,
  hash: async password => password,
  verify: async (password, stored) => password === stored,
  close: async () => {},
}

/** Changes one byte, cuts the end off, or adds to it. */
export const spoil = (text: string, how: 'flip' | 'cut' | 'add', at: number, by: number): string => {
  const bytes = Buffer.from(text, 'base64url')
  if (how === 'cut') return bytes.subarray(0, at % Math.max(1, bytes.length)).toString('base64url')
  if (how === 'add') return Buffer.concat([bytes, Buffer.alloc(1 + (at % 40), by)]).toString('base64url')
  const place = at % bytes.length
  bytes[place] = (bytes[place] ?? 0) ^ (1 + (by % 255))
  return bytes.toString('base64url')
}
