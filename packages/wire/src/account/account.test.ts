import { describe, expect, it } from 'vitest'
import { decode, encode } from '../format/decode.ts'
import { FailedLogin, User, UserUpdateRequest } from './account.ts'

const user: User = { ident: 'ada@example.com', password: 'p', tzLabel: 'Europe/Amsterdam', azureId: 'a', googleId: 'g', pakId: 'k' }
const onTheWire = {
  userIdent: 'ada@example.com',
  userPassword: 'p',
  userTZLabel: 'Europe/Amsterdam',
  userAzureId: 'a',
  userGoogleId: 'g',
  userPakId: 'k',
}

describe('User', () => {
  it('decodes the field names of §3 to our own, and encodes our own to those of §3', () => {
    expect(decode(User, onTheWire)).toStrictEqual({ ok: true, value: user })
    expect(encode(User, user)).toStrictEqual(onTheWire)
  })

  it('requires only ident and time zone', () => {
    const few = { userIdent: 'ada@example.com', userTZLabel: 'UTC' }
    expect(decode(User, few)).toEqual({ ok: true, value: { ident: 'ada@example.com', tzLabel: 'UTC' } })
    expect(JSON.parse(JSON.stringify(encode(User, { ident: 'ada@example.com', tzLabel: 'UTC' })))).toEqual(few)
  })

  it('refuses to decode our own field names', () => {
    expect(decode(User, user)).toEqual({ ok: false, error: 'decodeUser: /userIdent: is missing' })
  })
})

describe('an account', () => {
  it('accepts only a whole number of failed attempts', () => {
    const row = {
      failedLoginAttempts: 1,
      failedLoginLockCreated: '2026-11-20T03:00:00Z',
      failedLoginLockExpires: '2026-11-20T03:00:30Z',
      failedLoginUserIdent: 'ada@example.com',
    }
    expect(decode(FailedLogin, row).ok).toBe(true)
    expect(decode(FailedLogin, { ...row, failedLoginAttempts: 1.5 })).toEqual({
      ok: false,
      error: 'decodeFailedLogin: /failedLoginAttempts: expected a whole number, 0 or more',
    })
  })

  it('accepts an update without a time zone, and refuses a time zone of 65 characters', () => {
    expect(decode(UserUpdateRequest, { authenticateduser: 'a', userid: 'b' }).ok).toBe(true)
    expect(decode(UserUpdateRequest, { authenticateduser: 'a', userid: 'b', timezone: 'x'.repeat(65) })).toEqual({
      ok: false,
      error: 'decodeUserUpdateRequest: /timezone: must have at most 64 characters',
    })
  })
})
