import { accountRoutes, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { createRates, TooMany } from '../../src/http/rate-limits.ts'
import { hours, limits, minutes, seconds } from '../../src/limits.ts'
import { otpOf } from '../support/authenticator.ts'
import { bodies } from '../support/bodies.ts'
import { ada, startServer } from '../support/harness.ts'
import { signIn, startClock, statuses, tooMany, wrong } from './rate-counts.ts'

test('TH-09: returns 429 with Retry-After to the 31st sign-in from an address within a minute, without checking it', async () => {
  const machine = startClock()
  const server = await startServer()
  await server.addUser()
  const browser = server.openBrowser({ address: '198.51.100.7' })
  const send = (body: unknown) => browser.send('POST', signIn, body)
  expect(await statuses(30, () => send(wrong))).toEqual({ 200: 30 })
  machine.advance(seconds(20))
  const { computed } = server.passwords.figures()
  const refused = await send({ ...ada, useragent: '' })
  expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toEqual([429, '40', tooMany])
  expect(server.passwords.figures().computed).toBe(computed)
  const rows = await server.db.selectFrom('failed_logins').select(['failedLoginAttempts', 'failedLoginRefused']).execute()
  expect(rows).toEqual([{ failedLoginAttempts: 10, failedLoginRefused: 20 }])
  expect((await server.openBrowser({ address: '198.51.100.8' }).send('POST', signIn, wrong)).statusCode).toBe(200)
  machine.advance(seconds(40))
  expect((await send(wrong)).statusCode).toBe(200)
})

test('TH-09: counts every call that tries a password, a code or a link', async () => {
  const server = await startServer()
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  const otp = otpOf(wrong)
  const calls: [string, object][] = [
    [routes.verifyOTP.path, { ...otp, otpVerification: 1 }],
    [routes.setupOTP.path, { ...otp, otpFactorUUID: '00000000-0000-4000-8000-000000000000' }],
    [routes.resetOTP.path, otp],
    [routes.recoveryCode.path, { ...otp, otpRecoveryCode: 'abcd-efgh-2345-wxyz' }],
    [accountRoutes.userPasswordReset.path, { useridentity: ada.username, oldpassword: 'wrong', newpassword: 'a long new password' }],
    [accountRoutes.userEmailChange.path, { newemail: 'new@example.com', password: 'wrong' }],
    [signIn, wrong],
  ]
  const from = { 'x-forwarded-for': '6.6.6.6' }
  const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const send = (path: string, body: unknown) =>
    server.app.inject({
      method: 'POST',
      url: path,
      payload: JSON.stringify(body),
      headers: { ...from, cookie, 'content-type': 'application/json' },
      remoteAddress: '198.51.100.7',
    })
  let left: number = limits.rates.signIn.most
  for (const [path, body] of calls) {
    expect([path, (await send(path, body)).statusCode]).not.toEqual([path, 429])
    left--
  }
  await statuses(left, () => send(signIn, wrong))
  for (const [path, body] of calls) expect([path, (await send(path, body)).statusCode]).toEqual([path, 429])
  // Links and hand-over codes have a separate limit, so that a successful sign-in can continue.
  const claim = { selector: 'a', token: 'b' }
  const shown: [string, unknown][] = [
    [routes.plowlogin.path, { authTokenSelector: 'a', authTokenToken: 'b' }],
    [routes.loginWithToken.path, { authTokenSelector: 'a', authTokenToken: 'b' }],
    [routes.handOver.path, { authTokenSelector: 'a', authTokenToken: 'b' }],
    [routes.mailLinkLook.path, { kind: 'OneTimeLink', ...claim }],
    [routes.magiclinkRedeem.path, claim],
    [routes.newFactor.path, claim],
    [accountRoutes.userEmailConfirm.path, claim],
    [routes.logoutByUserId.path, bodies.logoutByUserId],
    [routes.userAdd.path, bodies.userAdd],
    [routes.userUpdate.path, bodies.userUpdate],
    [routes.userByUsername.path, bodies.userByUsername],
    [routes.userDelete.path, bodies.userDelete],
    [accountRoutes.userAccount.path, {}],
    [accountRoutes.userActivity.path, { more: '1.a' }],
    [accountRoutes.userTimeZone.path, { userTZLabel: 'UTC' }],
    [accountRoutes.userLanguage.path, { userLanguage: null }],
    [accountRoutes.userSessionEnd.path, { sessionId: 'x' }],
    [accountRoutes.userSessionEndOthers.path, {}],
    [accountRoutes.userBrowserForget.path, { browserId: 'x' }],
    [accountRoutes.userBrowserForgetOthers.path, {}],
    [accountRoutes.userFactorAdd.path, bodies.userFactorAdd],
    [accountRoutes.userFactorRename.path, bodies.userFactorRename],
    [accountRoutes.userFactorRemove.path, bodies.userFactorRemove],
    [accountRoutes.userRecoveryCodes.path, {}],
    [
      routes.resetPassword.path,
      { username: ada.username, resettoken: 'a.b', newpassword: 'a long new password', newpasswordverification: 'a long new password' },
    ],
  ]
  const [look] = [routes.mailLinkLook.path]
  const before = limits.rates.tokens.most - shown.length
  expect(await statuses(before, () => send(look, { kind: 'OneTimeLink', ...claim }))).toEqual({ 200: before })
  for (const [path, body] of shown) expect([path, (await send(path, body)).statusCode]).not.toEqual([path, 429])
  for (const [path, body] of shown) expect([path, (await send(path, body)).statusCode]).toEqual([path, 429])
  const page = await server.app.inject({ url: '/auth/page/plow/a/b', remoteAddress: '198.51.100.7' })
  expect(page.statusCode).toBe(429)
})

test('TH-09: returns 429 for the 101st account that an address tries within an hour, not for earlier ones', async () => {
  const machine = startClock()
  const rates = createRates()
  const address = '198.51.100.7'
  for (let i = 0; i < 100; i++) await rates.countAccount(address, `user${i}@example.com`)
  await expect(rates.countAccount(address, 'user100@example.com')).rejects.toThrow(TooMany)
  for (const again of ['user0@example.com', ' USER99@example.com ']) await rates.countAccount(address, again)
  await rates.countAccount('198.51.100.8', 'user100@example.com')
  machine.advance(hours(1) + 1)
  await rates.countAccount(address, 'user100@example.com')
})

test('TH-09: accepts parallel attempts for the same new username', async () => {
  const rates = createRates()
  const twice = () => Array.from({ length: 3 }, () => rates.countAccount('198.51.100.7', ada.username))
  expect(await Promise.all(twice())).toEqual([undefined, undefined, undefined])
})

test('TH-09: stops slow password spraying after 100 accounts', async () => {
  const machine = startClock()
  const server = await startServer({ slots: 4 })
  const browser = server.openBrowser({ address: '198.51.100.7' })
  const spray = (i: number) => browser.send('POST', signIn, { ...wrong, username: `user${i}@example.com` })
  for (let i = 0; i < 100; i += 25) {
    const answers = await Promise.all(Array.from({ length: 25 }, (_, j) => spray(i + j)))
    expect(new Set(answers.map(answer => answer.statusCode))).toEqual(new Set([200]))
    machine.advance(minutes(1))
  }
  const refused = await spray(100)
  expect([refused.statusCode, refused.json()]).toEqual([429, tooMany])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000)
  expect((await spray(7)).statusCode).toBe(200)
})

test('TH-09: counts all callers without an address together', async () => {
  const rates = createRates()
  for (let i = 0; i < 15; i++) {
    await rates.count('signIn', undefined)
    await rates.count('signIn', '')
  }
  for (const address of [undefined, '']) await expect(rates.count('signIn', address)).rejects.toThrow(TooMany)
  await rates.count('signIn', '198.51.100.7')
})

test('TH-10: ignores X-Forwarded-For from clients; behind a trusted proxy each client has its own limit', async () => {
  const sendTo = async (env: Record<string, string>) => {
    const server = await startServer({ env })
    return (chain: string) =>
      server.app.inject({ method: 'POST', url: signIn, payload: wrong, remoteAddress: '192.0.2.1', headers: { 'x-forwarded-for': chain } })
  }
  const direct = await sendTo({})
  expect(await statuses(31, i => direct(`203.0.113.${i}, 10.0.0.${i}`))).toEqual({ 200: 30, 429: 1 })
  const proxied = await sendTo({ GATEHOUSE_TRUSTED_PROXIES: '192.0.2.1' })
  // Trust only the last address, which the proxy adds.
  expect(await statuses(31, i => proxied(`203.0.113.${i}, 198.51.100.7`))).toEqual({ 200: 30, 429: 1 })
  expect((await proxied('198.51.100.7, 198.51.100.8')).statusCode).toBe(200)
})

test('TH-14: other spellings of a path are refused, or share its rate limit and origin check', async () => {
  const server = await startServer()
  const spellings = (path: string) => [
    `/${path}`,
    path.replace('/page', '//page'),
    path.replace('/page', '/./page'),
    path.replace('/page', '/x/../page'),
    `${path}/`,
    `${path}//`,
    path.toUpperCase(),
    `${path};x=1`,
    `${path}%00`,
    `${path}%2f`,
    path.replace('/auth', '/%61uth'),
    path.replace('/auth', '/%2561uth'),
    path.replace('/page', '%2fpage'),
    path.replaceAll('/', '\\'),
    `${path}?x=1`,
    `${path}#x`,
  ]
  for (const route of [routes.getAuthTokenWithError, routes.verifyOTP, routes.resetOTP]) {
    const body = route === routes.getAuthTokenWithError ? wrong : { ...otpOf(wrong), otpVerification: 1 }
    const remoteAddress = `198.51.100.${route.path.length}`
    const send = (url: string, headers = {}) => server.app.inject({ method: 'POST', url, payload: body, remoteAddress, headers })
    expect(await statuses(30, () => send(route.path))).toEqual({ 200: 30 })
    for (const url of spellings(route.path)) {
      expect([url, [400, 404, 405, 429].includes((await send(url)).statusCode)]).toEqual([url, true])
      const foreign = (await send(url, { origin: 'https://evil.example' })).statusCode
      expect([url, [400, 403, 404].includes(foreign)]).toEqual([url, true])
    }
  }
})
