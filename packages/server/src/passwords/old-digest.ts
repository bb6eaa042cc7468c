// Runs on the threads of hash-threads.ts. Other modules load it only when a database has passwords of another program.
import { createHash, createHmac, hash as hashOnce, pbkdf2Sync, scryptSync } from 'node:crypto'
import { type Algorithm, hashRawSync } from '@node-rs/argon2'
import { hashSync as bcryptSync } from 'bcryptjs'
import { encrypt as shaCrypt } from 'unixcrypt'
import { type OldWork, withoutSpareBits } from './old-hash.ts'

/** The library declares its algorithms as a const enum, which type stripping can't read. */
const algorithms: Record<string, Algorithm> = { argon2d: 0, argon2i: 1, argon2id: 2 }

const bcrypt = (password: string, cost: number, salt: string): string =>
  // Passwords longer than 72 bytes are cut, as every program that wrote such hashes did.
  withoutSpareBits(bcryptSync(password, `$2b$${String(cost).padStart(2, '0')}$${withoutSpareBits(salt, 4)}`).slice(29), 2)

const cryptText = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Apache's variant of MD5-crypt by Poul-Henning Kamp. */
const apr1 = (password: string, salt: string): string => {
  const key = Buffer.from(password)
  const md5 = (...parts: (Buffer | string)[]) => {
    const digest = createHash('md5')
    for (const part of parts) digest.update(part)
    return digest.digest()
  }
  const inner = md5(key, salt, key)
  const start: (Buffer | string)[] = [key, '$apr1$', salt]
  for (let left = key.length; left > 0; left -= 16) start.push(inner.subarray(0, Math.min(16, left)))
  for (let bits = key.length; bits > 0; bits >>= 1) start.push(bits & 1 ? Buffer.alloc(1) : key.subarray(0, 1))
  let digest = md5(...start)
  for (let round = 0; round < 1000; round++) {
    const parts: (Buffer | string)[] = [round & 1 ? key : digest]
    if (round % 3) parts.push(salt)
    if (round % 7) parts.push(key)
    digest = md5(...parts, round & 1 ? digest : key)
  }
  const groups = [
    [0, 6, 12],
    [1, 7, 13],
    [2, 8, 14],
    [3, 9, 15],
    [4, 10, 5],
  ] as const
  const at = (i: number) => digest[i] ?? 0
  const text = (value: number, length: number) => Array.from({ length }, (_, i) => cryptText[(value >> (6 * i)) & 63]).join('')
  return groups.map(([a, b, c]) => text((at(a) << 16) | (at(b) << 8) | at(c), 4)).join('') + text(at(11), 2)
}

/**
 * Computes the digest of a password as another program did. It takes equally long for every salt of a kind.
 * @throws Error for a kind that only newer versions know
 */
export const oldDigest = (password: string, kind: string, salt: string): string => {
  const [name = '', ...texts] = kind.split(' ')
  const [a = 0, b = 0, c = 0, , e = 0] = texts.map(Number)
  const bytes = () => Buffer.from(salt, 'base64')
  switch (name) {
    case 'argon2d':
    case 'argon2i':
    case 'argon2id': {
      const algorithm = algorithms[name] ?? 2
      const options = { algorithm, memoryCost: a, timeCost: b, parallelism: c, outputLen: e, salt: bytes() }
      return hashRawSync(password, options).toString('base64')
    }
    case 'bcrypt':
      return bcrypt(password, a, salt)
    case 'bcrypt-sha256':
      return bcrypt(createHmac('sha256', salt).update(password).digest('base64'), a, salt)
    case 'sha256-crypt':
      return shaCrypt(password, `$5$rounds=${a}$${salt}`).split('$').at(-1) ?? ''
    case 'sha512-crypt':
      return shaCrypt(password, `$6$rounds=${a}$${salt}`).split('$').at(-1) ?? ''
    case 'scrypt':
      return scryptSync(password, bytes(), e, { N: 2 ** a, r: b, p: c, maxmem: (2 ** a + c) * b * 128 + 2 ** 24 }).toString('base64')
    case 'apr1':
      return apr1(password, salt)
    case 'sha1':
      return hashOnce('sha1', password, 'base64')
    default:
      if (!name.startsWith('pbkdf2-')) throw new Error(`passwords of the kind ${name} are of a newer version`)
      return pbkdf2Sync(password, bytes(), a, c, name.slice('pbkdf2-'.length)).toString('base64')
  }
}

/** The text that Argon2id hashes: the password, or its digest, computed as another program did. */
export const hashedText = (password: string, { digests, own }: OldWork): string => {
  // Compute every digest, so that the time does not reveal which one belongs to the account.
  const computed = digests.map(([kind, salt]) => oldDigest(password, kind, salt))
  return own === undefined ? password : (computed[own] ?? '')
}
