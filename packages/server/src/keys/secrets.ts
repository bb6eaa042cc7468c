import { createHmac, createSecretKey, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** A fresh secret from the system's generator, as base64url. */
export const randomSecret = (bits: 128 | 256) => randomBytes(bits / 8).toString('base64url')

/** Whether a text has the form of `randomSecret(128)`; one that has not need not be looked for. */
export const isSelector = (text: string | undefined): text is string => text !== undefined && /^[\w-]{22}$/.test(text)

/** What is stored in place of a secret. Our secrets are random, so one plain SHA-256 is enough. */
export const hashSecret = (secret: string) => hash('sha256', secret, 'base64url')

/** Compares a secret with a stored hash in constant time. */
export const matchesHash = (secret: string, hash: string) => {
  const [a, b] = [Buffer.from(hashSecret(secret)), Buffer.from(hash)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * The value of the cookie that protected hosts get for a session: a selector and a secret of its own. Both are derived one-way from
 * the session's secret, so a session can be given the cookie again, and the cookie leads to no session.
 */
export const checkCookieOf = (sessionCookie: string): { selector: string; secret: string; cookie: string } => {
  const [, validator = ''] = sessionCookie.split('.')
  const derive = (purpose: string) => createHmac('sha256', validator).update(purpose).digest()
  const selector = derive('gatehouse check selector v1').subarray(0, 16).toString('base64url')
  const secret = derive('gatehouse check secret v1').toString('base64url')
  return { selector, secret, cookie: `${selector}.${secret}` }
}

/**
 * The keys that are made of the master key, one for each purpose (HKDF-SHA-256, RFC 5869).
 * @param masterKey at least 256 random bits
 */
export const createKeys = (masterKey: Buffer | undefined) => {
  if (!masterKey) throw new Error('there is no master key')
  const derive = (purpose: string) => createSecretKey(new Uint8Array(hkdfSync('sha256', masterKey, '', purpose, 32)))
  const names = derive('gatehouse names v1')
  const networks = derive('gatehouse networks v1')
  return {
    /**
     * Stands for a username that nobody has. People type passwords into the wrong field, so such a name is never kept
     * or logged as it is.
     */
    blindName: (username: string) => `unknown:${createHmac('sha256', names).update(username).digest('base64url')}`,
    /** Stands for a network that asked for mail to a name, for this name alone: requests for two names cannot be linked. */
    blindNetwork: (network: string, username: string) =>
      createHmac('sha256', networks).update(`${network} ${username}`).digest('base64url'),
  }
}
export type Keys = ReturnType<typeof createKeys>
