import { limits } from '../limits.ts'

/**
 * A password hash of another program, in parts. `kind` is the algorithm with everything that decides how long a digest takes, so two
 * digests of one kind take the same time. `salt` and `digest` are text of that algorithm.
 */
export type OldHash = { kind: string; salt: string; digest: string }

/**
 * Digests to compute before Argon2id, for every account: one of each kind that the database has. `own` is the index of the digest that the
 * account's stored hash was computed from; undefined if it was computed from the password.
 */
export type OldWork = { digests: readonly (readonly [kind: string, salt: string])[]; own: number | undefined }

const { old } = limits.password

/** Why a hash can't be imported, as the end of a sentence that begins with 'The password hash'. It never repeats the hash. */
type Problem = { problem: string }

const unknown: Problem = { problem: 'has no known format' }
const tooSlow: Problem = { problem: 'is too slow to compute at each sign-in' }

/** Decodes unpadded or padded Base64. Undefined if the text is anything else. */
const bytesOf = (text: string, alphabet: 'standard' | 'adapted' = 'standard'): Buffer | undefined => {
  const standard = alphabet === 'adapted' ? text.replaceAll('.', '+') : text
  return /^[A-Za-z0-9+/]+={0,2}$/.test(standard) ? Buffer.from(standard, 'base64') : undefined
}

const argon2 = (text: string): OldHash | Problem => {
  const [, name = '', parameters = '', saltText = '', digestText = ''] =
    /^\$(argon2id|argon2i|argon2d)\$v=19\$([mtp=\d,]+)\$([^$]+)\$([^$]+)$/.exec(text) ?? []
  const {
    m = 0,
    t = 0,
    p = 0,
  } = Object.fromEntries(
    [...parameters.matchAll(/(?:^|,)([mtp])=(\d{1,9})(?=,|$)/g)].map(([, key = '', value]) => [key, Number(value)]),
  ) as Partial<Record<'m' | 't' | 'p', number>>
  const [salt, digest] = [bytesOf(saltText), bytesOf(digestText)]
  if (!name || !salt || !digest || t < 1 || p < 1 || m < 8 * p || salt.length < 8 || digest.length < 16) return unknown
  if (m > old.argon2MemoryMost || m * t > old.argon2WorkMost || p > old.lanesMost) return tooSlow
  const kind = `${name} ${m} ${t} ${p} ${salt.length} ${digest.length}`
  return { kind, salt: salt.toString('base64'), digest: digest.toString('base64') }
}

const bcryptText = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/**
 * Clears unused bits of the last character, which some programs set: 22 characters hold 132 bits, and a salt has 128; 31 characters hold
 * 186 bits, and a digest has 184.
 */
export const withoutSpareBits = (text: string, spare: number): string => {
  const last = bcryptText.indexOf(text.at(-1) ?? '')
  return `${text.slice(0, -1)}${bcryptText[(last >> spare) << spare]}`
}

const bcryptCost = (text: string): number => (/^\d\d?$/.test(text) && Number(text) >= 4 && Number(text) <= 31 ? Number(text) : 0)

const bcrypt = (text: string): OldHash | Problem => {
  const [, costText = '', salt = '', digest = ''] = /^\$2[aby]\$(\d\d)\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})$/.exec(text) ?? []
  const cost = bcryptCost(costText)
  if (!cost) return unknown
  if (cost > old.bcryptCostMost) return tooSlow
  return { kind: `bcrypt ${cost}`, salt: withoutSpareBits(salt, 4), digest: withoutSpareBits(digest, 2) }
}

/** Passlib's `bcrypt_sha256`, version 2, which Authelia also writes. */
const bcryptSha256 = (text: string): OldHash | Problem => {
  const [, costText = '', salt = '', digest = ''] =
    /^\$bcrypt-sha256\$v=2,t=2b,r=(\d\d?)\$([./A-Za-z0-9]{22})\$([./A-Za-z0-9]{31})$/.exec(text) ?? []
  const cost = bcryptCost(costText)
  if (!cost) return unknown
  if (cost > old.bcryptCostMost) return tooSlow
  return { kind: `bcrypt-sha256 ${cost}`, salt, digest: withoutSpareBits(digest, 2) }
}

/** SHA-crypt by Ulrich Drepper: 5000 rounds if none are named. */
const shaCrypt = (text: string): OldHash | Problem => {
  const [, id = '', roundsText = '5000', salt = '', digest = ''] =
    /^\$([56])\$(?:rounds=(\d{1,9})\$)?([./A-Za-z0-9]{1,16})\$([./A-Za-z0-9]{43}|[./A-Za-z0-9]{86})$/.exec(text) ?? []
  const rounds = Number(roundsText)
  if (!id || digest.length !== (id === '5' ? 43 : 86) || rounds < 1000) return unknown
  if (rounds > old.shaCryptRoundsMost) return tooSlow
  return { kind: `sha${id === '5' ? 256 : 512}-crypt ${rounds} ${salt.length}`, salt, digest }
}

const pbkdf2 = (text: string): OldHash | Problem => {
  const [, hash = 'sha1', roundsText = '', saltText = '', digestText = ''] =
    /^\$pbkdf2(?:-(sha1|sha224|sha256|sha384|sha512))?\$(\d{1,9})\$([^$]+)\$([^$]+)$/.exec(text) ?? []
  const [rounds, salt, digest] = [Number(roundsText), bytesOf(saltText, 'adapted'), bytesOf(digestText, 'adapted')]
  if (!rounds || !salt || !digest || digest.length < 16) return unknown
  if (rounds > old.pbkdf2RoundsMost || digest.length > 64) return tooSlow
  const kind = `pbkdf2-${hash} ${rounds} ${salt.length} ${digest.length}`
  return { kind, salt: salt.toString('base64'), digest: digest.toString('base64') }
}

const scrypt = (text: string): OldHash | Problem => {
  const [, ln = '', r = '', p = '', saltText = '', digestText = ''] =
    /^\$scrypt\$ln=(\d\d?),r=(\d{1,3}),p=(\d{1,3})\$([^$]+)\$([^$]+)$/.exec(text) ?? []
  const [salt, digest] = [bytesOf(saltText), bytesOf(digestText)]
  if (!salt || !digest || digest.length < 16 || Number(ln) < 1 || Number(r) < 1 || Number(p) < 1) return unknown
  // RFC 7914 §2. Attack: an imported hash that no server can compute makes every sign-in end with an error.
  if (Number(ln) >= 16 * Number(r)) return unknown
  const memory = 2 ** Number(ln) * Number(r) * 128
  if (memory > old.scryptMemoryMost || memory * Number(p) > 4 * old.scryptMemoryMost || digest.length > 64) return tooSlow
  const kind = `scrypt ${Number(ln)} ${Number(r)} ${Number(p)} ${salt.length} ${digest.length}`
  return { kind, salt: salt.toString('base64'), digest: digest.toString('base64') }
}

/** Apache's variant of MD5-crypt: always 1000 rounds. */
const apr1 = (text: string): OldHash | Problem => {
  const [, salt = '', digest = ''] = /^\$apr1\$([^$:\s]{1,8})\$([./A-Za-z0-9]{22})$/.exec(text) ?? []
  return digest ? { kind: `apr1 ${Buffer.byteLength(salt)}`, salt, digest } : unknown
}

const sha1 = (text: string): OldHash | Problem => {
  const digest = bytesOf(text.slice('{SHA}'.length))
  return digest?.length === 20 ? { kind: 'sha1', salt: '', digest: digest.toString('base64') } : unknown
}

const readers: readonly (readonly [RegExp, (text: string) => OldHash | Problem])[] = [
  [/^\$argon2/, argon2],
  [/^\$2[aby]\$/, bcrypt],
  [/^\$bcrypt-sha256\$/, bcryptSha256],
  [/^\$[56]\$/, shaCrypt],
  [/^\$pbkdf2/, pbkdf2],
  [/^\$scrypt\$/, scrypt],
  [/^\$apr1\$/, apr1],
  [/^\{SHA\}/, sha1],
]

/** Formats that look like hashes and can't be imported. */
const unsupported: readonly (readonly [RegExp, string])[] = [
  [/^\$y\$/, 'yescrypt'],
  [/^\$1\$/, 'MD5-crypt'],
  [/^\$2x?\$/, 'a faulty version of bcrypt'],
  [/^\$[37]\$|^\$md5|^\$sha1\$|^\$gy\$|^\$plaintext\$|^\$base64\$/, 'a format that is not supported'],
  [/^\{(?:SSHA|SSHA256|SSHA512|SMD5|MD5|SHA256|SHA512|PLAIN)\}/i, 'a format of LDAP that is not supported'],
]

/** Returns a hash without the prefixes that LDAP servers and older versions of Authelia write. */
const withoutPrefix = (text: string): string =>
  text
    .replace(/^\{(?:CRYPT|ARGON2)\}(?=\$)/i, '')
    .replace(/^\{(PBKDF2(?:-SHA\d+)?)\}(?=\d)/i, (_, name: string) => `$${name.toLowerCase()}$`)

/** Splits a hash of another program. */
export const readOldHash = (text: string): OldHash | Problem => {
  const plain = withoutPrefix(text)
  const [, read] = readers.find(([start]) => start.test(plain)) ?? []
  if (read) return read(plain)
  const [, name] = unsupported.find(([start]) => start.test(plain)) ?? []
  return name ? { problem: `is ${name}` } : unknown
}

/** Whether a text is a hash or the beginning of one. A user or an import may have put it where a password belongs. */
export const looksLikeHash = (text: string): boolean => {
  const plain = withoutPrefix(text.trim())
  return (
    readers.some(([start]) => start.test(plain) && /[$}].*[./A-Za-z0-9+=]{20}/.test(plain)) ||
    unsupported.some(([start]) => start.test(plain) && plain.length >= 24)
  )
}

/** A salt with which a digest of this kind takes as long as with any other. */
export const decoySalt = (kind: string): string => {
  const [name = '', ...numbers] = kind.split(' ')
  const text = (length: string | undefined) => '.'.repeat(Number(length))
  const bytes = (length: string | undefined) => Buffer.alloc(Number(length)).toString('base64')
  if (name.startsWith('bcrypt')) return text('22')
  if (name.startsWith('argon2')) return bytes(numbers[3])
  if (name.startsWith('pbkdf2')) return bytes(numbers[1])
  if (name === 'scrypt') return bytes(numbers[3])
  if (name === 'sha1') return ''
  return text(numbers.at(-1))
}
