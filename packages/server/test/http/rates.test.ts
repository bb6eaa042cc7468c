import { accountRoutes, routes } from '@gatehouse/wire'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createRates, TooMany } from '../../src/http/rate-limits.ts'
import { days, hours, limits, minutes, seconds } from '../../src/limits.ts'
import { mailedLink } from '../credentials/mailed-link.ts'
import { enroll, otpOf } from '../support/authenticator.ts'
import { bodies } from '../support/bodies.ts'
import { ada, type Browser, startServer } from '../support/harness.ts'

const wrong = { username: ada.username, password: 'wrong password wrong', useragent: '' }
const signIn = routes.getAuthTokenWithError.path
const tooMany = { error: 'Too many requests from this address. Try again later.' }

/** The limits for each address go by the machine's own clock. */
const startClock = () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.UTC(2026, 10, 20, 3) })
  onTestFinished(() => void vi.useRealTimers())
  return { advance: (ms: number) => void vi.advanceTimersByTime(ms) }
}

const statuses = async (times: number, send: (i: number) => Promise<{ statusCode: number }>) => {
  const counts: Record<number, number> = {}
  for (let i = 0; i < times; i++) {
    const { statusCode } = await send(i)
    counts[statusCode] = (counts[statusCode] ?? 0) + 1
  }
  return counts
}

test('TH-09: the thirty-first sign-in of an address within a minute is 429 with Retry-After, unlooked at', async () => {
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

test('TH-09: every call that tries a password, a code or a link counts for the address', async () => {
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
  // Links and hand-overs have a limit of their own, so that a sign-in that was right can go on.
  const claim = { selector: 'a', token: 'b' }
  const shown: [string, unknown][] = [
    [routes.plowlogin.path, { authTokenSelector: 'a', authTokenToken: 'b' }],
    [routes.loginWithToken.path, { authTokenSelector: 'a', authTokenToken: 'b' }],
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
    [accountRoutes.userSessionEnd.path, { sessionId: 'x' }],
    [accountRoutes.userSessionEndOthers.path, {}],
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

test('TH-09: the addresses of one IPv6 /64 share a bucket, however they are spelt; other networks do not', async () => {
  const server = await startServer()
  const from = (remoteAddress: string) => server.app.inject({ method: 'POST', url: signIn, payload: wrong, remoteAddress })
  const network = ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:0DB8:0001:0002::abcd', '2001:db8:1:2:0:0:0:1']
  expect(await statuses(30, i => from(network[i % network.length] ?? ''))).toEqual({ 200: 30 })
  for (const address of network) expect((await from(address)).statusCode).toBe(429)
  for (const address of ['2001:db8:1:3::1', '2001:db8:1::1', '::1', '2001:db8::1:2']) expect((await from(address)).statusCode).toBe(200)
  // An IPv4 address is the same in its IPv6 spelling.
  expect(await statuses(30, i => from(i % 2 ? '203.0.113.9' : '::ffff:203.0.113.9'))).toEqual({ 200: 30 })
  expect([(await from('203.0.113.9')).statusCode, (await from('::ffff:203.0.113.9')).statusCode]).toEqual([429, 429])
  expect((await from('::ffff:203.0.113.10')).statusCode).toBe(200)
})

/** IPv4 clients, as a server sees them behind a translator (RFC 6052, RFC 8215) or on an IPv6 socket. */
test('TH-09, TH-17: counts a translated IPv4 client at its IPv4 address', async () => {
  for (const prefix of ['::ffff:', '64:ff9b::', '64:ff9b:1::', '64:ff9b:1:a:b:c:']) {
    const rates = createRates()
    for (let i = 0; i < limits.rates.signIn.most; i++) await rates.count('signIn', i % 2 ? `${prefix}203.0.113.9` : '203.0.113.9')
    for (const address of [`${prefix}203.0.113.9`, `${prefix}cb00:7109`, '203.0.113.9'])
      await expect(rates.count('signIn', address), address).rejects.toThrow(TooMany)
    // Other clients of the same translator have limits of their own.
    for (let i = 0; i < 200; i++) await rates.count('signIn', `${prefix}198.51.100.${i}`)
  }
})

const signInsOfSite = limits.rates.signIn.most * limits.rates.siteTimes

test('TH-17: returns 429 to every /64 network of an IPv6 /48 that is over its limit, and to no other /48', async () => {
  const machine = startClock()
  const server = await startServer({ slots: 4 })
  const from = (remoteAddress: string) => server.app.inject({ method: 'POST', url: signIn, payload: wrong, remoteAddress })
  const ofSite = (i: number) => `2001:db8:1:${i.toString(16)}::1`
  expect(signInsOfSite).toBe(90)
  expect(await statuses(signInsOfSite + 10, i => from(ofSite(i)))).toEqual({ 200: signInsOfSite, 429: 10 })
  const refused = await from(ofSite(1000))
  expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toEqual([429, '60', tooMany])
  for (const other of ['2001:db8:2::1', '2001:db8::1', '2001:db9:1::1', '198.51.100.7']) expect((await from(other)).statusCode).toBe(200)
  machine.advance(minutes(1))
  expect((await from(ofSite(1000))).statusCode).toBe(200)
})

test('TH-17: limits mail requests, accounts and return addresses per /48 as well; a refused /64 uses up nothing of its /48', async () => {
  const rates = createRates()
  const { mail, accounts, returns, signIn, siteTimes } = limits.rates
  const address = (site: number, i: number) => `2001:db8:${site}:${i.toString(16)}::1`
  for (let i = 0; i < mail.most * siteTimes; i++) await rates.count('mail', address(1, i))
  await expect(rates.count('mail', address(1, 9999))).rejects.toThrow(TooMany)
  await rates.count('mail', address(2, 1))
  for (let i = 0; i < accounts.most * siteTimes; i++) await rates.countAccount(address(1, i), `user${i}@example.com`)
  await expect(rates.countAccount(address(1, 9999), 'new@example.com')).rejects.toThrow(TooMany)
  await rates.countAccount(address(1, 7), 'user7@example.com')
  const kept = []
  for (let i = 0; i <= returns.most * siteTimes; i++) kept.push(await rates.mayKeepReturn(address(1, i)))
  expect(kept).toEqual([...Array<boolean>(returns.most * siteTimes).fill(true), false])
  // One /64 that goes on and on leaves its neighbors what is theirs.
  for (let i = 0; i < signIn.most; i++) await rates.count('signIn', address(3, 1))
  for (let i = 0; i < 1000; i++) await expect(rates.count('signIn', address(3, 1))).rejects.toThrow(TooMany)
  for (let i = 0; i < signIn.most * (siteTimes - 1); i++) await rates.count('signIn', address(3, 2 + i))
  await expect(rates.count('signIn', address(3, 2))).rejects.toThrow(TooMany)
})

test('TH-09: the hundred-and-first account that an address tries within an hour is 429; those it tried before are not', async () => {
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

test('TH-09: the same new name tried twice at once is no fault', async () => {
  const rates = createRates()
  const twice = () => Array.from({ length: 3 }, () => rates.countAccount('198.51.100.7', ada.username))
  expect(await Promise.all(twice())).toEqual([undefined, undefined, undefined])
})

test('TH-09: through the door too: spraying many accounts slowly ends at the hundredth', async () => {
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

test('TH-09: callers without an address share one bucket', async () => {
  const rates = createRates()
  for (let i = 0; i < 15; i++) {
    await rates.count('signIn', undefined)
    await rates.count('signIn', '')
  }
  for (const address of [undefined, '']) await expect(rates.count('signIn', address)).rejects.toThrow(TooMany)
  await rates.count('signIn', '198.51.100.7')
})

test('TH-10: made-up X-Forwarded-For buys no new bucket; behind a trusted proxy each client has one', async () => {
  const sendTo = async (env: Record<string, string>) => {
    const server = await startServer({ env })
    return (chain: string) =>
      server.app.inject({ method: 'POST', url: signIn, payload: wrong, remoteAddress: '192.0.2.1', headers: { 'x-forwarded-for': chain } })
  }
  const direct = await sendTo({})
  expect(await statuses(31, i => direct(`203.0.113.${i}, 10.0.0.${i}`))).toEqual({ 200: 30, 429: 1 })
  const proxied = await sendTo({ GATEHOUSE_TRUSTED_PROXIES: '192.0.2.1' })
  // The proxy adds the last one; what the client itself put in front is not believed.
  expect(await statuses(31, i => proxied(`203.0.113.${i}, 198.51.100.7`))).toEqual({ 200: 30, 429: 1 })
  expect((await proxied('198.51.100.7, 198.51.100.8')).statusCode).toBe(200)
})

test('TH-14: another spelling of a path leads nowhere, or to the same bucket and the same check of the origin', async () => {
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

const oneTimeLink = (email: string) => ({ email, redirect: { tag: 'RedirectDashboard' } })
const wishes: [string, (browser: Browser, email: string) => ReturnType<Browser['send']>, string, '{}' | '{"tag":"Ok"}'][] = [
  [
    'sendPasswordResetEmail',
    (browser, useremail) => browser.send('POST', routes.sendPasswordResetEmail.path, { useremail }),
    'new-password',
    '{}',
  ],
  [
    'magiclink/send',
    (browser, email) => browser.send('POST', routes.magiclinkSend.path, [oneTimeLink(email)]),
    'one-time-link',
    '{"tag":"Ok"}',
  ],
]

test.each(wishes)(
  'TH-11, EM-15: %s sends one network three mails in a quarter of an hour and ten in a day; every answer is the same',
  async (_, wish, page, body) => {
    const server = await startServer()
    await server.addUser()
    const answers = new Set<string>()
    const ask = async () => {
      const answer = await wish(server.openBrowser({ address: '198.51.100.7' }), ' ADA@example.com')
      answers.add(`${answer.statusCode} ${answer.body}`)
      server.clock.advance(seconds(1))
      return (await server.deliver()).length
    }
    const counts: number[] = []
    for (let i = 0; i < 4; i++) counts.push(await ask())
    expect(counts).toEqual([1, 2, 3, 3])
    // A quarter of an hour after each of the first three there is room for one more.
    for (let quarter = 1; quarter <= 3; quarter++) {
      server.clock.advance(minutes(15))
      for (let i = 0; i < 3; i++) counts.push(await ask())
    }
    expect(counts.slice(4)).toEqual([4, 5, 6, 7, 8, 9, 10, 10, 10])
    server.clock.advance(hours(12))
    expect(await ask()).toBe(10)
    server.clock.advance(days(1))
    expect(await ask()).toBe(11)
    expect([...answers]).toEqual([`200 ${body}`])
    expect((await server.deliver()).every(mail => mail.to === ada.username && mail.text.includes(`/${page}#`))).toBe(true)
    // The limit is one account's, and asking changes nothing on it.
    expect(await server.openBrowser().signIn()).toMatchObject({ tag: 'AuthSuccessful' })
  },
)

test('TH-11: the limit of one account, and of one kind, is not that of another', async () => {
  const server = await startServer()
  await server.addUser()
  await server.addUser({ username: 'grace@example.com', password: 'a compiler of her own' })
  for (const email of [ada.username, 'grace@example.com'])
    for (const [, wish] of wishes) for (let i = 0; i < 4; i++) await wish(server.openBrowser({ address: '198.51.100.7' }), email)
  expect((await server.deliver()).length).toBe(12)
})

test('TH-11: the twenty-first request for mail from an address within an hour is 429', async () => {
  const machine = startClock()
  const server = await startServer()
  const browser = server.openBrowser({ address: '2001:db8::7' })
  const reset = () => browser.send('POST', routes.sendPasswordResetEmail.path, { useremail: ada.username })
  expect(await statuses(20, i => (i % 2 ? reset() : browser.send('POST', routes.magiclinkSend.path, [oneTimeLink(ada.username)])))).toEqual(
    {
      200: 20,
    },
  )
  const refused = await reset()
  expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toEqual([429, '3600', tooMany])
  expect((await server.db.selectFrom('outbox').selectAll().execute()).length).toBe(20)
  machine.advance(hours(1))
  expect((await reset()).statusCode).toBe(200)
})

test('TH-11: recovery codes anew are mailed, so that they count as a request for mail', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  await server.addUser()
  const browser = server.openBrowser({ address: '198.51.100.7' })
  await enroll(browser, server.clock)
  const anew = () => browser.send('POST', accountRoutes.userRecoveryCodesAnew.path, {})
  expect(await statuses(21, anew)).toEqual({ 200: 20, 429: 1 })
})

test('EM-13: a list has at most five requests, each of which counts; who of them exists is not told', async () => {
  const server = await startServer()
  await server.addUser()
  const browser = server.openBrowser({ address: '198.51.100.7' })
  const send = (emails: string[]) => browser.send('POST', routes.magiclinkSend.path, emails.map(oneTimeLink))
  const six = await send(Array<string>(6).fill(ada.username))
  expect([six.statusCode, six.json().error]).toEqual([400, expect.stringContaining('expected 1 to 5 requests')])
  expect((await send([])).statusCode).toBe(400)
  const nobody = ['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com', 'e@example.com']
  const alike = ({ statusCode, body, headers: { 'x-request-id': _, date: __, ...rest } }: Awaited<ReturnType<typeof send>>) => ({
    statusCode,
    body,
    rest,
  })
  const answer = alike(await send(nobody))
  expect(answer).toMatchObject({ statusCode: 200, body: '{"tag":"Ok"}' })
  expect(alike(await send([ada.username, ...nobody.slice(1)]))).toEqual(answer)
  // One that is no address: all are refused, and none is mailed.
  const wrongOne = await send([ada.username, 'nothing'])
  expect([wrongOne.statusCode, wrongOne.json()]).toEqual([400, { error: '/1/email: expected an e-mail address' }])
  expect((await server.deliver()).map(mail => mail.to)).toEqual([ada.username])
  // 5 + 5 + 2 so far.
  expect((await send(nobody)).statusCode).toBe(200)
  expect((await send(nobody)).statusCode).toBe(429)
})

test('TH-12: asking for mail is answered alike, body and headers, for who exists, does not, has no password, is locked or disabled', async () => {
  const server = await startServer()
  const [none, locked, disabled] = ['sso@example.com', 'locked@example.com', 'disabled@example.com']
  await server.addUser()
  for (const username of [none, locked, disabled]) await server.addUser({ username, password: ada.password })
  await server.db.updateTable('users').set({ userPassword: null, userGoogleId: 'x/y' }).where('userIdent', '=', none).execute()
  for (const [username, attempts] of [
    [locked, 10],
    [disabled, 100],
  ] as const) {
    for (let i = 0; i < 10; i++) await server.openBrowser().signIn({ username, password: 'wrong' })
    await server.db
      .updateTable('failed_logins')
      .set({ failedLoginAttempts: attempts })
      .where('failedLoginUserIdent', '=', username)
      .execute()
  }
  for (const [, wish, page] of wishes) {
    const answer = async (email: string) => {
      const { statusCode, headers, rawPayload } = await wish(server.openBrowser(), email)
      const { 'x-request-id': _, date: __, ...alike } = headers
      return { statusCode, alike, bytes: rawPayload.toString('hex') }
    }
    const unknown = await answer('nobody@example.com')
    expect(unknown.statusCode).toBe(200)
    for (const email of [ada.username, none, locked, disabled]) expect(await answer(email)).toEqual(unknown)
    // The mail itself comes to those who can use it.
    const mails = await server.deliver()
    for (const to of [ada.username, locked, disabled]) expect(mailedLink(mails, page as 'new-password', to).token).toHaveLength(43)
    expect(() => mailedLink(mails, page as 'new-password', none)).toThrow()
    expect(mails.filter(mail => mail.to === none).every(mail => mail.text.includes('ssoLogin?provider=google'))).toBe(true)
  }
})
