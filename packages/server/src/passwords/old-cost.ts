/** Microseconds of one round and block of PBKDF2. */
const pbkdf2Micros: Record<string, number> = { sha1: 0.25, sha224: 0.4, sha256: 0.4, sha384: 0.8, sha512: 0.8 }
/** Bytes of a block, which is what the hash function yields. */
const blockBytes: Record<string, number> = { sha1: 20, sha224: 28, sha256: 32, sha384: 48, sha512: 64 }

/**
 * Estimates how many milliseconds one core of 3 GHz needs for a digest of this kind. A slower machine or other load multiplies all times
 * alike, so the estimates show which kinds slow down a sign-in, but not by how much.
 */
export const millisOf = (kind: string): number => {
  const [name = '', ...numbers] = kind.split(' ')
  const [a = 0, b = 0, c = 0] = numbers.map(Number)
  if (name.startsWith('argon2')) return (a * b * 0.4) / 1000
  if (name.startsWith('bcrypt')) return (2 ** a * 73) / 1000
  if (name.endsWith('-crypt')) return (a * 2) / 1000
  if (name === 'scrypt') return (2 ** a * b * c * 128 * 3) / 1_000_000
  if (name === 'apr1') return 3
  const hash = name.slice('pbkdf2-'.length)
  // SHA-1 without rounds takes too little time to count.
  return name.startsWith('pbkdf2-') ? (a * Math.ceil(c / (blockBytes[hash] ?? 20)) * (pbkdf2Micros[hash] ?? 0.8)) / 1000 : 0
}
