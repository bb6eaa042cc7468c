import { expect, test } from 'vitest'
import { oldDigest } from './old-digest.ts'
import { decoySalt, looksLikeHash, readOldHash } from './old-hash.ts'

/** Hashes by go-crypt 0.14.15, which Authelia uses, and by libcrypt, OpenSSL and Python, of 'the old password of NAME é'. */
const hashes: [name: string, hash: string][] = [
  ['argon2d', '$argon2d$v=19$m=64,t=1,p=2$iK9P+QPkXzqcIvwVsDnl6g$RIcsd6WJFk99NoHnh8mNkhow7NvMDcyL1dmijWOppjQ'],
  ['argon2i', '$argon2i$v=19$m=64,t=1,p=2$E6/AgsZlyebndaz9OxykbQ$WNTgsL0C/xNo3Ixx4Tms7Ztqmw/9XUC0JGeMuvtWblg'],
  ['argon2id', '$argon2id$v=19$m=64,t=1,p=2$xJW9VqEy8U+jG1l+WQv70g$9ZEHe0EJkohmSDZUXshHoRPPpevZvKk6if+leLBf4Ls'],
  ['bcrypt', '$2b$04$abcdefghijklmnopqrstuuzWVy59b0Agqt2fc24DeEJ9QLRuENNqS'],
  ['bcrypt-sha256', '$bcrypt-sha256$v=2,t=2b,r=4$abcdefghijklmnopqrstuu$isvT4ngv2qUXcP0nlcVg31HUDVC5Af6'],
  ['pbkdf2-sha1', '$pbkdf2$1000$y97Z9xyWWC/prWwxMrZbqQ$mwKVbOC9csQfhT3rhsyelBS.Zp4'],
  ['pbkdf2-sha224', '$pbkdf2-sha224$1000$I7M1Y9L8B72kBl0Owm8rOQ$jUYjS9DtcONxg2Hxmoqgk5Jj9h1gF3kQigoYXQ'],
  ['pbkdf2-sha256', '$pbkdf2-sha256$1000$IK.SZis61Yi3XBGSML2/zQ$bAXTmZ0hhEGQMsuTf5j1wVLtsMp6kX44h6433wrZ.ug'],
  ['pbkdf2-sha384', '$pbkdf2-sha384$1000$x6Zs.BeIMou5j0iAIdIWPw$9c9AL6lSWxCFCzqCyu5YzbmE6SXuLvZAwvcoWzI0iGXUoS2pFylfComEkVhMUG/s'],
  [
    'pbkdf2-sha512',
    '$pbkdf2-sha512$1000$HduAQo6kyCS0MW6tzdutQQ$xoDlkfDlkfIU.Qi1ok0zUVoOQCy7.1VeYAY0weiVx7.m2O0cSNk8vguvfDb8cNBjZDv2khD7WCE0ZzJPY4Yu/Q',
  ],
  ['scrypt', '$scrypt$ln=4,r=8,p=1$J9qflQ3zS3AspWK//JfBTw$GuNIUA1Yp0bsGBi+Anb4aI30+krRlJrYzNUa5HQiUKc'],
  ['sha256', '$5$rounds=1000$hzboWy6uTi.5jCKY$Oq4QGgl89tDujQzsJ6kWDBozTzmg7Wl6pFWTuH5DNX8'],
  ['sha512', '$6$rounds=1000$u3mHE97Si8hpbr6v$xpaMU6laDVA0PnWI81L8vuUxd4UEdj2gpHcRyvO9XsTlio6ooobJK81ou9v7n33Kw1QK4G2Nm8L68L/bLUX0u0'],
  ['sha512-default', '$6$saltsalt$rZUknjEV/HLw..2f5Sk6fyc9mycwXrhLInGo70UGeiQTisc8liK.NjL3cgkdqIz3aBwOX5ollX2PzUKaURycv/'],
  ['apr1', '$apr1$abcdefgh$9MzQK245jetXR0eAQY6rX1'],
  ['sha1', '{SHA}IxWSyOlrkDDBt22yUSb5B7oUjlU='],
]

const read = (hash: string) => {
  const found = readOldHash(hash)
  if ('problem' in found) throw new Error(found.problem)
  return found
}

test.each(hashes)('computes the digest of %s', (name, hash) => {
  const { kind, salt, digest } = read(hash)
  expect(oldDigest(`the old password of ${name} é`, kind, salt)).toBe(digest)
  expect(oldDigest('another password', kind, salt)).not.toBe(digest)
  // A decoy's salt has the same length, so its digest takes the same time.
  expect(oldDigest('another password', kind, decoySalt(kind))).toHaveLength(digest.length)
  expect(Buffer.byteLength(decoySalt(kind))).toBe(Buffer.byteLength(salt))
  expect(looksLikeHash(hash)).toBe(true)
})

test.each([
  ['x'.repeat(80), '$2y$04$abcdefghijklmnopqrstuubzadhGtS2zEF.gu0yd0opP6cVzb.e0i'],
  ['é'.repeat(200), '$6$rounds=1000$saltsalt$TKVfLwiW5zdKsi6mHqDFYvU1x9NyF6FdFdNDP19Dei8F7jWF27bIHkmD1/EYQ9Kod.5NCnHR3pAB2Lpw.MGoD0'],
  ['short', '$apr1$a$olrA1yxLFTYYpA.MHy3rB.'],
  ['the old password of bcrypt é', '{CRYPT}$2b$04$abcdefghijklmnopqrstuuzWVy59b0Agqt2fc24DeEJ9QLRuENNqS'],
  // The last bits of this salt mean nothing, and some programs set them.
  ['the old password of bcrypt é', '$2a$04$abcdefghijklmnopqrstuxzWVy59b0Agqt2fc24DeEJ9QLRuENNqS'],
])('computes unusual digests: %#', (password, hash) => {
  const { kind, salt, digest } = read(hash)
  expect(oldDigest(password, kind, salt)).toBe(digest)
})

test('hashes with the same parameters and salt length are of one kind, and others are not', () => {
  const kinds = hashes.map(([, hash]) => read(hash).kind)
  expect(new Set(kinds).size).toBe(kinds.length)
  const other = `$6$rounds=1000$aaaaaaaaaaaaaaaa$${'a'.repeat(86)}`
  expect(kinds).toContain(read(other).kind)
  expect(read(other.replace('1000', '1001')).kind).not.toBe(read(other).kind)
  expect(read(other.replace('aaaaaaaaaaaaaaaa', 'aaaaaaaa')).kind).not.toBe(read(other).kind)
})

test.each([
  '$scrypt$ln=1,r=255,p=520$J9qflQ3zS3AspWK//JfBTw$GuNIUA1Yp0bsGBi+Anb4aI30+krRlJrYzNUa5HQiUKc',
  '$scrypt$ln=15,r=1,p=1$J9qflQ3zS3AspWK//JfBTw$GuNIUA1Yp0bsGBi+Anb4aI30+krRlJrYzNUa5HQiUKc',
  '$argon2id$v=19$m=128,t=1,p=16$iK9P+QPkXzo$RIcsd6WJFk99NoHnh8mNkg',
  '$pbkdf2$1$AQ$mwKVbOC9csQfhT3rhsyelA',
])('computes the digest of an extreme hash that it reads: %s', hash => {
  const { kind, digest } = read(hash)
  expect(oldDigest('a password', kind, decoySalt(kind))).toHaveLength(digest.length)
})

test.each([
  // No program can compute this hash (RFC 7914 §2), so every sign-in would end with an error.
  ['$scrypt$ln=16,r=1,p=1$J9qflQ3zS3AspWK//JfBTw$GuNIUA1Yp0bsGBi+Anb4aI30+krRlJrYzNUa5HQiUKc', 'has no known format'],
  ['$y$j9T$TfTBkUpbw9UIGe8g8L9uR.$y5kYQ9XBHaySn20Oxhg2H3Mx59jWhVxl9IE61Ot01C.', 'is yescrypt'],
  ['$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/', 'is MD5-crypt'],
  ['{SSHA}0c0blFTXXNuAMHECS4uxrj3ZieMoWImr', 'is a format of LDAP that is not supported'],
  ['$2x$10$90T41YD.uD5vOBvBoohDdOGD8/6v2IYYGyLpdRYCsQxaT/P5YCYXi', 'is a faulty version of bcrypt'],
  ['$2b$15$90T41YD.uD5vOBvBoohDdOGD8/6v2IYYGyLpdRYCsQxaT/P5YCYXi', 'is too slow to compute at each sign-in'],
  [`$6$rounds=656000$saltsalt$${'a'.repeat(86)}`, 'is too slow to compute at each sign-in'],
  [
    '$argon2id$v=19$m=1048576,t=3,p=4$ed7I3XW/UB7Vq3NxK+PRlw$tOArwZ9vKJQGvtLgTj0QwxbHAIGxgF6yGnfwn06frEc',
    'is too slow to compute at each sign-in',
  ],
  ['$scrypt$ln=21,r=8,p=1$puyX42y0cWfgN/IWlXMGUw$B3DQTu/zOh7GEtaHCuQ7LNY+2HNQSCww+QyAnlmo3Fc', 'is too slow to compute at each sign-in'],
  ['$pbkdf2-sha512$99999999$cxI6HQQ4ebYnLCHFX//Gew$9iqneC1Vicm8usI73lqhWh', 'is too slow to compute at each sign-in'],
  ['$2b$10$tooshort', 'has no known format'],
  ['$argon2id$v=19$m=65536$c2FsdHNhbHQ$aGFzaA', 'has no known format'],
  ['a password in the clear', 'has no known format'],
  ['', 'has no known format'],
])('refuses %s', (hash, problem) => expect(readOldHash(hash)).toEqual({ problem }))

test.each([
  '$money in 5$ bills',
  'a long passphrase of four words',
  '{SHA} is a hash function',
  '$2b or not $2b, that is it',
  '$5$ for a coffee, $6$ for a tea',
])('%s is a password, not a hash', password => expect(looksLikeHash(password)).toBe(false))
