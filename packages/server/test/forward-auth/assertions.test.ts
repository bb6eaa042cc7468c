import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { expect, test, vi } from 'vitest'
import { createDatabaseRotation } from '../../src/cli/key-rotation.ts'
import { rotateAssertionKey } from '../../src/cli/rotate-assertion-key.ts'
import { createAssertions, factsOfSession } from '../../src/forward-auth/assertions/assertions.ts'
import { createKeyring } from '../../src/keys/keyring.ts'
import { limits, minutes, seconds } from '../../src/limits.ts'
import type { Session } from '../../src/sessions/session.ts'
import { enroll } from '../support/authenticator.ts'
import { ada, admin, type Browser, startServer } from '../support/harness.ts'

const env = {
  GATEHOUSE_PUBLIC_URL: 'https://sign-in.example.com',
  GATEHOUSE_COOKIE_DOMAIN: 'example.com',
  GATEHOUSE_ADMINS: admin.username,
  GATEHOUSE_PROTECTED_ORIGINS: 'https://grafana.example.com, https://netdata.example.com administrators',
}
type Server = Awaited<ReturnType<typeof startServer>>

const check = (browser: Browser, host = 'grafana.example.com') =>
  browser.get('/auth/request', { 'x-forwarded-proto': 'https', 'x-forwarded-host': host, 'x-forwarded-uri': '/' })
const assertionOf = async (browser: Browser, host?: string) => {
  const { statusCode, headers } = await check(browser, host)
  expect(statusCode).toBe(200)
  return String(headers['gatehouse-assertion'])
}
const keySet = async (server: Server) => {
  const answer = await server.openBrowser().get('/.well-known/jwks.json')
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'public, max-age=300'])
  return answer.json() as { keys: Record<string, string>[] }
}
const verify = async (server: Server, token: string, audience = 'https://grafana.example.com') => {
  const options = { issuer: env.GATEHOUSE_PUBLIC_URL, audience, currentDate: new Date(server.clock.at), algorithms: ['ES256'] }
  return (await jwtVerify(token, createLocalJWKSet(await keySet(server)), options)).payload
}
const openServer = async () => {
  const server = await startServer({ env })
  const userId = await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  return { server, userId, browser }
}
const kidOf = (token: string) => decodeProtectedHeader(token).kid
/** The CLI's view of the server's database. */
const cli = ({ config, db, clock }: Server, ...options: string[]) => ({
  args: [],
  options: new Map(options.map(name => [name, ''])),
  data: vi.fn(),
  config,
  database: { db, clock: { now: () => clock.at } } as Parameters<typeof rotateAssertionKey>[0]['database'],
  write: vi.fn(),
})

test('sends a signed identity that names issuer, audience, user, groups and authentication, and expires after one minute', async () => {
  const { server, userId, browser } = await openServer()
  const signedIn = Math.floor(server.clock.at / 1000)
  server.clock.advance(minutes(2))
  const issued = Math.floor(server.clock.at / 1000)
  const token = await assertionOf(browser)
  expect(await verify(server, token)).toEqual({
    iss: 'https://sign-in.example.com',
    aud: 'https://grafana.example.com',
    sub: userId,
    email: ada.username,
    groups: ['users'],
    acr: 'sfa',
    auth_time: signedIn,
    iat: issued,
    exp: issued + 60,
  })
  await expect(verify(server, token, 'https://netdata.example.com')).rejects.toThrow(/aud/)
  server.clock.advance(seconds(61))
  await expect(verify(server, token)).rejects.toThrow(/exp/)
})

test('the signed identity says that the user passed a second factor', async () => {
  const server = await startServer({ env: { ...env, GATEHOUSE_SECOND_FACTOR: 'required' } })
  await server.addUser(admin)
  const browser = server.openBrowser()
  await enroll(browser, server.clock, admin)
  const { acr, amr, groups } = await verify(server, await assertionOf(browser, 'netdata.example.com'), 'https://netdata.example.com')
  expect({ acr, amr, groups }).toEqual({ acr: 'mfa', amr: ['otp', 'mfa'], groups: ['administrators'] })
})

test('sends no signed identity with a refusal', async () => {
  const { server, browser } = await openServer()
  for (const answer of [
    await check(server.openBrowser()),
    await check(browser, 'netdata.example.com'),
    await check(browser, 'elsewhere.example.com'),
  ])
    expect([answer.statusCode >= 400, answer.headers['gatehouse-assertion']]).toEqual([true, undefined])
})

test('signs once for each session, origin and 30 seconds, and again as soon as a fact changes', async () => {
  const { server, browser, userId } = await openServer()
  const first = await assertionOf(browser)
  server.clock.advance(seconds(29))
  expect(await assertionOf(browser)).toBe(first)
  const ofUser = (values: { userIdent?: string; userGroups?: string }) =>
    server.db.updateTable('users').set(values).where('userId', '=', userId).execute()
  const ofSession = (values: { sessionFactor?: 'Passkey' | 'Push'; sessionConfirmed?: number }) =>
    server.db.updateTable('sessions').set(values).where('sessionUser', '=', userId).execute()
  const issued = new Set([first])
  for (const [change, changed] of [
    [() => ofUser({ userIdent: 'countess@example.com' }), { email: 'countess@example.com' }],
    [() => ofUser({ userGroups: 'oncall' }), { groups: ['users', 'oncall'] }],
    [() => ofSession({ sessionFactor: 'Push' }), { acr: 'mfa', amr: ['swk', 'user', 'mfa'] }],
    [() => ofSession({ sessionFactor: 'Passkey' }), { acr: 'phr', amr: ['pop', 'user', 'mfa'] }],
    [() => ofSession({ sessionConfirmed: server.clock.at }), { auth_time: Math.floor(server.clock.at / 1000) }],
  ] as const) {
    await change()
    const token = await assertionOf(browser)
    expect(await verify(server, token)).toMatchObject(changed)
    expect(issued.has(token)).toBe(false)
    expect(await assertionOf(browser)).toBe(token)
    issued.add(token)
  }
  const second = await assertionOf(browser)
  server.clock.advance(seconds(30))
  expect(await assertionOf(browser)).not.toBe(second)
})

test('keeps at most 10,000 assertions in memory', async () => {
  const { server } = await openServer()
  let at = server.clock.at
  const { config, db } = server
  const assertions = createAssertions({ db, keyring: createKeyring(config.masterKeys), publicUrl: 'https://a.example', now: () => at })
  const session = (n: number) => ({ sessionSelector: String(n), userId: 'u', userIdent: 'a@b.c', sessionFactor: null }) as Session
  const ask = (n: number) =>
    assertions.assertionFor({ ...factsOfSession({ ...session(n), sessionCreated: at }), origin: 'https://o.example', groups: [] })
  await Promise.all(Array.from({ length: limits.assertion.kept + 5 }, (_, n) => ask(n)))
  expect(assertions.size()).toBe(limits.assertion.kept)
  at += limits.assertion.reuse
  await ask(1)
  expect(assertions.size()).toBe(1)
})

test('publishes a new key ten minutes before signing with it, and the old key for an hour after the change', async () => {
  const { server, browser } = await openServer()
  const old = kidOf(await assertionOf(browser))
  await rotateAssertionKey(cli(server))
  server.clock.advance(minutes(2))
  const published = (await keySet(server)).keys.map(({ kid }) => kid)
  const [newest] = published
  expect(published).toEqual([newest, old])
  expect(kidOf(await assertionOf(browser))).toBe(old)
  server.clock.advance(minutes(9))
  const token = await assertionOf(browser)
  expect([kidOf(token), (await verify(server, token)).email]).toEqual([newest, ada.username])
  server.clock.advance(minutes(50))
  await server.backgroundJobs.purge()
  expect((await keySet(server)).keys).toHaveLength(2)
  server.clock.advance(minutes(11))
  await server.backgroundJobs.purge()
  expect((await keySet(server)).keys.map(({ kid }) => kid)).toEqual([newest])
})

test('replaces a stolen key within a minute', async () => {
  const { server, browser } = await openServer()
  const stolen = await assertionOf(browser)
  await rotateAssertionKey(cli(server, 'now'))
  server.clock.advance(minutes(1))
  const token = await assertionOf(browser)
  expect(kidOf(token)).not.toBe(kidOf(stolen))
  expect((await keySet(server)).keys.map(({ kid }) => kid)).toEqual([kidOf(token)])
  const events = await server.db.selectFrom('audit').select('auditActor').where('auditEvent', '=', 'assertion-key-rotated').execute()
  expect(events).toEqual([{ auditActor: 'cli' }])
})

test('publishes no private key, and stores it encrypted with the current master key', async () => {
  const { server } = await openServer()
  for (const key of (await keySet(server)).keys) expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  const file = join(server.folder, 'master.key')
  await writeFile(file, `${randomBytes(32).toString('base64')}\n${await readFile(file, 'utf8')}`)
  const keyring = createKeyring(server.config.masterKeys)
  const now = () => server.clock.at
  const sealed = () => server.db.selectFrom('signing_keys').select('signingKeyPrivate').executeTakeFirstOrThrow()
  const before = await sealed()
  await createDatabaseRotation({ db: server.db, keyring, now, wait: async () => {} }).run()
  const after = await sealed()
  expect(after.signingKeyPrivate.startsWith(keyring.prefix())).toBe(true)
  expect(after).not.toEqual(before)
})

test('creates a new key if no master key decrypts the stored one', async () => {
  const { server } = await openServer()
  const { config, db, clock } = server
  const keyring = createKeyring(() => [randomBytes(32), ...config.masterKeys().slice(1)])
  const assertions = createAssertions({ db, keyring, publicUrl: 'https://a.example', now: () => clock.at })
  const { keys } = await assertions.keySet()
  expect(keys).toHaveLength(2)
})

test('servers that start at the same time use one key', async () => {
  const { server } = await openServer()
  await server.db.deleteFrom('signing_keys').execute()
  const { config, db, clock } = server
  const keyring = createKeyring(config.masterKeys)
  const open = () => createAssertions({ db, keyring, publicUrl: 'https://a.example', now: () => clock.at })
  const sets = await Promise.all([open(), open(), open()].map(assertions => assertions.keySet()))
  expect(new Set(sets.map(({ keys }) => keys[0]?.kid)).size).toBe(1)
})

test('answers 404 for the keys if no application is protected', async () => {
  const server = await startServer()
  expect((await server.openBrowser().get('/.well-known/jwks.json')).statusCode).toBe(404)
  expect(await server.db.selectFrom('signing_keys').selectAll().execute()).toEqual([])
})

test('the code in the documentation reads the user from a request, and refuses a token for another application', async () => {
  const { server, browser } = await openServer()
  const page = await readFile(join(import.meta.dirname, '../../../../docs/protecting/signed-identity.md'), 'utf8')
  const [, code = ''] = /```js\n(.*?)```/s.exec(page) ?? []
  const body = code.replace(/^import .*$/m, '').replace('export const', 'return')
  const jose = {
    createRemoteJWKSet:
      (url: URL) =>
      async (...args: Parameters<ReturnType<typeof createLocalJWKSet>>) => {
        const { keys } = (await server.openBrowser().get(url.pathname)).json()
        return createLocalJWKSet({ keys })(...args)
      },
    jwtVerify: (...[token, keys, options]: Parameters<typeof jwtVerify<unknown>>) =>
      jwtVerify(token, keys as never, { ...options, currentDate: new Date(server.clock.at) }),
  }
  const userOf = new Function('createRemoteJWKSet', 'jwtVerify', body.replace('return userOf =', 'return'))(
    jose.createRemoteJWKSet,
    jose.jwtVerify,
  )
  const request = (token: string | undefined) => ({ headers: { 'gatehouse-assertion': token } })
  expect((await userOf(request(await assertionOf(browser)))).email).toBe(ada.username)
  await expect(userOf(request(undefined))).rejects.toThrow()
  const other = { config: server.config, db: server.db, keyring: createKeyring(server.config.masterKeys), now: () => server.clock.at }
  const session = { sessionSelector: 's', userId: 'u', userIdent: 'a@b.c', sessionFactor: null, sessionCreated: server.clock.at } as Session
  const forOther = await createAssertions({ ...other, publicUrl: 'https://sign-in.example.com' }).assertionFor({
    ...factsOfSession(session),
    origin: 'https://netdata.example.com',
    groups: [],
  })
  await expect(userOf(request(forOther))).rejects.toThrow(/aud/)
})
