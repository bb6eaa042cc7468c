import { accountRoutes, pages, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { minutes, seconds } from '../../src/limits.ts'
import { codeAt, enroll, otpOf } from '../support/authenticator.ts'
import { ada, type Browser } from '../support/harness.ts'
import { asked, check, navigates } from './asked.ts'
import { startWithRules } from './rules-server.ts'

const publicUrl = 'https://sign-in.example.com'
const settings = 'https://grafana.example.com/admin/settings?tab=1'

const rulesText = `
rules:
  - { to: https://grafana.example.com/admin/*, allow: users, require: { fresh: 5m } }
  - { to: https://grafana.example.com/secrets/*, allow: users, require: [second-factor, fresh: 5m] }
  - { to: https://grafana.example.com/*, allow: users }
`
const start = async (env: Record<string, string> = {}) => (await startWithRules(rulesText, env)).server

/** Follows redirects, as a browser does. */
const follow = async (browser: Browser, location: string | undefined) => {
  const way = []
  for (let next = location; next !== undefined; ) {
    way.push(next.replace(publicUrl, '').replace(/return=[\w-]{22}$/, 'return=id'))
    const answer = await browser.get(next.replace(publicUrl, ''), navigates)
    next = answer.headers.location
    if (next === undefined) return { way, shown: answer }
  }
  throw new Error('there is no location')
}

test('a rule with `fresh` requires a new sign-in, which returns to the exact address', async () => {
  const server = await start()
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  const before = new Map(browser.jar)
  expect((await check(browser, settings)).status).toBe(200)
  server.clock.advance(minutes(5) - 1)
  expect((await check(browser, settings)).status).toBe(200)
  server.clock.advance(1)

  const call = await check(browser, settings)
  expect([call.status, call.location, JSON.parse(call.body)]).toEqual([
    401,
    undefined,
    { error: 'session: a recent sign-in is required here' },
  ])
  expect(call.headers['www-authenticate']).toBe(
    'Bearer error="insufficient_user_authentication", error_description="A more recent sign-in is required", max_age="300"',
  )
  expect(call.headers['remote-user']).toBeUndefined()
  const byLocation = await check(browser, settings, navigates)
  expect([byLocation.status, byLocation.location]).toEqual([401, expect.stringMatching(/\/\?return=[\w-]{22}$/)])
  const led = await check(browser, settings, navigates, '/auth/forward')
  expect(led.status).toBe(302)

  const { way, shown } = await follow(browser, led.location)
  expect(way).toEqual(['/?return=id', '/sign-in-again?return=id', '/?return=id'])
  expect([shown.statusCode, shown.body.includes('to continue to grafana.example.com, which asks you to sign in again')]).toEqual([
    200,
    true,
  ])
  // The session remains valid, even for pages that watch it, but the sign-in page does not redirect a signed-in user away.
  expect((await check(browser, 'https://grafana.example.com/d/x')).status).toBe(200)
  expect(await browser.call(routes.sessionCheck, {})).toEqual({ signedIn: true, signingInAgain: true })

  const outcome = await browser.signIn()
  if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
  const arrived = await browser.get(pages.token(outcome.contents.authTokenSelector, outcome.contents.authTokenToken), navigates)
  expect([arrived.statusCode, arrived.headers.location]).toEqual([303, settings])
  expect((await check(browser, settings)).status).toBe(200)
  expect(await browser.call(routes.sessionCheck, {})).toEqual({ signedIn: true })
  expect((await browser.get('/', navigates)).headers.location).toBe('/account')
  // The new session replaces the old one.
  const cookie = [...before].map(([name, value]) => `${name}=${value}`).join('; ')
  expect((await server.openBrowser().get('/auth/request', { ...asked(settings), cookie })).statusCode).toBe(401)
})

test('the cookie that shows the sign-in page to a signed-in user works for one session, for ten minutes', async () => {
  const server = await start()
  await server.addUser()
  const [one, other] = [server.openBrowser(), server.openBrowser()]
  for (const browser of [one, other]) await browser.enter()
  await one.get('/sign-in-again', navigates)
  const states = () => Promise.all([one, other].map(browser => browser.call(routes.sessionCheck, {})))
  expect(await states()).toEqual([{ signedIn: true, signingInAgain: true }, { signedIn: true }])
  const [name = '', value = ''] = [...one.jar].find(([name]) => name.endsWith('-again')) ?? []
  expect((await one.get('/', navigates)).statusCode).toBe(200)
  other.jar.set(name, value)
  expect((await other.get('/', navigates)).statusCode).toBe(303)
  expect(await states()).toEqual([{ signedIn: true, signingInAgain: true }, { signedIn: true }])
  const { cookies } = await one.get('/sign-in-again', navigates)
  expect(cookies.find(cookie => cookie.name === name)).toMatchObject({ maxAge: 600, httpOnly: true, secure: true })
  await one.call(routes.logoutBySelf, {})
  expect(await states()).toEqual([{ signedIn: false }, { signedIn: true }])
  const signedOut = server.openBrowser()
  expect((await signedOut.get('/sign-in-again?return=https://evil.example/', navigates)).headers.location).toBe('/')
  expect([...signedOut.jar.keys()]).not.toContain(name)
})

test('the password alone does not renew the proof of the second factor', async () => {
  const server = await start({ GATEHOUSE_SECOND_FACTOR: 'skippable' })
  await server.addUser()
  const browser = server.openBrowser()
  const { secret } = await enroll(browser, server.clock)
  server.clock.advance(seconds(30))
  const enter = async () => {
    const outcome = await browser.call(routes.verifyOTP, { ...otpOf(ada), otpVerification: await codeAt(secret, server.clock.at) })
    if (outcome.tag !== 'AuthSuccessful') throw new Error(outcome.tag)
    await browser.call(routes.plowlogin, outcome.contents)
  }
  await enter()
  const secrets = 'https://grafana.example.com/secrets/x'
  const statuses = async () => [(await check(browser, settings)).status, (await check(browser, secrets)).status]
  expect(await statuses()).toEqual([200, 200])
  server.clock.advance(minutes(6))
  expect(await statuses()).toEqual([401, 401])
  // Attack: a stolen session and the password.
  await browser.call(accountRoutes.userPasswordConfirm, { password: ada.password })
  expect(await statuses()).toEqual([200, 401])
  await enter()
  expect(await statuses()).toEqual([200, 200])
})

test('the page that requires a second factor links to a new sign-in', async () => {
  const server = await start({ GATEHOUSE_SECOND_FACTOR: 'skippable' })
  await server.addUser()
  const browser = server.openBrowser()
  const offered = await browser.signIn()
  if (offered.tag !== 'AuthRequiresFactorCreation') throw new Error(offered.tag)
  const skipped = await browser.call(routes.setupOTP, { ...otpOf(ada), otpFactorUUID: offered.contents.factorUUID })
  if (skipped.tag !== 'AuthSuccessful') throw new Error(skipped.tag)
  await browser.call(routes.plowlogin, skipped.contents)
  const { location } = await check(browser, 'https://grafana.example.com/secrets/x', navigates)
  const { shown } = await follow(browser, location)
  expect([shown.statusCode, shown.body.includes('Second factor required')]).toEqual([403, true])
  const [, href] = /href="(\/sign-in-again\?return=[\w-]{22})"/.exec(shown.body) ?? []
  expect((await follow(browser, href)).shown.statusCode).toBe(200)
})

test('a form sent after the proof expired gets a page with the reason, and with a link that opens sign-in in a new tab', async () => {
  const server = await start()
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  server.clock.advance(minutes(6))
  const { status, headers, body } = await check(browser, settings, { ...navigates, 'x-forwarded-method': 'POST' }, '/auth/forward')
  expect([status, headers['content-type']]).toEqual([401, 'text/html; charset=utf-8'])
  expect(headers['www-authenticate']).toContain('insufficient_user_authentication')
  for (const text of [
    'Confirm that it’s you',
    'Nothing was sent. grafana.example.com requires',
    `href="${publicUrl}/sign-in-again" target="_blank" rel="noopener"`,
    '>Back</a>',
    `href="${settings}"`,
  ])
    expect(body).toContain(text)
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  )
  const call = await check(browser, settings, { 'x-forwarded-method': 'POST', 'sec-fetch-mode': 'cors' }, '/auth/forward')
  expect([call.status, JSON.parse(call.body)]).toEqual([401, { error: 'session: a recent sign-in is required here' }])
})
