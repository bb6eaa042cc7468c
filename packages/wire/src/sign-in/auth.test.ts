import { describe, expect, it } from 'vitest'
import { decode } from '../format/decode.ts'
import { maxPasswordBytes } from '../format/text.ts'
import { AuthOutcome, LoginRequest, OTPRequest } from './auth.ts'

const uuid = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

describe('AuthOutcome', () => {
  // §7, the specification's spelling.
  it.each([{ tag: 'AuthSomethingElse' }, { tag: '' }, { tag: null }, {}, { tag: 'authRequires2FA' }, []])(
    "says 'Unknow tag' of %j",
    input => {
      expect(decode(AuthOutcome, input)).toEqual({ ok: false, error: 'decodeAuthOutcome: /tag: Unknow tag' })
    },
  )

  it.each([[undefined], [[]], [null]])('a case without payload may carry %j as contents', contents => {
    expect(decode(AuthOutcome, { tag: 'AuthRequires2FA', contents }).ok).toBe(true)
  })

  it('may name the types of second factors there are', () => {
    const value = { tag: 'AuthRequires2FA', contents: { factorTypes: ['Push', 'TOTP'] } }
    expect(decode(AuthOutcome, value)).toEqual({ ok: true, value })
  })

  it.each([[{}], [['x']], [''], [{ factorTypes: ['Other'] }]])('but not %j', contents => {
    expect(decode(AuthOutcome, { tag: 'AuthRequires2FA', contents }).ok).toBe(false)
  })

  it('takes a whole factor for its id', () => {
    expect(decode(AuthOutcome, { tag: 'AuthRequiresFactorReset', contents: { factorUUID: uuid, factorIdentity: 'u' } })).toEqual({
      ok: true,
      value: { tag: 'AuthRequiresFactorReset', contents: uuid },
    })
    expect(decode(AuthOutcome, { tag: 'AuthRequiresFactorReset', contents: { factorUUID: 'x' } })).toEqual({
      ok: false,
      error: 'decodeAuthOutcome: /contents: expected a UUID',
    })
  })

  it('asks of a token only selector and token', () => {
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

  it.each([0, 12345, 999_999])('may be %i', otpVerification => {
    expect(decode(OTPRequest, { ...body, otpVerification })).toEqual({ ok: true, value: { ...body, otpVerification } })
  })

  it.each([-1, 1_000_000, 1.5, '012345', Number.NaN, true])('may not be %j', otpVerification => {
    expect(decode(OTPRequest, { ...body, otpVerification }).ok).toBe(false)
  })
})

describe('a password', () => {
  const login = (password: string) => decode(LoginRequest, { username: 'ada@example.com', password, useragent: '' })

  it('is measured in bytes and never cut short', () => {
    expect(login('é'.repeat(maxPasswordBytes / 2)).ok).toBe(true)
    expect(login(`${'é'.repeat(maxPasswordBytes / 2)}a`)).toEqual({
      ok: false,
      error: 'decodeLoginRequest: /password: must have at most 1024 bytes',
    })
  })

  it('goes through as typed', () => {
    expect(login('  Spaces, é and 😀\t')).toMatchObject({ ok: true, value: { password: '  Spaces, é and 😀\t' } })
  })
})
