import { crc32 } from 'node:zlib'
import { randomSecret } from '../keys/secrets.ts'

/**
 * A pass as its holder knows it: a prefix that secret scanners recognize, a selector of 128 bits, a secret of 256 bits, and a checksum
 * (CRC-32). With the checksum, a mistyped pass costs no query.
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

/** What a client sends as a pass. `Unreadable`: the header contains a pass's prefix, but no well-formed pass. */
export type ShownPass = { is: 'Pass'; pass: PassSecret } | { is: 'Unreadable' }

/**
 * Reads the pass of an `Authorization` header: a bearer token (RFC 6750 §2.1), or the password of Basic authentication (RFC 7617) with any
 * user name. A pass anywhere else in the header is unreadable, so that none reaches an application. `undefined` for all other headers: they
 * belong to the application.
 */
export const readPass = (authorization = ''): ShownPass | undefined => {
  const [, scheme = '', value = ''] = /^(Bearer|Basic) +([^\s]+) *$/i.exec(authorization) ?? []
  const credentials = /^basic /i.test(authorization) ? Buffer.from(authorization.slice('basic '.length), 'base64').toString('utf8') : ''
  if (!authorization.includes(prefix) && !credentials.includes(prefix)) return undefined
  const token = scheme.toLowerCase() === 'basic' ? credentials.slice(credentials.indexOf(':') + 1) : value
  const [, selector, secret, sum] = form.exec(token) ?? []
  if (!selector || !secret || sum !== checksum(prefix + selector + secret)) return { is: 'Unreadable' }
  return { is: 'Pass', pass: { selector, secret } }
}
