import { describe, expect, it } from 'vitest'
import { decode } from './decode.ts'
import { CreatePasswordRequest, UpdatePasswordRequest } from './own-password.ts'
import { PasswordResetRequest, ResetWithTokenRequest } from './password-request.ts'

const twice = { newpassword: 'a new horse', newpasswordverification: 'a new horse' }

describe('a new password', () => {
  it.each([
    [ResetWithTokenRequest, { username: 'ada@example.com', resettoken: 't' }],
    [UpdatePasswordRequest, { useridentity: 'ada@example.com', oldpassword: 'old' }],
    [CreatePasswordRequest, { useridentity: 'ada@example.com' }],
  ])('of $name must be the same twice', (shape, body) => {
    expect(decode<unknown>(shape, { ...body, ...twice })).toEqual({ ok: true, value: { ...body, ...twice } })
    expect(decode<unknown>(shape, { ...body, ...twice, newpasswordverification: 'A new horse' })).toEqual({
      ok: false,
      error: `decode${shape.name}: newpasswordverification differs from newpassword`,
    })
  })
})

describe('a password reset request', () => {
  it('writes its field in lower case on the call (§3)', () => {
    expect(decode(PasswordResetRequest, { useremail: 'ada@example.com' }).ok).toBe(true)
    expect(decode(PasswordResetRequest, { userEmail: 'ada@example.com' }).ok).toBe(false)
  })
})
