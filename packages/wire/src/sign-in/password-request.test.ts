import { describe, expect, it } from 'vitest'
import { CreatePasswordRequest, UpdatePasswordRequest } from '../account/own-password.ts'
import { decode, encode } from '../format/decode.ts'
import { PasswordResetEmailRequest, PasswordResetRequest, ResetWithTokenRequest } from './password-request.ts'

const twice = { newpassword: 'a new horse', newpasswordverification: 'a new horse' }

describe('a new password', () => {
  it.each([
    [ResetWithTokenRequest, { username: 'ada@example.com', resettoken: 't' }],
    [UpdatePasswordRequest, { useridentity: 'ada@example.com', oldpassword: 'old' }],
    [CreatePasswordRequest, { useridentity: 'ada@example.com' }],
  ])('of $name requires two equal entries', (shape, body) => {
    expect(decode<unknown>(shape, { ...body, ...twice })).toEqual({ ok: true, value: { ...body, ...twice } })
    expect(decode<unknown>(shape, { ...body, ...twice, newpasswordverification: 'A new horse' })).toEqual({
      ok: false,
      error: `decode${shape.name}: newpasswordverification differs from newpassword`,
    })
  })
})

describe('a password reset request', () => {
  const request = { userEmail: 'ada@example.com' }
  const body = { useremail: 'ada@example.com' }

  it('uses the field userEmail (§3), in both directions', () => {
    expect(decode(PasswordResetRequest, request)).toEqual({ ok: true, value: request })
    expect(encode(PasswordResetRequest, request)).toEqual(request)
    expect(decode(PasswordResetRequest, body)).toEqual({ ok: false, error: 'decodePasswordResetRequest: /userEmail: is missing' })
  })

  it('uses the field useremail in the body of sendPasswordResetEmail (§3, §7), in both directions', () => {
    expect(decode(PasswordResetEmailRequest, body)).toEqual({ ok: true, value: request })
    expect(encode(PasswordResetEmailRequest, request)).toEqual(body)
    expect(decode(PasswordResetEmailRequest, request)).toEqual({
      ok: false,
      error: 'decodePasswordResetEmailRequest: /useremail: is missing',
    })
  })
})
