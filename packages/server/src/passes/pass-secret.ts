import { crc32 } from 'node:zlib'
import { randomSecret } from '../keys/secrets.ts'

/**
 * A pass as its holder knows it: a prefix that secret scanners recognize, a selector of 128 bits, a secret of 256 bits, and a checksum
 * (CRC-32), so that mistyped and invented ones cost no query.
 */
export type PassSecret = { selector: string; secret: string }

const prefix = 'gh_pass_'
const form = /^gh_pass_([\w-]{22})([\w-]{43})([0-9a-f]{8})$/

const checksum = (body: string) => crc32(body).toString(16).padStart(8, '0')

export const createPassSecret = (): PassSecret & { text: string } => {
  const [selector, secret] = [randomSecret(128), randomSecret(256)]
  const body = prefix + selector + secret
  return { selector, secret, text: body + checksum(body) }
}

/** What a client shows as a pass. `Unreadable`: it begins like one, but cannot be one. */
export type ShownPass = { is: 'Pass'; pass: PassSecret } | { is: 'Unreadable' }

/**
 * Reads the pass of an `Authorization` header: a bearer token (RFC 6750 §2.1), or the password of Basic authentication (RFC 7617) with any
 * user name. `undefined` for everything that does not begin like a pass: it belongs to the application.
 */
export const readPass = (authorization: string | undefined): ShownPass | undefined => {
  const [, scheme = '', value = ''] = /^(Bearer|Basic) +([^\s]+) *$/i.exec(authorization ?? '') ?? []
  const token = scheme.toLowerCase() === 'basic' ? passwordOf(value) : value
  if (!token.startsWith(prefix)) return undefined
  const [, selector, secret, sum] = form.exec(token) ?? []
  if (!selector || !secret || sum !== checksum(prefix + selector + secret)) return { is: 'Unreadable' }
  return { is: 'Pass', pass: { selector, secret } }
}

const passwordOf = (credentials: string): string => {
  const text = Buffer.from(credentials, 'base64').toString('utf8')
  return text.slice(text.indexOf(':') + 1)
}
