import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { limits, seconds } from '../../src/limits.ts'
import { freePort } from '../support/free-port.ts'
import { type Claims, type Faults, type IdentityProvider, json } from './identity-provider.ts'
import {
  adaAtProvider,
  finishSignIn,
  isRefusal,
  results,
  returnFromProvider,
  type Server,
  signInAtProvider,
  startAtProvider,
  startLinked,
  startWithProvider,
} from './sso-sign-in.ts'

/** The log entries about the Google provider. */
const logged = (server: Server) =>
  server.logged.map(line => JSON.parse(line) as Record<string, unknown>).filter(line => line.provider === 'google')

const noAnswer = 'Google isn’t responding'

test('OI-10: reports an error from the provider with its meaning, and logs its code', async () => {
  const { idp, server } = await startLinked()
  const cases = [
    ['temporarily_unavailable', noAnswer, 'temporarily_unavailable'],
    ['server_error', noAnswer, 'server_error'],
    ['invalid_scope', 'Sign-in with Google failed', 'invalid_scope'],
    // Does not repeat anything that is not an error code.
    ['<script>alert(1)</script>', 'Sign-in with Google failed', '?'],
    ['a'.repeat(65), 'Sign-in with Google failed', '?'],
  ] as const
  for (const [error, words, code] of cases) {
    server.logged.splice(0)
    const browser = server.openBrowser()
    const back = await idp.visit((await startAtProvider(browser)).headers.location, 'cancel')
    back.searchParams.set('error', error)
    back.searchParams.set('error_description', 'SECRET-OF-THE-PROVIDER')
    const answer = await returnFromProvider(browser, back)
    expect([error, await isRefusal(answer, browser), answer.body.includes(words)]).toEqual([error, true, true])
    expect(answer.body.includes('Try again')).toBe(words === noAnswer)
    expect(logged(server)).toMatchObject([{ error: code, msg: 'provider returned an error' }])
    expect(server.logged.join('')).not.toContain('SECRET')
  }
  expect((await results(server)).slice(1)).toEqual([
    'google: unavailable',
    'google: unavailable',
    ...Array<string>(3).fill('google: failed'),
  ])
  // A user who cancels is not a provider fault.
  server.logged.splice(0)
  const browser = server.openBrowser()
  expect((await signInAtProvider(browser, idp, 'cancel')).body).toContain('Sign-in canceled')
  expect(logged(server)).toEqual([])
})

test('OI-10: does not redirect to a provider that has become unreachable since the last contact', async () => {
  const { idp, server } = await startWithProvider()
  expect((await startAtProvider(server.openBrowser())).statusCode).toBe(303)
  await idp.stop()
  server.logged.splice(0)
  const browser = server.openBrowser()
  const out = await startAtProvider(browser)
  expect([out.statusCode, out.headers.location, out.body.includes(noAnswer)]).toEqual([409, undefined, true])
  expect(logged(server)).toMatchObject([{ cause: 'ECONNREFUSED', msg: 'provider could not be reached' }])
})

test('OI-10: for two minutes, the sign-in page tells every browser that a provider did not respond', async () => {
  const { idp, server } = await startWithProvider()
  const page = async () => {
    const answer = await server.openBrowser().get('/', { accept: 'text/html' })
    const [, id = '', text] = /<p class="[^"]*" id="([^"]+)">(Google [^<]+)<\/p>/.exec(answer.body) ?? []
    if (text) expect(answer.body, 'the line describes the button').toContain(`aria-describedby="${id}"`)
    return { text, etag: answer.headers.etag, body: answer.body }
  }
  const before = await page()
  expect(before.text).toBeUndefined()
  idp.faults.discovery = json(503, {})
  await startAtProvider(server.openBrowser())
  const during = await page()
  expect(during.text).toBe('Google didn’t respond a moment ago')
  expect(during.etag).not.toBe(before.etag)
  server.clock.advance(seconds(60))
  expect((await page()).text).toBe('Google didn’t respond a minute ago')
  // A wrong password does not remove the line.
  const browser = server.openBrowser()
  await browser.submit('/', { username: 'ada@example.com', password: 'wrong horse' })
  expect((await browser.get('/', { accept: 'text/html' })).body).toContain('Google didn’t respond a minute ago')
  server.clock.advance(seconds(60))
  expect(await page(), 'costs nothing afterwards').toEqual(before)
})

test('OI-10: the unavailability line disappears once the provider answers a sign-in, and an error in a browser’s callback request does not show it', async () => {
  const { idp, server } = await startLinked()
  const isShown = async () => (await server.openBrowser().get('/', { accept: 'text/html' })).body.includes('didn’t respond')
  const browser = server.openBrowser()
  const forged = await idp.visit((await startAtProvider(browser)).headers.location, 'cancel')
  forged.searchParams.set('error', 'server_error')
  expect((await returnFromProvider(browser, forged)).body).toContain(noAnswer)
  expect(await isShown()).toBe(false)
  idp.faults.discovery = json(503, {})
  await startAtProvider(server.openBrowser())
  expect(await isShown()).toBe(true)
  delete idp.faults.discovery
  await signInAtProvider(server.openBrowser(), idp)
  expect(await isShown()).toBe(false)
})

test('OI-10: does not redirect to a sign-in page whose proxy has no provider behind it, or whose host is down', async () => {
  const { idp, server } = await startWithProvider()
  const leave = async () => {
    const browser = server.openBrowser()
    const out = await startAtProvider(browser)
    return out.statusCode === 303 ? 'goes' : out.body.includes(noAnswer) ? 'stays' : out.statusCode
  }
  expect(await leave()).toBe('goes')
  for (const status of [502, 503, 504]) {
    idp.faults.discovery = json(status, {})
    expect([status, await leave()]).toEqual([status, 'stays'])
  }
  expect(logged(server).at(-1)).toMatchObject({ status: 504 })
  delete idp.faults.discovery
  expect(await leave()).toBe('goes')

  const metadata = (authorization_endpoint: string) => {
    server.clock.advance(limits.provider.remembered)
    idp.faults.metadata = all => ({ ...all, authorization_endpoint })
  }
  metadata(`http://127.0.0.1:${await freePort()}/auth`)
  expect(await leave()).toBe('stays')
  // Also the second time, when the provider's metadata is cached.
  expect(await leave()).toBe('stays')
  const otherServer = await startWithProvider()
  metadata(`${otherServer.idp.issuer}/auth`)
  expect(await leave()).toBe('goes')
  expect(await leave()).toBe('goes')
  await otherServer.idp.stop()
  expect(await leave()).toBe('stays')
})

test('OI-08: a hundred concurrent visitors cause fewer than 30 requests to the provider', async () => {
  const { idp, server } = await startWithProvider()
  expect((await startAtProvider(server.openBrowser())).statusCode).toBe(303)
  idp.asked.splice(0)
  const out = await Promise.all(Array.from({ length: 100 }, () => startAtProvider(server.openBrowser())))
  expect(new Set(out.map(({ statusCode }) => statusCode))).toEqual(new Set([303]))
  expect(idp.asked.length).toBeLessThan(30)
})

test('OI-10: a provider that fails during the code exchange counts as unavailable; the log has the status, error or network cause', async () => {
  const { idp, server } = await startLinked()
  const faults: [Faults['token'], string, object][] = [
    [json(503, {}), noAnswer, { status: 503 }],
    [json(429, {}), noAnswer, { status: 429 }],
    [json(500, {}), noAnswer, { status: 500 }],
    [json(400, { error: 'temporarily_unavailable' }), noAnswer, { error: 'temporarily_unavailable' }],
    [response => void response.destroy(), noAnswer, { cause: 'ECONNRESET' }],
    [
      json(401, { error: 'invalid_client', error_description: 'SECRET' }),
      'Sign-in with Google failed',
      { error: 'invalid_client', status: 401 },
    ],
    [json(400, { error: 'SECRET <b>' }), 'Sign-in with Google failed', { error: '?', status: 400 }],
  ]
  for (const [token, words, line] of faults) {
    server.logged.splice(0)
    Object.assign(idp.faults, { token })
    const browser = server.openBrowser()
    const answer = await signInAtProvider(browser, idp)
    expect([line, await isRefusal(answer, browser), answer.body.includes(words)]).toEqual([line, true, true])
    expect(logged(server)).toMatchObject([line])
    for (const secret of ['SECRET', idp.client.secret, ...idp.given.filter(Boolean)]) expect(server.logged.join('')).not.toContain(secret)
  }
  delete idp.faults.token
  const browser = server.openBrowser()
  const back = await idp.visit((await startAtProvider(browser)).headers.location, adaAtProvider.sub)
  server.logged.splice(0)
  await idp.stop()
  expect((await returnFromProvider(browser, back)).body).toContain(noAnswer)
  expect(logged(server)).toMatchObject([{ cause: 'ECONNREFUSED' }])
})

/** Rotates the provider's key: what it publishes and what it signs with. */
const rotateTo = (idp: IdentityProvider, kid: string | undefined, key: KeyObject) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  idp.faults.idToken = (claims: Claims) => {
    const text = `${part({ alg: 'RS256', typ: 'JWT', ...(kid && { kid }) })}.${part(claims)}`
    return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
  }
  idp.faults.jwks = json(200, { keys: [{ ...createPublicKey(key).export({ format: 'jwk' }), use: 'sig', ...(kid && { kid }) }] })
}
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const asksFor = (idp: IdentityProvider, path: string) => idp.asked.filter(asked => asked.path === path).length

test('OI-10: fetches a provider’s rotated key at once and sends the code once', async () => {
  const { idp, server } = await startLinked()
  for (const kid of ['second', 'third', undefined, undefined]) {
    // Under a new key id, or without any.
    rotateTo(idp, kid, newKey())
    idp.asked.splice(0)
    const browser = server.openBrowser()
    await finishSignIn(browser, await signInAtProvider(browser, idp))
    expect(asksFor(idp, '/token')).toBe(1)
    server.clock.advance(limits.provider.refreshed)
  }
})

test('OI-10: ten users who return right after the provider rotates its key all sign in', async () => {
  const { idp, server } = await startLinked()
  const browsers = Array.from({ length: 10 }, () => server.openBrowser())
  const backs = await Promise.all(
    browsers.map(async browser => ({
      browser,
      back: await idp.visit((await startAtProvider(browser)).headers.location, adaAtProvider.sub),
    })),
  )
  rotateTo(idp, 'next', newKey())
  await Promise.all(backs.map(async ({ browser, back }) => finishSignIn(browser, await returnFromProvider(browser, back))))
})

test('OI-10: fetches a provider’s keys at most once in ten seconds when the provider signs with an unpublished key', async () => {
  const { idp, server } = await startLinked()
  const published = newKey()
  rotateTo(idp, 'published', published)
  const { jwks } = idp.faults
  const attempt = async () => {
    const browser = server.openBrowser()
    return isRefusal(await signInAtProvider(browser, idp), browser)
  }
  rotateTo(idp, 'unpublished', newKey())
  Object.assign(idp.faults, { jwks })
  idp.asked.splice(0)
  for (let i = 0; i < 5; i++) expect(await attempt()).toBe(true)
  expect(asksFor(idp, '/jwks')).toBe(1)
  server.clock.advance(limits.provider.refreshed - 1)
  expect(await attempt()).toBe(true)
  expect(asksFor(idp, '/jwks')).toBe(1)
  server.clock.advance(1)
  expect(await attempt()).toBe(true)
  expect(asksFor(idp, '/jwks')).toBe(2)
  expect(limits.provider.refreshed).toBe(seconds(10))
  // Fetching the keys again does not make a bad signature valid.
  rotateTo(idp, 'published', newKey())
  Object.assign(idp.faults, { jwks })
  server.clock.advance(limits.provider.refreshed)
  expect(await attempt()).toBe(true)
})
