import { createPublicKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { limits, minutes } from '../../src/limits.ts'
import { dumpTables } from '../support/tables.ts'
import { anotherKey, type Faults, json, publicKey } from './identity-provider.ts'
import {
  adaAtProvider,
  finishSignIn,
  isRefusal,
  results,
  returnFromProvider,
  signInAtProvider,
  startAtProvider,
  startLinked,
  startWithProvider,
} from './sso-sign-in.ts'

test('OI-01: each journey has its own state, nonce and PKCE challenge, and requests only identity scopes', async () => {
  const { idp, server } = await startWithProvider()
  const seen = new Set<string>()
  for (let i = 0; i < 5; i++) {
    const out = await startAtProvider(server.openBrowser())
    expect(out.statusCode).toBe(303)
    const url = new URL(String(out.headers.location))
    expect(url.origin).toBe(idp.issuer)
    const { state, nonce, code_challenge, ...rest } = Object.fromEntries(url.searchParams)
    expect(rest).toEqual({
      client_id: idp.client.id,
      response_type: 'code',
      redirect_uri: 'http://localhost:8080/auth/sso/google/callback',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
    })
    // 22 characters of base64url hold 128 bits.
    for (const value of [state, nonce, code_challenge]) {
      expect(value).toMatch(/^[\w-]{22,}$/)
      seen.add(value ?? '')
    }
    const [cookie] = out.cookies
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', maxAge: limits.ssoJourney.lifetime / 1000 })
    expect(cookie?.value).toMatch(/^[\w-]{22,}$/)
    for (const secret of [state, cookie?.value]) expect(await dumpTables(server.db)).not.toContain(secret)
  }
  expect(seen.size).toBe(15)
  expect(limits.ssoJourney.lifetime).toBe(minutes(10))
})

test('OI-01: refuses a state that is used, forged, duplicated, ten minutes old or from another browser; a wrong state does not end the owner’s journey', async () => {
  const { idp, server } = await startLinked()
  const mine = server.openBrowser()
  const out = await startAtProvider(mine)
  const back = await idp.visit(out.headers.location, adaAtProvider.sub)
  const other = server.openBrowser()
  expect(await isRefusal(await returnFromProvider(other, back), other)).toBe(true)
  await startAtProvider(other)
  expect(await isRefusal(await returnFromProvider(other, back), other)).toBe(true)
  for (const change of [
    (url: URL) => url.searchParams.set('state', 'x'.repeat(43)),
    (url: URL) => url.searchParams.delete('state'),
    (url: URL) => url.searchParams.set('state', ''),
    (url: URL) => url.searchParams.append('state', 'x'),
  ]) {
    const changed = new URL(back)
    change(changed)
    expect(await isRefusal(await returnFromProvider(mine, changed), mine)).toBe(true)
  }
  await finishSignIn(mine, await returnFromProvider(mine, back))
  const again = server.openBrowser()
  for (const [name, value] of mine.jar) if (name !== 'gatehouse-session') again.jar.set(name, value)
  expect(await isRefusal(await returnFromProvider(again, back), again)).toBe(true)

  for (const [late, refused] of [
    [minutes(10) - 1, false],
    [minutes(10), true],
  ] as const) {
    const browser = server.openBrowser()
    const { headers } = await startAtProvider(browser)
    const url = await idp.visit(headers.location, adaAtProvider.sub)
    server.clock.advance(late)
    expect([late, await isRefusal(await returnFromProvider(browser, url), browser)]).toEqual([late, refused])
  }
})

test('OI-01: refuses another journey’s code, because its PKCE verifier differs', async () => {
  const { idp, server } = await startLinked()
  const attacker = server.openBrowser()
  const stolen = await idp.visit((await startAtProvider(attacker)).headers.location, adaAtProvider.sub)
  const browser = server.openBrowser()
  const own = await idp.visit((await startAtProvider(browser)).headers.location, adaAtProvider.sub)
  own.searchParams.set('code', stolen.searchParams.get('code') ?? '')
  expect(await isRefusal(await returnFromProvider(browser, own), browser)).toBe(true)
})

test('A12, OI-01: refuses one provider’s state on another provider’s callback', async () => {
  const { idp, server } = await startLinked({ as: ['GOOGLE', 'AZURE'] })
  const browser = server.openBrowser()
  const back = await idp.visit((await startAtProvider(browser, 'google')).headers.location, adaAtProvider.sub)
  const wrongPath = new URL(back)
  wrongPath.pathname = back.pathname.replace('google', 'azure')
  expect(await isRefusal(await returnFromProvider(browser, wrongPath), browser)).toBe(true)
  await finishSignIn(browser, await returnFromProvider(browser, back))
})

const now = () => Math.floor(Date.now() / 1000)
type Forge = NonNullable<Faults['idToken']>

const forged: Record<string, Forge> = {
  'alg none': (claims, signed) => signed(claims, 'none'),
  'alg none with the old signature': (claims, signed) => signed(claims, 'none') + signed(claims).split('.')[2],
  'HS256 with the public key': (claims, signed) => signed(claims, 'HS256', publicKey),
  'HS256 with the client secret': (claims, signed) => signed(claims, 'HS256', 'a-client-secret-that-is-long-enough-for-hs256'),
  'another key': (claims, signed) => signed(claims, 'RS256', anotherKey),
  'changed after it was signed': (claims, signed) => {
    const [header, , signature] = signed(claims).split('.')
    return `${header}.${Buffer.from(JSON.stringify({ ...claims, sub: 'grace' })).toString('base64url')}.${signature}`
  },
  'another issuer': (claims, signed) => signed({ ...claims, iss: 'https://accounts.google.com' }),
  'an issuer with a slash more': (claims, signed) => signed({ ...claims, iss: `${claims.iss}/` }),
  'no issuer': ({ iss: _, ...claims }, signed) => signed(claims),
  'another audience': (claims, signed) => signed({ ...claims, aud: 'another-client' }),
  'no audience': ({ aud: _, ...claims }, signed) => signed(claims),
  'several audiences, and nobody it was made for': (claims, signed) => signed({ ...claims, aud: [claims.aud, 'another-client'] }),
  'several audiences, made for another': (claims, signed) =>
    signed({ ...claims, aud: [claims.aud, 'another-client'], azp: 'another-client' }),
  'over for 90 s': (claims, signed) => signed({ ...claims, iat: now() - 400, exp: now() - 90 }),
  'no end': ({ exp: _, ...claims }, signed) => signed(claims),
  'made in the future': (claims, signed) => signed({ ...claims, iat: now() + 600, exp: now() + 900 }),
  'good only later': (claims, signed) => signed({ ...claims, nbf: now() + 600 }),
  'no nonce': ({ nonce: _, ...claims }, signed) => signed(claims),
  'another nonce': (claims, signed) => signed({ ...claims, nonce: 'x'.repeat(43) }),
  'no subject': ({ sub: _, ...claims }, signed) => signed(claims),
  'no token at all': () => 'nonsense',
}

test('OI-02: refuses an ID token unless this provider issued it recently, for this client and this journey', async () => {
  const { idp, server } = await startLinked()
  // The server refuses HS256 and none even if the provider's metadata allows them.
  idp.faults.metadata = metadata => ({ ...metadata, id_token_signing_alg_values_supported: ['RS256', 'ES256', 'PS256', 'HS256', 'none'] })
  server.clock.advance(limits.provider.remembered)
  const got: Record<string, boolean> = {}
  for (const [name, forge] of Object.entries(forged)) {
    idp.faults.idToken = forge
    const browser = server.openBrowser()
    got[name] = await isRefusal(await signInAtProvider(browser, idp), browser)
  }
  expect(got).toEqual(Object.fromEntries(Object.keys(forged).map(name => [name, true])))
  expect((await results(server)).filter(result => result === 'google: failed')).toHaveLength(Object.keys(forged).length)
})

test('OI-02: logs one warning that says why it refuses an identity, without personal data', async () => {
  const tenants = ['11111111-2222-3333-4444-555555555555', '66666666-7777-8888-9999-aaaaaaaaaaaa'] as const
  const { idp, server } = await startWithProvider({ as: ['AZURE'], env: { GATEHOUSE_AZURE_TENANT: tenants.join(',') } })
  idp.faults.metadata = metadata => ({ ...metadata, id_token_signing_alg_values_supported: ['RS256', 'RS512'] })
  // Publish the key without an algorithm, so that the library accepts RS512.
  const { kty, n, e } = createPublicKey(publicKey).export({ format: 'jwk' })
  idp.faults.jwks = json(200, { keys: [{ kty, n, e, kid: 'rsa', use: 'sig' }] })
  const known = { tid: tenants[0], oid: 'object-of-ada' }
  const refused: [reason: string, Forge][] = [
    ['other-tenant', (claims, signed) => signed({ ...claims, ...known, tid: 'cccccccc-7777-8888-9999-aaaaaaaaaaaa' })],
    ['other-tenant', (claims, signed) => signed({ ...claims, oid: 'object-of-ada' })],
    ['algorithm-not-accepted', (claims, signed) => signed({ ...claims, ...known }, 'RS512')],
    ['issued-in-future', (claims, signed) => signed({ ...claims, ...known, iat: now() + 600, exp: now() + 900 })],
    ['unusable-identifier', (claims, signed) => signed({ ...claims, tid: tenants[0] })],
    ['unusable-identifier', (claims, signed) => signed({ ...claims, ...known, oid: 'object of-ada' })],
  ]
  for (const [reason, forge] of refused) {
    server.logged.splice(0)
    idp.faults.idToken = forge
    const browser = server.openBrowser()
    expect([reason, await isRefusal(await signInAtProvider(browser, idp, adaAtProvider.sub, 'azure'), browser)]).toEqual([reason, true])
    const warnings = server.logged.map(line => JSON.parse(line)).filter(({ level }) => level >= 40)
    // Compare all fields, so that the test fails if a claim of the token gets into the log.
    const always = { time: expect.any(Number), pid: expect.any(Number), hostname: expect.any(String) }
    expect(warnings).toEqual([{ ...always, level: 40, provider: 'azure', reason, msg: 'identity from the provider refused' }])
  }
  expect(await results(server)).toEqual(refused.map(() => 'azure: failed'))
})

test('OI-02: accepts valid variations: ES256, PS256, several audiences, and clocks 30 s apart', async () => {
  const { idp, server } = await startLinked()
  idp.faults.metadata = metadata => ({ ...metadata, id_token_signing_alg_values_supported: ['RS256', 'ES256', 'PS256'] })
  server.clock.advance(limits.provider.remembered)
  const right: Record<string, Forge> = {
    RS256: (claims, signed) => signed(claims),
    ES256: (claims, signed) => signed(claims, 'ES256'),
    PS256: (claims, signed) => signed(claims, 'PS256'),
    'several audiences, made for us': (claims, signed) => signed({ ...claims, aud: [claims.aud, 'another-client'], azp: claims.aud }),
    'over for 30 s': (claims, signed) => signed({ ...claims, iat: now() - 400, exp: now() - 30 }),
    'made in 30 s': (claims, signed) => signed({ ...claims, iat: now() + 30 }),
  }
  for (const forge of Object.values(right)) {
    idp.faults.idToken = forge
    const browser = server.openBrowser()
    await finishSignIn(browser, await signInAtProvider(browser, idp))
  }
})

test('OI-03: refuses metadata from an issuer other than the configured one', async () => {
  const { idp, server } = await startWithProvider()
  for (const issuer of ['https://accounts.google.com', `${idp.issuer}/another`, undefined, null, ['x']]) {
    idp.faults.metadata = metadata => ({ ...metadata, issuer })
    const browser = server.openBrowser()
    const out = await startAtProvider(browser)
    expect([issuer, out.statusCode < 500, await isRefusal(out, browser)]).toEqual([issuer, true, true])
  }
  delete idp.faults.metadata
  expect((await startAtProvider(server.openBrowser())).statusCode).toBe(303)
})

test('OI-03: refuses an answer that names another issuer, or omits a required one', async () => {
  const { idp, server } = await startLinked()
  for (const change of [
    (url: URL) => url.searchParams.set('iss', 'https://accounts.google.com'),
    (url: URL) => url.searchParams.append('iss', 'https://accounts.google.com'),
    (url: URL) => url.searchParams.delete('iss'),
  ]) {
    idp.faults.callback = change
    const browser = server.openBrowser()
    expect(await isRefusal(await signInAtProvider(browser, idp), browser)).toBe(true)
  }
  delete idp.faults.callback
  const browser = server.openBrowser()
  await finishSignIn(browser, await signInAtProvider(browser, idp))
})

test('OI-03: each provider has its own callback', async () => {
  const { server } = await startWithProvider({ as: ['GOOGLE', 'AZURE', 'PAK'] })
  for (const name of ['google', 'azure', 'pak'] as const) {
    const { headers } = await startAtProvider(server.openBrowser(), name)
    expect(new URL(String(headers.location)).searchParams.get('redirect_uri')).toBe(`http://localhost:8080/auth/sso/${name}/callback`)
  }
})
