import { expect, test } from 'vitest'
import { readAddress } from './address.ts'
import { shown } from './shown.ts'

const user = { line: 2, hash: undefined, groups: [], totp: [], passkeys: [], isDisabled: false }
const inColumn = (address: string, name = address) => ({ ...user, name, address, addressIn: 'the column email' })
const onlyName = (name: string) => ({ ...user, name, address: '', addressIn: 'the field email' })

const hashes = [
  '$2y$12$hC5jzoBKPdVBnSIzUwG27uxF2vTqK2rZlG9BxHzhd8bIcJpJ3cQ2W',
  // All characters of this hash are allowed in an address.
  '$2b$04$abcdefghijklmnopqrstuuzWVy59b0Agqt2fc24DeEJ9QLRuENNqS',
  '$argon2id$v=19$m=64,t=1,p=2$xJW9VqEy8U+jG1l+WQv70g$9ZEHe0EJkohmSDZUXshHoRPPpevZvKk6if+leLBf4Ls',
  '$6$saltsalt$rZUknjEVHLw..2f5Sk6fyc9mycwXrhLInGo70UGeiQTisc8liK.NjL3cgkdqIz3aBwOX5ollX2PzUKaURycvx',
  '$y$j9T$TfTBkUpbw9UIGe8g8L9uR.$y5kYQ9XBHaySn20Oxhg2H3Mx59jWhVxl9IE61Ot01C.',
  '$1$saltsalt$qjXMvbEw8oaL.CzflDtaK.',
  '{SHA}IxWSyOlrkDDBt22yUSb5B7oUjlU=',
  '{SSHA}0c0blFTXXNuAMHECS4uxrj3ZieMoWImr',
  '5f4dcc3b5aa765d61d8327deb882cf99',
  '5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8',
]

test.each(hashes)('rejects a hash as an address and as a name, and never shows it: %s', hash => {
  const inPlaceOfAddress = { problem: 'the column email has the hash of a password instead of an email address', isShown: false }
  for (const domain of [undefined, 'example.com']) {
    expect(readAddress(inColumn(hash), domain)).toEqual(inPlaceOfAddress)
    expect(readAddress(inColumn(hash, 'ada'), domain)).toEqual({ ...inPlaceOfAddress, isShown: true })
    expect(readAddress(onlyName(hash), domain)).toEqual({
      problem: 'the name has the hash of a password instead of an email address',
      isShown: false,
    })
  }
  expect(shown(hash)).toBe('…')
})

test.each(hashes.filter(hash => hash.startsWith('$') || hash.startsWith('{')))('rejects a hash with a domain as an address: %s', hash => {
  expect(readAddress(inColumn(`${hash}@example.com`), undefined)).toMatchObject({ problem: expect.stringContaining('hash') })
  expect(readAddress(onlyName(`${hash}@example.com`), 'example.com')).toMatchObject({ problem: expect.stringContaining('hash') })
})

test('--domain completes only names that lack an email address', () => {
  expect(readAddress(onlyName('Ada.Lovelace-1'), 'example.com')).toEqual({ userIdent: 'ada.lovelace-1@example.com' })
  expect(readAddress(onlyName('ada@example.org'), 'example.com')).toEqual({ userIdent: 'ada@example.org' })
  expect(readAddress(inColumn('ada'), 'example.com')).toEqual({ problem: 'the column email has no email address', isShown: true })
  expect(readAddress(inColumn(''), 'example.com')).toEqual({ problem: 'the column email has no email address', isShown: false })
  for (const text of ['a secret with spaces', 'a$b', 'x'.repeat(65), 'QUJD=', '{ada}'])
    expect(readAddress(onlyName(text), 'example.com')).toEqual({
      problem: 'the name has characters that --domain does not complete',
      isShown: false,
    })
})

test('accepts an address that begins with 32 hexadecimal digits, as relay addresses do', () => {
  const address = '5f4dcc3b5aa765d61d8327deb882cf99@relay.example.com'
  expect(readAddress(inColumn(address), undefined)).toEqual({ userIdent: address })
})
