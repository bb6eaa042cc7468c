import { describe, expect, it } from 'vitest'
import { decode } from '../format/decode.ts'
import { maxPasswordBytes } from '../format/text.ts'
import { AuthOutcome, LoginRequest, OTPRequest } from './auth.ts'

const uuid = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

describe('AuthOutcome', () => {
  // §7, the specification's spelling.
  it.each([{ tag: 'AuthSomethingElse' }, { tag: '' }, { tag: null }, {}, { tag: 'authRequires2FA' }, []])(
    "answers %j with 'Unknow tag'",
    input => {
      expect(decode(AuthOutcome, input)).toEqual({ ok: false, error: 'decodeAuthOutcome: /tag: Unknow tag' })
    },
  )

  it.each([[undefined], [[]], [null]])('accepts %j as the contents of a case without payload', contents => {
    expect(decode(AuthOutcome, { tag: 'AuthRequires2FA', contents }).ok).toBe(true)
  })

  it("may list the types of the user's second factors", () => {
    const value = { tag: 'AuthRequires2FA', contents: { factorTypes: ['Push', 'TOTP'] } }
    expect(decode(AuthOutcome, value)).toEqual({ ok: true, value })
  })

  it.each([[{}], [['x']], [''], [{ factorTypes: ['Other'] }]])('refuses the factor types %j', contents => {
    expect(decode(AuthOutcome, { tag: 'AuthRequires2FA', contents }).ok).toBe(false)
  })

  it('accepts a whole factor in place of its id', () => {
    expect(decode(AuthOutcome, { tag: 'AuthRequiresFactorReset', contents: { factorUUID: uuid, factorIdentity: 'u' } })).toEqual({
      ok: true,
      value: { tag: 'AuthRequiresFactorReset', contents: uuid },
    })
    expect(decode(AuthOutcome, { tag: 'AuthRequiresFactorReset', contents: { factorUUID: 'x' } })).toEqual({
      ok: false,
      error: 'decodeAuthOutcome: /contents: expected a UUID',
    })
  })

  it('requires only the selector and the token in an auth token', () => {
    const contents = { authTokenSelector: 's', authTokenToken: 't' }
    expect(decode(AuthOutcome, { tag: 'AuthSuccessful', contents })).toEqual({ ok: true, value: { tag: 'AuthSuccessful', contents } })
    expect(decode(AuthOutcome, { tag: 'AuthSuccessful', contents: { authTokenSelector: 's' } })).toEqual({
      ok: false,
      error: 'decodeAuthOutcome: /contents/authTokenToken: is missing',
    })
  })
})

describe('a one-time code', () => {
  const body = { otpUsername: 'ada@example.com', otpPassword: '' }

  it.each([0, 12345, 999_999])('accepts %i', otpVerification => {
    expect(decode(OTPRequest, { ...body, otpVerification })).toEqual({ ok: true, value: { ...body, otpVerification } })
  })

  it.each([-1, 1_000_000, 1.5, '012345', Number.NaN, true])('refuses %j', otpVerification => {
    expect(decode(OTPRequest, { ...body, otpVerification }).ok).toBe(false)
  })
})

describe('a password', () => {
  const login = (password: string) => decode(LoginRequest, { username: 'ada@example.com', password, useragent: '' })

  it('is measured in bytes and never truncated', () => {
    expect(login('é'.repeat(maxPasswordBytes / 2)).ok).toBe(true)
    expect(login(`${'é'.repeat(maxPasswordBytes / 2)}a`)).toEqual({
      ok: false,
      error: 'decodeLoginRequest: /password: must have at most 1024 bytes',
    })
  })

  it('is not changed by decoding', () => {
    expect(login('  Spaces, é and 😀\t')).toMatchObject({ ok: true, value: { password: '  Spaces, é and 😀\t' } })
  })
})
