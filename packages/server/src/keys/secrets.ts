import { createHmac, createSecretKey, hash, hkdfSync, randomFillSync, timingSafeEqual } from 'node:crypto'

/** Random bytes for the next secrets: one call for many costs less than one for each. Used bytes are overwritten with zeros. */
const random = Buffer.alloc(4096)
let used = random.length

/** Returns a random secret as base64url. */
export const randomSecret = (bits: 128 | 256): string => {
  const length = bits / 8
  if (used + length > random.length) {
    randomFillSync(random)
    used = 0
  }
  const secret = random.toString('base64url', used, used + length)
  random.fill(0, used, used + length)
  used += length
  return secret
}

/** Returns whether a text has the form of `randomSecret(128)`. Callers skip the lookup if not. */
export const isSelector = (text: string | undefined): text is string => text !== undefined && /^[\w-]{22}$/.test(text)

/** Returns the hash that is stored in place of a secret. Secrets are random, so a plain SHA-256 is enough. */
export const hashSecret = (secret: string) => hash('sha256', secret, 'base64url')

/** Compares a secret with a stored hash in constant time. */
export const matchesHash = (secret: string, hash: string) => {
  const [a, b] = [Buffer.from(hashSecret(secret)), Buffer.from(hash)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Derives the check cookie that protected hosts get for a session. The derivation is one-way: the server can set the cookie again from
 * the session's secret, but the cookie does not reveal the session.
 */
export const checkCookieOf = (sessionCookie: string): { selector: string; secret: string; cookie: string } => {
  const [, validator = ''] = sessionCookie.split('.')
  const derive = (purpose: string) => createHmac('sha256', validator).update(purpose).digest()
  const selector = derive('gatehouse check selector v1').subarray(0, 16).toString('base64url')
  const secret = derive('gatehouse check secret v1').toString('base64url')
  return { selector, secret, cookie: `${selector}.${secret}` }
}

/**
 * Derives a key for each purpose from the master key (HKDF-SHA-256, RFC 5869).
 * @param masterKey at least 256 random bits
 */
export const createKeys = (masterKey: Buffer | undefined) => {
  if (!masterKey) throw new Error('there is no master key')
  const derive = (purpose: string) => createSecretKey(new Uint8Array(hkdfSync('sha256', masterKey, '', purpose, 32)))
  const names = derive('gatehouse names v1')
  const networks = derive('gatehouse networks v1')
  const codes = derive('gatehouse mail codes v1')
  return {
    /** Returns the keyed hash of a mailed code: 40 bits are too few for a hash without a key. `selector` is that of the mail's link. */
    blindCode: (code: string, selector: string) => createHmac('sha256', codes).update(`${selector} ${code}`).digest('base64url'),
    /** Returns a pseudonym for an unknown username. Users type passwords into the wrong field, so such names are never stored or logged. */
    blindName: (username: string) => `unknown:${createHmac('sha256', names).update(username).digest('base64url')}`,
    /** Returns a pseudonym for a network that requested mail to one username, so that requests for two usernames cannot be linked. */
    blindNetwork: (network: string, username: string) =>
      createHmac('sha256', networks).update(`${network} ${username}`).digest('base64url'),
  }
}
export type Keys = ReturnType<typeof createKeys>
