import { passkeyRoutes, routes } from '@gatehouse/wire'
import { TOTP } from 'totp-generator'
import { expect, test } from 'vitest'
import { virtualPasskey } from '../src/index.ts'
import { accountStatus, start } from './support.ts'

test('signs users in with a password, a code, a passkey after the password, and a passkey alone', async () => {
  const gatehouse = await start({
    users: [
      { email: 'plain@example.com' },
      { email: 'totp@example.com', secondFactor: 'totp' },
      { email: 'passkey@example.com', password: null, passkey: true },
      { email: 'second@example.com', passkey: true },
      { email: 'both@example.com', secondFactor: 'totp', passkey: true },
    ],
  })
  for (const { email } of gatehouse.users) {
    const session = await gatehouse.signIn(email)
    expect([email, await accountStatus(gatehouse.url, session.headers)]).toEqual([email, 200])
    expect(await (await fetch(`${gatehouse.url}/account`, { headers: session.headers })).text()).toContain(email)
  }
  const alone = await gatehouse.signIn('both@example.com', { with: 'passkey' })
  expect(await accountStatus(gatehouse.url, alone.headers)).toBe(200)
  expect(await accountStatus(gatehouse.url, {})).not.toBe(200)
})

test('returns the cookies that a browser would have received', async () => {
  const gatehouse = await start({ users: [{ email: 'ada@example.com' }] })
  const { cookies, headers } = await gatehouse.signIn('Ada@Example.com')
  expect(cookies.find(({ name }) => name === 'gatehouse-session')).toEqual({
    name: 'gatehouse-session',
    value: expect.stringMatching(/^\S{20,}$/),
    domain: 'localhost',
    path: '/',
    expires: -1,
    httpOnly: true,
    secure: false,
    sameSite: 'Lax',
  })
  expect(cookies.every(({ expires }) => expires === -1 || expires > Date.now() / 1000)).toBe(true)
  expect(headers.cookie).toBe(cookies.map(({ name, value }) => `${name}=${value}`).join('; '))
})

test('signIn works far more often than the limits of one network allow, and starts another session each time', async () => {
  const gatehouse = await start({ users: [{ email: 'ada@example.com', secondFactor: 'totp' }] })
  const sessions = await Promise.all(Array.from({ length: 40 }, () => gatehouse.signIn('ada@example.com')))
  expect(new Set(sessions.map(({ headers }) => headers.cookie)).size).toBe(40)
})

test('totpCode returns the code that a second implementation computes, and lets the server accept a used code again', async () => {
  const gatehouse = await start({ users: [{ email: 'ada@example.com', secondFactor: 'totp', password: 'a weak one' }] })
  const { totpSecret = '' } = gatehouse.user('ada@example.com')
  const verify = async (code: string) => {
    const body = { otpUsername: 'ada@example.com', otpPassword: 'a weak one', otpVerification: Number(code) }
    const answer = await fetch(gatehouse.url + routes.verifyOTP.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: gatehouse.url },
      body: JSON.stringify(body),
    })
    return ((await answer.json()) as { tag: string }).tag
  }
  for (const _ of [1, 2, 3]) {
    const code = await gatehouse.totpCode('ada@example.com')
    expect([(await TOTP.generate(totpSecret)).otp, (await TOTP.generate(totpSecret, { timestamp: Date.now() - 1000 })).otp]).toContain(code)
    expect(await verify(code)).toBe('AuthSuccessful')
    // The server itself still refuses a code that was used.
    expect(await verify(code)).toBe('AuthFailureFactorError')
  }
})

test('an authenticator without a browser registers a passkey and signs in with it', async () => {
  const gatehouse = await start({ users: [{ email: 'ada@example.com' }] })
  const { headers } = await gatehouse.signIn('ada@example.com')
  const device = virtualPasskey(gatehouse.url)
  const cookies = new Map(headers.cookie.split('; ').map(pair => [pair.split('=')[0], pair]))
  const post = async (path: string, body: object) => {
    const answer = await fetch(gatehouse.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: gatehouse.url, cookie: [...cookies.values()].join('; ') },
      body: JSON.stringify(body),
    })
    for (const line of answer.headers.getSetCookie()) cookies.set(line.split('=')[0], line.split(';')[0] ?? '')
    if (!answer.ok) throw new Error(await answer.text())
    return answer.json()
  }
  const options = (await post(passkeyRoutes.passkeyAddOptions.path, {})) as Parameters<typeof device.create>[0]
  await post(passkeyRoutes.passkeyAdd.path, { credential: device.create(options) })
  expect(device.credentials()).toHaveLength(1)
  cookies.clear()
  const asked = (await post(passkeyRoutes.passkeyOptions.path, { purpose: 'SignIn' })) as Parameters<typeof device.get>[0]
  expect(await post(passkeyRoutes.passkeySignIn.path, { credential: device.get(asked) })).toMatchObject({ tag: 'AuthSuccessful' })
})

test('signIn and totpCode say why they fail', async () => {
  const gatehouse = await start({
    env: { GATEHOUSE_SECOND_FACTOR: 'required' },
    users: [{ email: 'ada@example.com' }, { email: 'key@example.com', password: null, passkey: true }],
  })
  await expect(gatehouse.signIn('ada@example.com')).rejects.toThrow("Create the user with secondFactor: 'totp'")
  await expect(gatehouse.signIn('ada@example.com', { password: 'wrong' })).rejects.toThrow('the server refused the password')
  await expect(gatehouse.signIn('ada@example.com', { with: 'passkey' })).rejects.toThrow('the user has no passkey')
  await expect(gatehouse.signIn('key@example.com', { with: 'password' })).rejects.toThrow('the user has no password')
  await expect(gatehouse.signIn('bob@example.com')).rejects.toThrow(
    'startGatehouse has created no user bob@example.com. There are ada@example.com, key@example.com.',
  )
  await expect(gatehouse.totpCode('ada@example.com')).rejects.toThrow('ada@example.com has no authenticator app.')
})
