import { afterEach, expect, it, vi } from 'vitest'
import { createApi } from './api.ts'

afterEach(() => vi.restoreAllMocks())

const otp = { otpUsername: 'ada@example.com', otpPassword: 'secret' }

/** The bodies of the calls whose answers may name passkeys. */
const bodiesFrom = async (...options: Parameters<typeof createApi> extends [unknown, ...infer Rest] ? Rest : never) => {
  const sent: unknown[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_, init) => {
    sent.push(JSON.parse(String(init?.body)))
    return Response.json({ tag: 'AuthFailureFailedLogin' })
  })
  const api = createApi({ baseUrl: 'https://gate.example' }, ...options)
  await api.getAuthTokenWithError({ username: 'ada@example.com', password: 'secret', useragent: '' })
  await api.verifyOTP(otp)
  await api.setupOTP(otp)
  await api.recoveryCode({ ...otp, otpRecoveryCode: 'abcd' })
  await api.resetOTP(otp)
  return sent
}

it('declares passkeys in each call of a sign-in, if the page handles them', async () => {
  expect(await bodiesFrom({ passkeys: true })).toEqual([
    { username: 'ada@example.com', password: 'secret', useragent: '', passkeys: true },
    { ...otp, passkeys: true },
    { ...otp, passkeys: true },
    { ...otp, otpRecoveryCode: 'abcd', passkeys: true },
    otp,
  ])
})

it('sends exactly the fields of the specification otherwise', async () => {
  const bodies = await bodiesFrom()
  expect(bodies).toEqual([
    { username: 'ada@example.com', password: 'secret', useragent: '' },
    otp,
    otp,
    { ...otp, otpRecoveryCode: 'abcd' },
    otp,
  ])
})
