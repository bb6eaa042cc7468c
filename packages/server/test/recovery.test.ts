import { routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { minutes, seconds } from '../src/limits.ts'
import { codeAt, enrol, offered, otpOf, secretOf } from './authenticator.ts'
import { ada, isSignedIn, startServer } from './harness.ts'

const skippable = { env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } }
const failed = { tag: 'AuthFailureFailedLogin' }
const ticketed = { otpUsername: '', otpPassword: '' }
const newPassword = 'a wholly new password'

type Server = Awaited<ReturnType<typeof startServer>>
type Browser = ReturnType<Server['openBrowser']>

const kinds = { 'one-time-link': 'OneTimeLink', 'new-password': 'PasswordReset', 'new-factor': 'FactorReset' } as const

/** The link in the newest mail that holds one to this page. */
const linkTo = async (server: Server, page: keyof typeof kinds) => {
  for (const { text } of await server.deliver()) {
    const [, selector, token] = new RegExp(`http://localhost:8080/${page}#([\\w-]+)\\.([\\w-]+)`).exec(text) ?? []
    if (selector && token) return { selector, token }
  }
  throw new Error(`no mail leads to ${page}`)
}

const askForLink = async (server: Server, email = ada.username) => {
  server.clock.advance(1)
  const redirect = { tag: 'RedirectDashboard' }
  expect(await server.openBrowser().call(routes.magiclinkSend, [{ email, redirect }])).toEqual({ tag: 'Ok' })
  return linkTo(server, 'one-time-link')
}
const askForReset = async (server: Server, useremail = ada.username) => {
  server.clock.advance(1)
  expect(await server.openBrowser().call(routes.sendPasswordResetEmail, { useremail })).toEqual({})
  return linkTo(server, 'new-password')
}
const lookAt = (server: Server, page: keyof typeof kinds, claim: { selector: string; token: string }) =>
  server.openBrowser().call(routes.mailLinkLook, { kind: kinds[page], ...claim })
const reset = (
  browser: Browser,
  { selector, token }: { selector: string; token: string },
  password = newPassword,
  username = ada.username,
) =>
  browser.send('POST', routes.resetPassword.path, {
    username,
    resettoken: `${selector}.${token}`,
    newpassword: password,
    newpasswordverification: password,
  })

const startWithAda = async (options?: Parameters<typeof startServer>[0]) => {
  const server = await startServer(options)
  await server.addUser()
  return server
}

test('a one-time link signs in, once, and the page that looks at it shows a masked address', async () => {
  const server = await startWithAda()
  const claim = await askForLink(server)
  expect(await lookAt(server, 'one-time-link', claim)).toEqual({ state: 'Good', email: 'a•••@example.com' })
  const browser = server.openBrowser()
  const outcome = await browser.call(routes.magiclinkRedeem, claim)
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  await browser.call(routes.loginWithToken, {
    authTokenSelector: outcome.contents.authTokenSelector,
    authTokenToken: outcome.contents.authTokenToken,
  })
  expect(await isSignedIn(browser)).toBe(true)
  expect(await server.openBrowser().call(routes.magiclinkRedeem, claim)).toEqual(failed)
  expect(await lookAt(server, 'one-time-link', claim)).toEqual({ state: 'Used' })
})

test('EM-01, EM-02: links are kept as hashes, and the value in the database opens nothing', async () => {
  const server = await startWithAda()
  const claims = [await askForLink(server), await askForReset(server)]
  const rows = await server.db.selectFrom('mail_links').selectAll().execute()
  for (const { token } of claims) {
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(rows)).not.toContain(token)
  }
  for (const row of rows) {
    const stolen = { selector: row.mailLinkSelector, token: row.mailLinkHash }
    expect(await server.openBrowser().call(routes.magiclinkRedeem, stolen)).toEqual(failed)
    expect((await reset(server.openBrowser(), stolen)).statusCode).toBe(410)
  }
})

test('EM-01: what waits to be mailed cannot be read in the database', async () => {
  const server = await startWithAda()
  await server.openBrowser().call(routes.sendPasswordResetEmail, { useremail: ada.username })
  expect(JSON.stringify(await server.db.selectFrom('outbox').selectAll().execute())).not.toContain('ada@')
  await server.openBrowser().signIn()
})

test.each([
  ['one-time-link', minutes(10)],
  ['new-password', minutes(30)],
  ['new-factor', minutes(10)],
] as const)('EM-03: %s works until the last second of %d ms, and says afterwards that it has expired', async (page, lifetime) => {
  const server = await startWithAda(skippable)
  const browser = server.openBrowser()
  if (page === 'new-factor') await enrol(browser, server.clock)
  const ask = async () => {
    if (page === 'one-time-link') return askForLink(server)
    if (page === 'new-password') return askForReset(server)
    await browser.call(routes.resetOTP, otpOf(ada))
    return linkTo(server, 'new-factor')
  }
  const use = async (claim: { selector: string; token: string }) => {
    if (page === 'new-password') return (await reset(server.openBrowser(), claim)).statusCode === 200
    const route = page === 'one-time-link' ? routes.magiclinkRedeem : routes.newFactor
    return (await server.openBrowser().call(route, claim)).tag !== 'AuthFailureFailedLogin'
  }
  const late = await ask()
  server.clock.advance(lifetime + seconds(1))
  expect(await lookAt(server, page, late)).toEqual({ state: 'Expired' })
  expect(await use(late)).toBe(false)
  const timely = await ask()
  server.clock.advance(lifetime - seconds(1))
  expect((await lookAt(server, page, timely)).state).toBe('Good')
  expect(await use(timely)).toBe(true)
})

test('EM-04, CS-03, A17: GET and HEAD of every mailed address change nothing', async () => {
  const server = await startWithAda(skippable)
  const browser = server.openBrowser()
  await enrol(browser, server.clock)
  await browser.call(routes.resetOTP, otpOf(ada))
  const claims = {
    'one-time-link': await askForLink(server),
    'new-password': await askForReset(server),
    'new-factor': await linkTo(server, 'new-factor'),
  }
  for (const page of Object.keys(claims) as (keyof typeof claims)[]) {
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await server.app.inject({ method, url: `/${page}` })
      expect([answer.statusCode, answer.headers['cache-control'], answer.headers['referrer-policy']]).toEqual([
        200,
        'no-store',
        // To ourselves alone, and no Referer has the fragment, which is where the token is.
        'same-origin',
      ])
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
    for (let i = 0; i < 5; i++) await lookAt(server, page, claims[page])
    expect((await lookAt(server, page, claims[page])).state).toBe('Good')
  }
})

test('EM-07: a new request voids the older link; a reset voids all', async () => {
  const server = await startWithAda()
  const [first, second] = [await askForReset(server), await askForReset(server)]
  expect(await lookAt(server, 'new-password', first)).toEqual({ state: 'Expired' })
  const link = await askForLink(server)
  expect((await reset(server.openBrowser(), first)).statusCode).toBe(410)
  expect((await reset(server.openBrowser(), second)).statusCode).toBe(200)
  expect(await server.openBrowser().call(routes.magiclinkRedeem, link)).toEqual(failed)
  expect((await server.openBrowser().signIn({ ...ada, password: newPassword })).tag).toBe('AuthSuccessful')
  expect(await server.openBrowser().signIn()).toEqual(failed)
})

test('EM-08: a reset signs nobody in and passes no second factor', async () => {
  const server = await startWithAda(skippable)
  await enrol(server.openBrowser(), server.clock)
  const browser = server.openBrowser()
  const answer = await reset(browser, await askForReset(server))
  expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([200, undefined])
  expect(await isSignedIn(browser)).toBe(false)
  expect(await browser.signIn({ ...ada, password: newPassword })).toEqual({ tag: 'AuthRequires2FA' })
})

test('EM-09, TH-07: a one-time link of somebody with a second factor leads to the code, and a locked one stays locked', async () => {
  const server = await startWithAda(skippable)
  const { secret } = await enrol(server.openBrowser(), server.clock)
  const link = async () => {
    const browser = server.openBrowser()
    expect(await browser.call(routes.magiclinkRedeem, await askForLink(server))).toEqual({ tag: 'AuthRequires2FA' })
    expect([...browser.jar.keys()]).toEqual(['gatehouse-ticket'])
    expect(await isSignedIn(browser)).toBe(false)
    return browser
  }
  server.clock.advance(seconds(30))
  const right = async () => ({ ...ticketed, otpVerification: await codeAt(secret, server.clock.at) })
  const browser = await link()
  // The ticket is this browser's.
  expect(await server.openBrowser().call(routes.verifyOTP, await right())).toEqual(failed)
  const outcome = await browser.call(routes.verifyOTP, await right())
  expect(outcome.tag).toBe('AuthSuccessful')
  expect(browser.jar.has('gatehouse-ticket')).toBe(false)

  server.clock.advance(minutes(20))
  const other = await link()
  for (let i = 0; i < 5; i++) {
    const wrong = { ...ticketed, otpVerification: ((await right()).otpVerification + 500_000) % 1_000_000 }
    expect((await other.call(routes.verifyOTP, wrong)).tag).toBe('AuthFailureFactorError')
  }
  // The fifth ended the ticket, and a new one finds the pause.
  expect(await other.call(routes.verifyOTP, await right())).toEqual(failed)
  const again = await link()
  expect((await again.call(routes.verifyOTP, await right())).tag).toBe('AuthFailureFactorError')
})

test('a one-time link leads to setting up a second factor, or to putting it off, without a password', async () => {
  const server = await startWithAda(skippable)
  const browser = server.openBrowser()
  const factor = offered(await browser.call(routes.magiclinkRedeem, await askForLink(server)))
  const otpVerification = await codeAt(secretOf(factor), server.clock.at)
  const done = await browser.call(routes.setupOTP, { ...ticketed, otpVerification, otpFactorUUID: factor.factorUUID })
  expect(done.tag).toBe('AuthSuccessful')

  const grace = { username: 'grace@example.com', password: 'another horse battery' }
  await server.addUser(grace)
  const other = server.openBrowser()
  const { factorUUID } = offered(await other.call(routes.magiclinkRedeem, await askForLink(server, grace.username)))
  const adas = await other.call(routes.setupOTP, { ...ticketed, otpUsername: ada.username, otpFactorUUID: factorUUID })
  expect(adas).toEqual(failed)
  const skipped = await other.call(routes.setupOTP, { ...ticketed, otpUsername: grace.username, otpFactorUUID: factorUUID })
  expect(skipped.tag).toBe('AuthSuccessful')
})

test('MF-08, A26: a ticket lives five minutes and dies with a password change', async () => {
  const server = await startWithAda(skippable)
  const { secret } = await enrol(server.openBrowser(), server.clock)
  const ticket = async () => {
    const browser = server.openBrowser()
    await browser.call(routes.magiclinkRedeem, await askForLink(server))
    return browser
  }
  const verify = async (browser: Browser) =>
    (await browser.call(routes.verifyOTP, { ...ticketed, otpVerification: await codeAt(secret, server.clock.at) })).tag
  const late = await ticket()
  server.clock.advance(minutes(5))
  expect(await verify(late)).toBe('AuthFailureFailedLogin')
  const before = await ticket()
  await reset(server.openBrowser(), await askForReset(server))
  expect(await verify(before)).toBe('AuthFailureFailedLogin')
  server.clock.advance(minutes(15))
  const timely = await ticket()
  server.clock.advance(minutes(5) - 1)
  expect(await verify(timely)).toBe('AuthSuccessful')
  expect(await verify(timely)).toBe('AuthFailureFailedLogin')
})

test('EM-10, A27: a reset ends all sessions, and is told by mail without a secret', async () => {
  const server = await startWithAda()
  const browsers = [server.openBrowser(), server.openBrowser(), server.openBrowser()]
  for (const browser of browsers) await browser.enter()
  const claim = await askForReset(server)
  for (const browser of browsers) expect(await isSignedIn(browser)).toBe(true)
  server.clock.advance(1)
  await reset(server.openBrowser(), claim)
  for (const browser of browsers) expect(await isSignedIn(browser)).toBe(false)
  const [notice] = await server.deliver()
  expect(notice?.to).toBe(ada.username)
  expect(JSON.stringify(notice)).not.toContain(newPassword)
  expect(notice?.text).not.toContain('#')
})

test('EM-10: a factor that is set up ends the sessions there were', async () => {
  const server = await startWithAda({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  const other = server.openBrowser()
  const { factorUUID } = offered(await other.signIn())
  const skipped = await other.call(routes.setupOTP, { ...otpOf(ada), otpFactorUUID: factorUUID })
  if (skipped.tag === 'AuthSuccessful') await other.call(routes.plowlogin, skipped.contents)
  expect(await isSignedIn(other)).toBe(true)
  const browser = server.openBrowser()
  await enrol(browser, server.clock)
  expect(await isSignedIn(other)).toBe(false)
  expect(await isSignedIn(browser)).toBe(true)
})

test('a password that breaks the rules is refused with the reason, and the link stays good', async () => {
  const server = await startWithAda()
  const claim = await askForReset(server)
  const short = await reset(server.openBrowser(), claim, 'short')
  expect([short.statusCode, short.json()]).toEqual([400, { error: 'newpassword: must have at least 15 characters; this one has 5' }])
  expect((await lookAt(server, 'new-password', claim)).state).toBe('Good')
  expect((await reset(server.openBrowser(), claim)).statusCode).toBe(200)
  expect((await reset(server.openBrowser(), claim)).statusCode).toBe(410)
})

test('EM-11: a reset token is good for its own user only', async () => {
  const server = await startWithAda()
  const grace = { username: 'grace@example.com', password: 'another horse battery' }
  await server.addUser(grace)
  const claim = await askForReset(server)
  expect((await reset(server.openBrowser(), claim, newPassword, grace.username)).statusCode).toBe(410)
  expect((await server.openBrowser().signIn(grace)).tag).toBe('AuthSuccessful')
  expect((await reset(server.openBrowser(), claim)).statusCode).toBe(200)
})

test('forced reset: the one-time link does not get past it, a new password does', async () => {
  const server = await startWithAda()
  await server.db.updateTable('users').set({ userForcedReset: 1 }).execute()
  const browser = server.openBrowser()
  expect(await browser.call(routes.magiclinkRedeem, await askForLink(server))).toEqual({ tag: 'AuthFailureForcedReset' })
  await reset(browser, await askForReset(server))
  expect((await browser.signIn({ ...ada, password: newPassword })).tag).toBe('AuthSuccessful')
})

test('TH-02: a disabled password is enabled by a reset', async () => {
  const server = await startWithAda()
  await server.openBrowser().signIn({ ...ada, password: 'wrong' })
  await server.db.updateTable('failed_logins').set({ failedLoginAttempts: 100 }).execute()
  expect(await server.openBrowser().signIn()).toEqual(failed)
  await reset(server.openBrowser(), await askForReset(server))
  expect((await server.openBrowser().signIn({ ...ada, password: newPassword })).tag).toBe('AuthSuccessful')
})

test('the owner of a locked account is told once a day, whoever locked it', async () => {
  const server = await startWithAda()
  const lock = async () => {
    for (let i = 0; i < 10; i++) await server.openBrowser().signIn({ ...ada, password: 'wrong' })
  }
  const told = async () => (await server.deliver()).length
  await lock()
  expect(await told()).toBe(1)
  server.clock.advance(minutes(2))
  await lock()
  expect(await told()).toBe(1)
  server.clock.advance(minutes(60 * 24))
  await lock()
  expect(await told()).toBe(2)
  for (let i = 0; i < 10; i++) await server.openBrowser().signIn({ username: 'nobody@example.com', password: 'wrong' })
  expect(await told()).toBe(2)
})

test('that the password is disabled is told on its own, and where the tries came from', async () => {
  const server = await startWithAda()
  const stranger = server.openBrowser({ address: '203.0.113.66' })
  await server.openBrowser({ address: '192.0.2.1' }).signIn()
  for (let i = 0; i < 10; i++)
    await stranger.send('POST', routes.verifyOTP.path, { ...otpOf({ ...ada, password: 'wrong' }), otpVerification: 1 })
  const [paused] = await server.deliver()
  expect([paused?.subject, paused?.text]).toEqual([expect.stringContaining('paused'), expect.stringContaining('203.0.113.66')])
  await server.db.updateTable('failed_logins').set({ failedLoginAttempts: 99, failedLoginLockExpires: null }).execute()
  server.clock.advance(minutes(10))
  await server.openBrowser().signIn({ ...ada, password: 'wrong' })
  const [disabled, ...before] = await server.deliver()
  expect([disabled?.subject, before.length]).toEqual([expect.stringContaining('switched off'), 1])
})

test('an invitation that a stranger asks about again is as long as it was', async () => {
  const server = await startServer()
  await server.addUser()
  await server.db.updateTable('users').set({ userPassword: null }).execute()
  await askForReset(server)
  const [mail] = await server.deliver()
  expect(mail?.subject).toContain('Set up your account')
  const claim = await linkTo(server, 'new-password')
  server.clock.advance(minutes(60 * 23))
  expect((await lookAt(server, 'new-password', claim)).state).toBe('Good')
})

test('a forced reset wants another password than the one there was', async () => {
  const server = await startWithAda()
  await server.db.updateTable('users').set({ userForcedReset: 1 }).execute()
  const claim = await askForReset(server)
  const same = await reset(server.openBrowser(), claim, ada.password)
  expect([same.statusCode, same.json()]).toEqual([400, { error: 'newpassword: must be another one than before' }])
  expect((await reset(server.openBrowser(), claim)).statusCode).toBe(200)
})

test('a browser that is known stays known by a one-time link', async () => {
  const server = await startWithAda()
  const browser = server.openBrowser()
  await browser.enter()
  const cookie = browser.jar.get('gatehouse-browser')
  await browser.call(routes.magiclinkRedeem, await askForLink(server))
  expect(browser.jar.get('gatehouse-browser')).toBe(cookie)
})

test('TH-11: a way to single sign-on is mailed to those alone who use it, and ten times a day at most', async () => {
  const server = await startWithAda()
  const redirect = { tag: 'RedirectSSOLogin', contents: 'Google' }
  const ask = async () => {
    await server.openBrowser().call(routes.magiclinkSend, [{ email: ada.username, redirect }])
    return (await server.deliver()).length
  }
  expect(await ask()).toBe(0)
  await server.db.updateTable('users').set({ userGoogleId: 'https://accounts.google.com 1' }).execute()
  let sent = 0
  for (let i = 0; i < 48; i++) {
    sent = await ask()
    server.clock.advance(minutes(30))
  }
  expect(sent).toBeGreaterThan(3)
  expect(sent).toBeLessThanOrEqual(10)
})

test('§3: a one-time link for single sign-on mails the way to the provider, and no token', async () => {
  const server = await startWithAda()
  await server.db.updateTable('users').set({ userGoogleId: 'https://accounts.google.com 1' }).execute()
  const redirect = { tag: 'RedirectSSOLogin', contents: 'Google' }
  await server.openBrowser().call(routes.magiclinkSend, [{ email: ada.username, redirect }])
  const [mail] = await server.deliver()
  expect(mail?.text).toContain('http://localhost:8080/auth/page/plow/ssoLogin?provider=google')
  expect(mail?.text).not.toContain('#')
  expect(await server.db.selectFrom('mail_links').selectAll().execute()).toEqual([])
})

test('unknown, malformed and other kinds of links are unknown', async () => {
  const server = await startWithAda()
  const claim = await askForLink(server)
  expect(await lookAt(server, 'new-password', claim)).toEqual({ state: 'Unknown' })
  for (const [selector, token] of [
    ['', ''],
    [claim.selector, ''],
    [claim.selector, 'x'.repeat(43)],
    ['x'.repeat(22), claim.token],
  ] as const)
    expect(await lookAt(server, 'one-time-link', { selector, token })).toEqual({ state: 'Unknown' })
  expect((await lookAt(server, 'one-time-link', claim)).state).toBe('Good')
})
