import { accountRoutes, routes } from '@gatehouse/wire'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { examineProviders } from '../src/doctor/single-sign-on.ts'
import { limits, minutes, seconds } from '../src/limits.ts'
import { codeAt, enrol, offered, otpOf, secretOf } from './authenticator.ts'
import { ada, type Browser, isSignedIn, startServer } from './harness.ts'
import {
  anotherKey,
  type Claims,
  drip,
  type Faults,
  type IdentityProvider,
  json,
  publicKey,
  startIdentityProvider,
} from './identity-provider.ts'
import { mailedLink } from './mailed-link.ts'

// Single sign-on, out and back, at a real OpenID provider that can be made to misbehave. Ids are those of the requirements.

type Server = Awaited<ReturnType<typeof startServer>>
type Name = 'google' | 'azure' | 'pak'
type Options = Parameters<typeof startServer>[0] & { as?: ('GOOGLE' | 'AZURE' | 'PAK')[] }

const grace = { username: 'grace@example.com', password: 'another horse battery' }
const adaThere = { sub: 'ada-there', email: ada.username, email_verified: true, name: 'Ada' }
const page = { accept: 'text/html' }

const startProvider = async () => {
  const idp = await startIdentityProvider()
  onTestFinished(idp.stop)
  idp.people.set(adaThere.sub, adaThere)
  return idp
}

const start = async ({ as = ['GOOGLE'], env, ...options }: Options = {}) => {
  const idp = await startProvider()
  const server = await startServer({ ...options, env: { ...Object.assign({}, ...as.map(idp.env)), ...env } })
  return { idp, server }
}

const depart = (browser: Browser, name: Name = 'google') => browser.get(`/auth/page/plow/ssoLogin?provider=${name}`, page)
const comeBack = (browser: Browser, url: URL) => browser.get(url.pathname + url.search, page)

/** Out to the provider, and back as somebody. */
const travel = async (browser: Browser, idp: IdentityProvider, who: string = adaThere.sub, name: Name = 'google') => {
  const out = await depart(browser, name)
  if (out.statusCode !== 303) return out
  return comeBack(browser, await idp.visit(out.headers.location, who))
}

/** Whether a page of ours says no: in words, without a fault, and without a session. */
const isRefusal = async (answer: Awaited<ReturnType<Browser['get']>>, browser: Browser) => {
  const isPage = /^text\/html/.test(String(answer.headers['content-type'])) && answer.body.includes('<h1')
  return isPage && answer.statusCode >= 400 && answer.statusCode < 500 && !(await isSignedIn(browser))
}

/** From the callback through the token page. */
const arriveAt = async (browser: Browser, answer: Awaited<ReturnType<Browser['get']>>) => {
  expect([answer.statusCode, answer.headers.location]).toEqual([303, expect.stringMatching(/^\/auth\/page\/plow\/[\w-]+\/[\w-]+$/)])
  const landed = await browser.get(String(answer.headers.location), page)
  expect(landed.statusCode).toBe(303)
  expect(await isSignedIn(browser)).toBe(true)
}

const link = async (
  browser: Browser,
  idp: IdentityProvider,
  who: string = adaThere.sub,
  password = ada.password,
  name: Name = 'google',
) => {
  const provider = ({ google: 'Google', azure: 'Azure', pak: 'Pak' } as const)[name]
  const { location } = await browser.call(accountRoutes.userProviderLink, { provider, password })
  return comeBack(browser, await idp.visit(location, who))
}

/** Ada, signed in once with her password and linked. */
const startLinked = async (options: Options = {}) => {
  const { idp, server } = await start(options)
  const userId = await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  const linked = await link(browser, idp)
  expect([linked.statusCode, linked.headers.location]).toEqual([303, '/account'])
  return { idp, server, userId, browser }
}

const audited = async ({ db }: Server, event = 'sso') =>
  (await db
    .selectFrom('audit')
    .select(['auditResult', 'auditActor', 'auditTarget'])
    .where('auditEvent', '=', event)
    .orderBy('auditAt')
    .execute()) as {
    auditResult: string
    auditActor: string | null
    auditTarget: string | null
  }[]
const results = async (server: Server, event = 'sso') => (await audited(server, event)).map(row => row.auditResult)

const userOf = (server: Server, ident: string) =>
  server.db.selectFrom('users').selectAll().where('userIdent', '=', ident).executeTakeFirst()
const countUsers = async ({ db }: Server) => (await db.selectFrom('users').select('userId').execute()).length

const everyTable = async ({ db }: Server): Promise<string> => {
  const tables = await db.introspection.getTables()
  const rows = await Promise.all(tables.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(db)))
  return JSON.stringify(rows.map(one => one.rows))
}

test('OI-01: each journey has a state, a nonce and a PKCE challenge of its own, and asks for no more than who it is', async () => {
  const { idp, server } = await start()
  const seen = new Set<string>()
  for (let i = 0; i < 5; i++) {
    const out = await depart(server.openBrowser())
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
    for (const secret of [state, cookie?.value]) expect(await everyTable(server)).not.toContain(secret)
  }
  expect(seen.size).toBe(15)
  expect(limits.ssoJourney.lifetime).toBe(minutes(10))
})

test('OI-01: a state of another browser, used up, forged, doubled or ten minutes old is refused; the owner’s journey outlives strangers', async () => {
  const { idp, server } = await startLinked()
  const mine = server.openBrowser()
  const out = await depart(mine)
  const back = await idp.visit(out.headers.location, adaThere.sub)
  const other = server.openBrowser()
  expect(await isRefusal(await comeBack(other, back), other)).toBe(true)
  await depart(other)
  expect(await isRefusal(await comeBack(other, back), other)).toBe(true)
  for (const change of [
    (url: URL) => url.searchParams.set('state', 'x'.repeat(43)),
    (url: URL) => url.searchParams.delete('state'),
    (url: URL) => url.searchParams.set('state', ''),
    (url: URL) => url.searchParams.append('state', 'x'),
  ]) {
    const changed = new URL(back)
    change(changed)
    expect(await isRefusal(await comeBack(mine, changed), mine)).toBe(true)
  }
  await arriveAt(mine, await comeBack(mine, back))
  const again = server.openBrowser()
  for (const [name, value] of mine.jar) if (name !== 'gatehouse-session') again.jar.set(name, value)
  expect(await isRefusal(await comeBack(again, back), again)).toBe(true)

  for (const [late, refused] of [
    [minutes(10) - 1, false],
    [minutes(10), true],
  ] as const) {
    const browser = server.openBrowser()
    const { headers } = await depart(browser)
    const url = await idp.visit(headers.location, adaThere.sub)
    server.clock.advance(late)
    expect([late, await isRefusal(await comeBack(browser, url), browser)]).toEqual([late, refused])
  }
})

test('OI-01: another journey’s code in one’s own journey is refused, for its PKCE verifier is another', async () => {
  const { idp, server } = await startLinked()
  const thiefs = server.openBrowser()
  const stolen = await idp.visit((await depart(thiefs)).headers.location, adaThere.sub)
  const browser = server.openBrowser()
  const own = await idp.visit((await depart(browser)).headers.location, adaThere.sub)
  own.searchParams.set('code', stolen.searchParams.get('code') ?? '')
  expect(await isRefusal(await comeBack(browser, own), browser)).toBe(true)
})

test('A12, OI-01: a state of one provider on the callback of another is refused', async () => {
  const { idp, server } = await startLinked({ as: ['GOOGLE', 'AZURE'] })
  const browser = server.openBrowser()
  const back = await idp.visit((await depart(browser, 'google')).headers.location, adaThere.sub)
  const elsewhere = new URL(back)
  elsewhere.pathname = back.pathname.replace('google', 'azure')
  expect(await isRefusal(await comeBack(browser, elsewhere), browser)).toBe(true)
  await arriveAt(browser, await comeBack(browser, back))
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

test('OI-02: an ID token that was not made by this provider, for us, for this journey, and lately, is refused', async () => {
  const { idp, server } = await startLinked()
  // Even where the provider says that it would do so.
  idp.faults.metadata = metadata => ({ ...metadata, id_token_signing_alg_values_supported: ['RS256', 'ES256', 'PS256', 'HS256', 'none'] })
  server.clock.advance(limits.provider.remembered)
  const got: Record<string, boolean> = {}
  for (const [name, forge] of Object.entries(forged)) {
    idp.faults.idToken = forge
    const browser = server.openBrowser()
    got[name] = await isRefusal(await travel(browser, idp), browser)
  }
  expect(got).toEqual(Object.fromEntries(Object.keys(forged).map(name => [name, true])))
  expect((await results(server)).filter(result => result === 'google: failed')).toHaveLength(Object.keys(forged).length)
})

test('OI-02: what is right in another way is taken: ES256, PS256, several audiences, and clocks that differ by less than 60 s', async () => {
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
    await arriveAt(browser, await travel(browser, idp))
  }
})

test('OI-03: what a provider says of itself must be said by the issuer that is configured', async () => {
  const { idp, server } = await start()
  for (const issuer of ['https://accounts.google.com', `${idp.issuer}/another`, undefined, null, ['x']]) {
    idp.faults.metadata = metadata => ({ ...metadata, issuer })
    const browser = server.openBrowser()
    const out = await depart(browser)
    expect([issuer, out.statusCode < 500, await isRefusal(out, browser)]).toEqual([issuer, true, true])
  }
  delete idp.faults.metadata
  expect((await depart(server.openBrowser())).statusCode).toBe(303)
})

test('OI-03: an answer that names another issuer, or that should name one and does not, is refused', async () => {
  const { idp, server } = await startLinked()
  for (const change of [
    (url: URL) => url.searchParams.set('iss', 'https://accounts.google.com'),
    (url: URL) => url.searchParams.append('iss', 'https://accounts.google.com'),
    (url: URL) => url.searchParams.delete('iss'),
  ]) {
    idp.faults.callback = change
    const browser = server.openBrowser()
    expect(await isRefusal(await travel(browser, idp), browser)).toBe(true)
  }
  delete idp.faults.callback
  const browser = server.openBrowser()
  await arriveAt(browser, await travel(browser, idp))
})

test('OI-03: each provider has a callback of its own', async () => {
  const { server } = await start({ as: ['GOOGLE', 'AZURE', 'PAK'] })
  for (const name of ['google', 'azure', 'pak'] as const) {
    const { headers } = await depart(server.openBrowser(), name)
    expect(new URL(String(headers.location)).searchParams.get('redirect_uri')).toBe(`http://localhost:8080/auth/sso/${name}/callback`)
  }
})

test('OI-04, A11: the same address under another subject is not the same user, and the same subject under another address is', async () => {
  const { idp, server, userId } = await startLinked({ env: { GATEHOUSE_SSO_PROVISION: 'on' } })
  idp.people.set('somebody-else', { ...adaThere, sub: 'somebody-else' })
  const browser = server.openBrowser()
  expect(await isRefusal(await travel(browser, idp, 'somebody-else'), browser)).toBe(true)
  expect(await countUsers(server)).toBe(1)
  idp.people.set(adaThere.sub, { sub: adaThere.sub, email: 'countess@example.com', email_verified: true })
  await arriveAt(browser, await travel(browser, idp))
  expect(await countUsers(server)).toBe(1)
  const [newest] = await server.db.selectFrom('sessions').select('sessionUser').orderBy('sessionCreated', 'desc').execute()
  expect(newest?.sessionUser).toBe(userId)
})

test('OI-04, A11: at Microsoft it is tenant and object: another tenant’s is another user, whatever its address', async () => {
  const { idp, server } = await start({ as: ['AZURE'], env: { GATEHOUSE_SSO_PROVISION: 'on', GATEHOUSE_AZURE_TENANT: 'common' } })
  const known = { sub: 'pairwise-1', tid: 'tenant-1', oid: 'object-1', email: ada.username, email_verified: true }
  const people = {
    known,
    'other tenant': { ...known, sub: 'p2', tid: 'tenant-2' },
    'other object': { ...known, sub: 'p3', oid: 'object-2' },
    'no object': { sub: 'p4', tid: 'tenant-1', email: ada.username, email_verified: true },
    'halves moved': { ...known, sub: 'p5', tid: 'tenant-1 object-1', oid: 'x' },
    'other application': { ...known, sub: 'p6' },
  }
  for (const person of Object.values(people)) idp.people.set(person.sub, person)
  const first = server.openBrowser()
  await arriveAt(first, await travel(first, idp, known.sub, 'azure'))
  expect((await userOf(server, ada.username))?.userAzureId).toBe('tenant-1 object-1')
  for (const name of ['other tenant', 'other object', 'no object', 'halves moved'] as const) {
    const browser = server.openBrowser()
    expect([name, await isRefusal(await travel(browser, idp, people[name].sub, 'azure'), browser)]).toEqual([name, true])
  }
  const browser = server.openBrowser()
  await arriveAt(browser, await travel(browser, idp, people['other application'].sub, 'azure'))
  expect(await countUsers(server)).toBe(1)
})

test('OI-04: where some tenants of Microsoft are listed, people of the others are refused', async () => {
  const [ours, theirs] = ['11111111-2222-3333-4444-555555555555', '66666666-7777-8888-9999-aaaaaaaaaaaa']
  const env = { GATEHOUSE_SSO_PROVISION: 'on', GATEHOUSE_AZURE_TENANT: `${ours}, ${theirs.toUpperCase()}` }
  const { idp, server } = await start({ as: ['AZURE'], env })
  const person = (sub: string, tid?: string) => ({ sub, ...(tid && { tid }), oid: sub, email: `${sub}@example.com`, email_verified: true })
  const people = [person('one', ours), person('two', theirs.toUpperCase()), person('three', ours.replace('1', '2')), person('four')]
  for (const one of people) idp.people.set(one.sub, one)
  for (const sub of ['three', 'four']) {
    const browser = server.openBrowser()
    expect([sub, await isRefusal(await travel(browser, idp, sub, 'azure'), browser)]).toEqual([sub, true])
  }
  expect(await countUsers(server)).toBe(0)
  for (const sub of ['one', 'two']) {
    const browser = server.openBrowser()
    await arriveAt(browser, await travel(browser, idp, sub, 'azure'))
  }
  expect(await countUsers(server)).toBe(2)
})

test.each(['on', 'off'])(
  'OI-05, A10: an account that waits under somebody’s address is not hers by signing on, provisioning %s',
  async provision => {
    const { idp, server } = await start({ env: { GATEHOUSE_SSO_PROVISION: provision } })
    // Made by somebody else, who knows its password.
    await server.addUser(ada)
    const attacker = server.openBrowser()
    await attacker.enter()
    const victim = server.openBrowser()
    expect(await isRefusal(await travel(victim, idp), victim)).toBe(true)
    expect(await userOf(server, ada.username)).toMatchObject({ userGoogleId: null, userAzureId: null, userPakId: null })
    expect(await countUsers(server)).toBe(1)
    expect(victim.jar.has('gatehouse-session')).toBe(false)
    expect(await results(server)).toEqual([provision === 'on' ? 'google: name-taken' : 'google: unknown-identity'])

    // She proves her mailbox: with that the attacker is out, and she links herself.
    await victim.call(routes.sendPasswordResetEmail, { useremail: ada.username })
    const { selector, token } = mailedLink(await server.deliver(), 'new-password', ada.username)
    const password = 'what only the owner knows'
    await victim.call(routes.resetPassword, {
      username: ada.username,
      resettoken: `${selector}.${token}`,
      newpassword: password,
      newpasswordverification: password,
    })
    expect(await isSignedIn(attacker)).toBe(false)
    expect(await attacker.signIn()).toEqual({ tag: 'AuthFailureFailedLogin' })
    await victim.enter({ ...ada, password })
    expect((await link(victim, idp, adaThere.sub, password)).headers.location).toBe('/account')
    const again = server.openBrowser()
    await arriveAt(again, await travel(again, idp))
  },
)

test('OI-05: with provisioning on, an address that the provider does not vouch for makes no user', async () => {
  const { idp, server } = await start({ env: { GATEHOUSE_SSO_PROVISION: 'on' } })
  const addresses: Claims[] = [
    { email: 'new@example.com', email_verified: false },
    { email: 'new@example.com' },
    { email: 'new@example.com', email_verified: 'true' },
    { email: 'not an address', email_verified: true },
    { email: 'two@example.com, three@example.com', email_verified: true },
    { email_verified: true },
  ]
  for (const [i, claims] of addresses.entries()) {
    idp.people.set(`p${i}`, { sub: `p${i}`, ...claims })
    const browser = server.openBrowser()
    expect([claims, await isRefusal(await travel(browser, idp, `p${i}`), browser)]).toEqual([claims, true])
  }
  expect(await countUsers(server)).toBe(0)
})

test('provisioning on: whoever the provider vouches for gets a user without a password, once, and signs in; off: nobody does', async () => {
  const { idp, server } = await start({ env: { GATEHOUSE_SSO_PROVISION: 'on' } })
  for (let i = 0; i < 2; i++) {
    const browser = server.openBrowser()
    await arriveAt(browser, await travel(browser, idp))
  }
  expect(await countUsers(server)).toBe(1)
  expect(await userOf(server, ada.username)).toMatchObject({ userPassword: null, userGoogleId: `${idp.issuer} ${adaThere.sub}` })
  expect(await results(server, 'user-added')).toEqual(['by google'])
  expect(await server.openBrowser().signIn()).toEqual({ tag: 'AuthFailureFailedLogin' })

  const off = await startServer({ env: idp.env('GOOGLE') })
  const browser = off.openBrowser()
  const answer = await travel(browser, idp)
  expect([answer.statusCode, await isRefusal(answer, browser), await countUsers(off)]).toEqual([403, true, 0])
})

const secondFactorIsDue = (answer: Awaited<ReturnType<Browser['get']>>, browser: Browser) => {
  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/second-factor'])
  expect(browser.jar.has('gatehouse-ticket')).toBe(true)
}

/** Ada is linked and has an authenticator, whose next code may be used. */
const startEnrolled = async (options: Options = {}) => {
  const { idp, server } = await start({ ...options, env: { GATEHOUSE_SECOND_FACTOR: 'skippable', ...options.env } })
  const userId = await server.addUser()
  const browser = server.openBrowser()
  const { secret } = await enrol(browser, server.clock)
  expect((await link(browser, idp)).headers.location).toBe('/account')
  server.clock.advance(seconds(30))
  const ticket = { otpUsername: '', otpPassword: '' }
  const verify = (who: Browser, otpVerification: number) => who.call(routes.verifyOTP, { ...ticket, otpVerification })
  const code = () => codeAt(secret, server.clock.at)
  const wrongCode = async () => {
    const near = await Promise.all([-1, 0, 1].map(step => codeAt(secret, server.clock.at + step * seconds(30))))
    return [111_111, 222_222, 333_333, 444_444].find(n => !near.includes(n)) ?? 555_555
  }
  return { idp, server, userId, secret, verify, code, wrongCode }
}

test('OI-06: who has a second factor is asked for it after signing on, and nobody is in before', async () => {
  const { idp, server, verify, code } = await startEnrolled()
  const browser = server.openBrowser()
  secondFactorIsDue(await travel(browser, idp), browser)
  expect(await isSignedIn(browser)).toBe(false)
  expect((await browser.get('/second-factor', page)).statusCode).toBe(200)
  expect(await browser.call(routes.continueSignIn, {})).toEqual({ tag: 'AuthRequires2FA' })
  // Without the browser's ticket the right code opens nothing.
  expect((await verify(server.openBrowser(), await code())).tag).toBe('AuthFailureFailedLogin')
  const outcome = await verify(browser, await code())
  expect(outcome.tag).toBe('AuthSuccessful')
  if (outcome.tag === 'AuthSuccessful') await browser.call(routes.plowlogin, outcome.contents)
  expect(await isSignedIn(browser)).toBe(true)
  const [session] = await server.db.selectFrom('sessions').select('sessionFactor').orderBy('sessionCreated', 'desc').execute()
  expect(session?.sessionFactor).toBe('TOTP')
})

test('OI-06: the ticket is good for 5 minutes', async () => {
  const { idp, server, verify, code } = await startEnrolled()
  const browser = server.openBrowser()
  secondFactorIsDue(await travel(browser, idp), browser)
  server.clock.advance(limits.ticket.lifetime)
  expect(await browser.call(routes.continueSignIn, {})).toEqual({ tag: 'AuthFailureFailedLogin' })
  expect((await verify(browser, await code())).tag).toBe('AuthFailureFailedLogin')
})

test('OI-06: where a second factor is required, who has none sets one up after signing on', async () => {
  const { idp, server } = await start({ env: { GATEHOUSE_SECOND_FACTOR: 'required', GATEHOUSE_SSO_PROVISION: 'on' } })
  const browser = server.openBrowser()
  secondFactorIsDue(await travel(browser, idp), browser)
  expect(await isSignedIn(browser)).toBe(false)
  const factor = offered(await browser.call(routes.continueSignIn, {}))
  const otpVerification = await codeAt(secretOf(factor), server.clock.at)
  const outcome = await browser.call(routes.setupOTP, {
    otpUsername: '',
    otpPassword: '',
    otpVerification,
    otpFactorUUID: factor.factorUUID,
  })
  expect(outcome.tag).toBe('AuthSuccessful')
})

test('OI-06: amr and acr count where the provider is trusted, and nowhere else', async () => {
  const { idp, server: untrusting } = await startEnrolled()
  const says = (claims: Claims) => idp.people.set(adaThere.sub, { ...adaThere, ...claims })
  says({ amr: ['pwd', 'mfa'], acr: 'aal2' })
  const asked = untrusting.openBrowser()
  secondFactorIsDue(await travel(asked, idp), asked)

  const trusting = await startEnrolled({ env: { GATEHOUSE_SSO_TRUSTED: 'google' } })
  const told = (claims: Claims) => trusting.idp.people.set(adaThere.sub, { ...adaThere, ...claims })
  for (const claims of [{}, { amr: ['pwd'] }, { amr: 'mfa' }, { amr: [['mfa']] }, { acr: '0' }, { acr: ['mfa'] }, { amr: { mfa: true } }]) {
    told(claims)
    const browser = trusting.server.openBrowser()
    secondFactorIsDue(await travel(browser, trusting.idp), browser)
  }
  told({ amr: ['pwd', 'mfa'] })
  const browser = trusting.server.openBrowser()
  await arriveAt(browser, await travel(browser, trusting.idp))
  const [session] = await trusting.server.db.selectFrom('sessions').select('sessionFactor').orderBy('sessionCreated', 'desc').execute()
  expect(session?.sessionFactor).toBe('Provider')
})

test('OI-06: trust in one provider is no trust in another', async () => {
  const { idp, server } = await startEnrolled({ as: ['GOOGLE', 'PAK'], env: { GATEHOUSE_SSO_TRUSTED: 'pak' } })
  idp.people.set(adaThere.sub, { ...adaThere, amr: ['mfa'] })
  const browser = server.openBrowser()
  secondFactorIsDue(await travel(browser, idp), browser)
})

test('TH-07, A21: codes that are paused stay so, whichever way one comes', async () => {
  const { idp, server, secret, verify, code, wrongCode } = await startEnrolled({ env: { GATEHOUSE_SSO_TRUSTED: 'google' } })
  const browser = server.openBrowser()
  secondFactorIsDue(await travel(browser, idp), browser)
  for (let i = 0; i < 5; i++) await verify(browser, await wrongCode())
  const denied = {
    tag: 'AuthFailureFactorError',
    contents: { tag: 'TOTPError', contents: { status: 'Denied', reason: { tag: 'InvalidCode' } } },
  }
  for (const one of [browser, server.openBrowser()]) {
    secondFactorIsDue(await travel(one, idp), one)
    expect(await verify(one, await code())).toEqual(denied)
  }
  // A provider's own second factor lets in where it is trusted, and gives nobody new tries at ours.
  idp.people.set(adaThere.sub, { ...adaThere, amr: ['mfa'] })
  const trusted = server.openBrowser()
  await arriveAt(trusted, await travel(trusted, idp))
  const another = server.openBrowser()
  expect(await another.signIn()).toEqual({ tag: 'AuthRequires2FA' })
  expect(await another.call(routes.verifyOTP, { ...otpOf(ada), otpVerification: await codeAt(secret, server.clock.at) })).toEqual(denied)
})

test('OI-07: a provider that is none of the three, not set up, or given in another way: a page that says so', async () => {
  const { server } = await start()
  const queries = [
    'provider=pak',
    'provider=azure',
    'provider=google&provider=google',
    'provider=google&provider=azure',
    'provider[]=google',
    'provider=__proto__',
    'provider=constructor',
    'provider=google%00',
    'provider=%00',
    'provider=Google',
    'provider=google%20',
    'provider=%ff',
    'provider=',
    'provider=https://accounts.example.com',
    `provider=${'g'.repeat(5000)}`,
    '',
  ]
  for (const query of queries) {
    const browser = server.openBrowser()
    const answer = await browser.get(`/auth/page/plow/ssoLogin?${query}`, page)
    expect([query, [400, 404].includes(answer.statusCode), await isRefusal(answer, browser)]).toEqual([query, true, true])
    expect(answer.cookies).toEqual([])
    if (query !== '') expect(answer.body).not.toContain('accounts.example.com')
  }
  for (const name of ['pak', 'azure', '__proto__', 'google%00', 'constructor', 'GOOGLE']) {
    const browser = server.openBrowser()
    const answer = await browser.get(`/auth/sso/${name}/callback?code=x&state=y`, page)
    expect([name, [400, 404].includes(answer.statusCode), await isRefusal(answer, browser)]).toEqual([name, true, true])
  }
  for (const path of ['/auth/page/plow/ssoLogin?provider=google', '/auth/sso/google/callback?code=x&state=y'])
    for (const method of ['HEAD', 'POST', 'PUT', 'DELETE'] as const)
      expect((await server.app.inject({ method, url: path, headers: { origin: 'http://localhost:8080' } })).statusCode).toBe(405)
})

test('OI-08, A36: discovery that leads elsewhere, never ends or is too large is no way to the provider', async () => {
  const { idp, server } = await start()
  let followed = 0
  const faults: Record<string, NonNullable<Faults['discovery']>> = {
    'leads to the metadata of a cloud': response => void response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
    'leads to itself': response => {
      if (idp.asked.at(-1)?.query.has('again')) followed++
      response.writeHead(307, { location: '/.well-known/openid-configuration?again' }).end()
    },
    'of 2 MiB': response => void response.writeHead(200, { 'content-type': 'application/json' }).end(`"${'x'.repeat(2 * 1024 * 1024)}"`),
    'is cut off': response => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 }).write('{')
      setTimeout(() => response.destroy(), 20)
    },
    'is no JSON': response => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>hello</h1>'),
    'is JSON of another kind': json(200, ['x']),
    'is an error': json(500, {}),
  }
  for (const [name, discovery] of Object.entries(faults)) {
    idp.faults.discovery = discovery
    const browser = server.openBrowser()
    const out = await depart(browser)
    expect([name, await isRefusal(out, browser)]).toEqual([name, true])
  }
  expect(followed).toBe(0)
  idp.faults.discovery = drip
  const from = Date.now()
  const browser = server.openBrowser()
  expect(await isRefusal(await depart(browser), browser)).toBe(true)
  expect(Date.now() - from).toBeLessThan(seconds(8))
  delete idp.faults.discovery
  expect((await depart(server.openBrowser())).statusCode).toBe(303)
})

test('OI-08, A36: a provider in a private network is not asked unless that is allowed', async () => {
  for (const issuer of [
    'https://10.0.0.1',
    'https://169.254.169.254',
    'https://[::ffff:169.254.169.254]',
    'https://localhost',
    'https://2130706433',
  ]) {
    const pak = { GATEHOUSE_PAK_ISSUER: issuer, GATEHOUSE_PAK_CLIENT_ID: 'x', GATEHOUSE_PAK_CLIENT_SECRET: 'y' }
    const server = await startServer({ env: pak })
    const from = Date.now()
    const browser = server.openBrowser()
    expect([issuer, await isRefusal(await depart(browser, 'pak'), browser)]).toEqual([issuer, true])
    expect(Date.now() - from).toBeLessThan(seconds(2))
  }
})

test('OI-08: endpoints that a provider names outside of TLS, or with another scheme, are not gone to', async () => {
  const { idp, server } = await start()
  for (const endpoint of ['javascript:alert(1)', 'data:text/html,x', 'ftp://example.com/', '//example.com', 'no address', 7]) {
    idp.faults.metadata = metadata => ({ ...metadata, authorization_endpoint: endpoint })
    const browser = server.openBrowser()
    const out = await depart(browser)
    expect([endpoint, await isRefusal(out, browser)]).toEqual([endpoint, true])
    server.clock.advance(limits.provider.remembered)
  }
})

test('OI-09: no token or secret of a provider comes to a browser, a log, a table or a mail', async () => {
  const { idp, server } = await start()
  await server.addUser()
  const said: string[] = []
  const hear = (answer: Awaited<ReturnType<Browser['get']>>) => {
    said.push(JSON.stringify(answer.headers), answer.body)
    return answer
  }
  const browser = server.openBrowser()
  await browser.enter()
  const linking = hear(await browser.send('POST', accountRoutes.userProviderLink.path, { provider: 'Google', password: ada.password }))
  hear(await comeBack(browser, await idp.visit(linking.json().location, adaThere.sub)))
  const other = server.openBrowser()
  const out = hear(await depart(other))
  const back = hear(await comeBack(other, await idp.visit(out.headers.location, adaThere.sub)))
  hear(await other.get(String(back.headers.location), page))
  hear(await other.get('/account', page))
  idp.faults.idToken = (claims, signed) => signed({ ...claims, nonce: 'x' })
  const refused = server.openBrowser()
  hear(await travel(refused, idp))
  idp.faults.token = json(400, { error: 'invalid_grant', error_description: 'SECRET-OF-THE-PROVIDER' })
  hear(await travel(refused, idp))
  const mails = await server.deliver()
  // Codes, access tokens and ID tokens of three journeys.
  expect(idp.given.filter(Boolean).length).toBeGreaterThanOrEqual(9)
  const tables = await everyTable(server)
  for (const [where, text] of [
    ['answers', said.join('\n')],
    ['log', server.logged.join('\n')],
    ['tables', tables],
    ['mails', JSON.stringify(mails)],
  ] as const) {
    for (const secret of [...idp.given.filter(Boolean), idp.client.secret, 'SECRET-OF-THE-PROVIDER'])
      expect([where, text.includes(secret)]).toEqual([where, false])
  }
  expect(idp.asked.filter(({ path }) => path === '/auth').map(({ query }) => query.get('scope'))).toEqual(
    Array.from({ length: 4 }, () => 'openid email profile'),
  )
})

const broken: Record<string, Faults> = {
  'its keys cannot be had': { jwks: json(503, {}) },
  'its keys are none': { jwks: json(200, { keys: [] }) },
  'its keys are nonsense': { jwks: response => void response.end('<h1>no</h1>') },
  'its token endpoint fails': { token: json(500, {}) },
  'its token endpoint talks nonsense': { token: response => void response.end('<h1>no</h1>') },
  'its token endpoint knows us not': { token: json(401, { error: 'invalid_client' }) },
  'it gives no ID token': { token: json(200, { access_token: 'x', token_type: 'bearer' }) },
  'its token endpoint leads elsewhere': { token: response => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end() },
  'it hangs up': { token: response => void response.destroy() },
}

test('OI-10: whatever fails at the provider, nobody is in, and a page says so', async () => {
  const { idp, server } = await startLinked()
  for (const [name, faults] of Object.entries(broken)) {
    server.clock.advance(limits.provider.remembered)
    Object.assign(idp.faults, { jwks: undefined, token: undefined }, faults)
    const browser = server.openBrowser()
    expect([name, await isRefusal(await travel(browser, idp), browser)]).toEqual([name, true])
  }
})

test('OI-10: a client secret that is wrong lets nobody in', async () => {
  const { idp, server } = await startLinked()
  const { env } = { env: { ...idp.env('GOOGLE'), GATEHOUSE_GOOGLE_CLIENT_SECRET: 'a wrong one' } }
  const wrong = await startServer({ env })
  const browser = wrong.openBrowser()
  expect(await isRefusal(await travel(browser, idp), browser)).toBe(true)
  expect(wrong.logged.join('')).not.toContain('a wrong one')
  expect(await results(server)).toContain('google: linked')
})

test('OI-10: a provider that stops on the way, or was never there', async () => {
  const { idp, server } = await startLinked()
  const browser = server.openBrowser()
  const back = await idp.visit((await depart(browser)).headers.location, adaThere.sub)
  await idp.stop()
  expect(await isRefusal(await comeBack(browser, back), browser)).toBe(true)
  const unknowing = await startServer({ env: idp.env('GOOGLE') })
  const other = unknowing.openBrowser()
  expect(await isRefusal(await depart(other), other)).toBe(true)
})

test('the provider’s own no is a page of ours, whatever words come with it', async () => {
  const { idp, server } = await startLinked()
  const cancelled = server.openBrowser()
  const answer = await travel(cancelled, idp, 'cancel')
  expect(await isRefusal(answer, cancelled)).toBe(true)
  expect(await results(server)).toContain('google: cancelled')
  // On the way to link one it is no sign-in that came to nothing.
  await server.addUser(grace)
  const linking = server.openBrowser()
  await linking.enter(grace)
  await link(linking, idp, 'cancel', grace.password)
  expect(await results(server)).toContain('google: not linked: cancelled')
  const browser = server.openBrowser()
  const back = await idp.visit((await depart(browser)).headers.location, 'cancel')
  back.searchParams.set('error', 'server_error<script>')
  back.searchParams.set('error_description', 'Call +1 555 0100 <script>alert(1)</script>')
  const said = await comeBack(browser, back)
  expect(await isRefusal(said, browser)).toBe(true)
  for (const words of ['555', '<script>alert', 'server_error']) expect(said.body).not.toContain(words)
})

test('A13: linking wants a session, the password and our own page', async () => {
  const { idp, server } = await start()
  const userId = await server.addUser()
  const browser = server.openBrowser()
  const ask = (who: Browser, body: object, headers = {}) => who.send('POST', accountRoutes.userProviderLink.path, body, headers)
  const wish = { provider: 'Google', password: ada.password }
  expect((await ask(server.openBrowser(), wish)).statusCode).toBe(401)
  await browser.enter()
  expect((await ask(browser, wish, { origin: 'https://evil.example' })).statusCode).toBe(403)
  for (const body of [{ provider: 'google', password: 'x' }, { provider: '__proto__', password: 'x' }, { provider: 'Google' }, {}, null])
    expect((await ask(browser, body as object)).statusCode).toBe(400)
  expect((await ask(browser, { ...wish, provider: 'Pak' })).statusCode).toBe(409)
  const wrong = await ask(browser, { ...wish, password: 'a wrong password' })
  expect([wrong.statusCode, wrong.json()]).toEqual([403, { error: 'password: is wrong' }])
  const count = await server.db.selectFrom('failed_logins').select('failedLoginAttempts').execute()
  expect(count).toEqual([{ failedLoginAttempts: 1 }])
  expect(await server.db.selectFrom('sso_journeys').selectAll().execute()).toEqual([])

  const linked = await link(browser, idp)
  expect([linked.statusCode, linked.headers.location]).toEqual([303, '/account'])
  expect(await userOf(server, ada.username)).toMatchObject({ userGoogleId: `${idp.issuer} ${adaThere.sub}` })
  expect(await audited(server)).toContainEqual({ auditResult: 'google: linked', auditActor: userId, auditTarget: userId })
  const [mail] = await server.deliver()
  expect([mail?.to, mail?.subject]).toEqual([ada.username, expect.stringContaining('Sign-in by Google was added')])
  expect(new URL(String((await depart(server.openBrowser())).headers.location)).searchParams.get('prompt')).toBe(null)
})

test('A13, TH-07: a locked password links nothing', async () => {
  const { server } = await start()
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  browser.jar.delete('gatehouse-browser')
  for (let i = 0; i < 10; i++) await browser.send('POST', accountRoutes.userProviderLink.path, { provider: 'Google', password: 'wrong' })
  const right = await browser.send('POST', accountRoutes.userProviderLink.path, { provider: 'Google', password: ada.password })
  expect(right.statusCode).toBe(403)
})

test('A13: only who began to link goes on, in the same browser and still signed in', async () => {
  const { idp, server } = await start()
  await server.addUser()
  await server.addUser(grace)
  const begin = async () => {
    const browser = server.openBrowser()
    await browser.enter()
    const { location } = await browser.call(accountRoutes.userProviderLink, { provider: 'Google', password: ada.password })
    return { browser, back: await idp.visit(location, adaThere.sub) }
  }
  const nobodyIsLinked = async () => {
    for (const { username } of [ada, grace]) expect((await userOf(server, username))?.userGoogleId).toBe(null)
  }
  // A victim who is signed in is handed the attacker's way back.
  const { back: handed } = await begin()
  const victim = server.openBrowser()
  await victim.enter(grace)
  expect((await comeBack(victim, handed)).statusCode).toBe(400)
  await nobodyIsLinked()
  // The same browser, with somebody else signed in meanwhile, or nobody.
  for (const meanwhile of [(browser: Browser) => browser.enter(grace), (browser: Browser) => browser.call(routes.logoutBySelf, {})]) {
    const { browser, back } = await begin()
    await meanwhile(browser)
    expect((await comeBack(browser, back)).statusCode).toBe(400)
    await nobodyIsLinked()
  }
  // A journey to sign in with links nothing, though somebody is signed in.
  const signedIn = server.openBrowser()
  await signedIn.enter()
  expect((await travel(signedIn, idp)).statusCode).toBe(403)
  await nobodyIsLinked()
  const { browser, back } = await begin()
  expect((await comeBack(browser, back)).headers.location).toBe('/account')
})

test('an identity is one user’s: linking another’s is refused', async () => {
  const { idp, server } = await startLinked()
  await server.addUser(grace)
  const browser = server.openBrowser()
  await browser.enter(grace)
  const refused = await link(browser, idp, adaThere.sub, grace.password)
  expect(refused.statusCode).toBe(409)
  expect((await userOf(server, grace.username))?.userGoogleId).toBe(null)
  expect(await results(server)).toContain('google: not linked: taken')
})

test('linking asks the provider who it is anew', async () => {
  const { server } = await start()
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  const { location } = await browser.call(accountRoutes.userProviderLink, { provider: 'Google', password: ada.password })
  expect(new URL(location).searchParams.get('prompt')).toBe('login')
})

test('unlinking wants session and password, and is told by mail; the way is closed then', async () => {
  const { idp, server, userId, browser } = await startLinked()
  const ask = (who: Browser, password: string) => who.send('POST', accountRoutes.userProviderUnlink.path, { provider: 'Google', password })
  expect((await ask(server.openBrowser(), ada.password)).statusCode).toBe(401)
  expect((await ask(browser, 'a wrong password')).json()).toEqual({ error: 'password: is wrong' })
  expect((await userOf(server, ada.username))?.userGoogleId).not.toBe(null)
  expect((await ask(browser, ada.password)).statusCode).toBe(200)
  expect((await userOf(server, ada.username))?.userGoogleId).toBe(null)
  expect(await audited(server)).toContainEqual({ auditResult: expect.stringMatching(/unlinked$/), auditActor: userId, auditTarget: userId })
  const mails = await server.deliver()
  expect(mails.map(({ to, subject }) => [to, subject])).toContainEqual([
    ada.username,
    expect.stringContaining('Sign-in by Google was removed'),
  ])
  const other = server.openBrowser()
  expect(await isRefusal(await travel(other, idp), other)).toBe(true)
})

test('the last way to sign in cannot be taken away', async () => {
  const { idp, server } = await start({ as: ['GOOGLE', 'PAK'], env: { GATEHOUSE_SSO_PROVISION: 'on' } })
  const browser = server.openBrowser()
  await arriveAt(browser, await travel(browser, idp))
  const unlink = (provider: string) => browser.send('POST', accountRoutes.userProviderUnlink.path, { provider, password: '' })
  expect((await unlink('Google')).statusCode).toBe(409)
  // To take away one that is not there takes nothing away, and is told to nobody.
  expect((await unlink('Pak')).statusCode).toBe(200)
  expect(await server.deliver()).toEqual([])
  expect(await userOf(server, ada.username)).toMatchObject({ userGoogleId: `${idp.issuer} ${adaThere.sub}` })
  expect((await link(browser, idp, adaThere.sub, '', 'pak')).headers.location).toBe('/account')
  expect((await unlink('Google')).statusCode).toBe(200)
  expect((await unlink('Pak')).statusCode).toBe(409)
  expect(await userOf(server, ada.username)).toMatchObject({ userGoogleId: null, userPakId: `${idp.issuer} ${adaThere.sub}` })
})

test('two ways taken away at once: one stays', async () => {
  const { idp, server } = await start({ as: ['GOOGLE', 'PAK'], env: { GATEHOUSE_SSO_PROVISION: 'on' } })
  const browser = server.openBrowser()
  await arriveAt(browser, await travel(browser, idp))
  await link(browser, idp, adaThere.sub, '', 'pak')
  const unlink = (provider: string) => browser.send('POST', accountRoutes.userProviderUnlink.path, { provider, password: '' })
  const answers = await Promise.all(['Google', 'Pak', 'Google', 'Pak'].map(unlink))
  for (const { statusCode } of answers) expect([200, 409]).toContain(statusCode)
  const user = await userOf(server, ada.username)
  expect([user?.userGoogleId, user?.userPakId].filter(id => id !== null)).toHaveLength(1)
})

test('without a password, linking and unlinking want a sign-in of the last 15 minutes', async () => {
  const { idp, server } = await start({ as: ['GOOGLE', 'PAK'], env: { GATEHOUSE_SSO_PROVISION: 'on' } })
  const browser = server.openBrowser()
  await arriveAt(browser, await travel(browser, idp))
  server.clock.advance(limits.session.fresh)
  for (const route of [accountRoutes.userProviderLink, accountRoutes.userProviderUnlink])
    expect((await browser.send('POST', route.path, { provider: 'Pak', password: '' })).statusCode).toBe(403)
})

test('who was deleted gets in no more, and what was on its way for her leads nowhere', async () => {
  const { idp, server, userId, browser } = await startLinked({ as: ['GOOGLE', 'PAK'] })
  const { location } = await browser.call(accountRoutes.userProviderLink, { provider: 'Pak', password: ada.password })
  const linking = await idp.visit(location, adaThere.sub)
  const other = server.openBrowser()
  const back = await idp.visit((await depart(other)).headers.location, adaThere.sub)
  await server.db.deleteFrom('users').where('userId', '=', userId).execute()
  expect(await isRefusal(await comeBack(browser, linking), browser)).toBe(true)
  expect(await isRefusal(await comeBack(other, back), other)).toBe(true)
  expect(await countUsers(server)).toBe(0)
})

test.each(['', 'google'])('who must reset the password first is sent to do so, with trust in %j', async trusted => {
  const { idp, server, userId } = await startLinked({ env: { GATEHOUSE_SSO_TRUSTED: trusted } })
  await server.db.updateTable('users').set({ userForcedReset: 1 }).where('userId', '=', userId).execute()
  idp.people.set(adaThere.sub, { ...adaThere, amr: ['mfa'] })
  const browser = server.openBrowser()
  const answer = await travel(browser, idp)
  expect(await isRefusal(answer, browser)).toBe(true)
  expect(answer.body).toContain('Please reset your password.')
  expect(browser.jar.has('gatehouse-ticket')).toBe(false)
})

test('LG-01: each journey leaves its row in the audit', async () => {
  const { idp, server, userId } = await startLinked()
  const browser = server.openBrowser()
  await arriveAt(browser, await travel(browser, idp))
  await comeBack(browser, new URL('http://localhost:8080/auth/sso/google/callback?state=x&code=y'))
  idp.people.set('nobody', { sub: 'nobody' })
  await travel(browser, idp, 'nobody')
  const rows = await audited(server)
  expect(rows.map(row => row.auditResult).sort()).toEqual(
    ['google: linked', 'google: over', 'google: successful', 'google: unknown-identity'].sort(),
  )
  expect(rows.find(row => row.auditResult === 'google: successful')).toMatchObject({ auditActor: userId, auditTarget: userId })
  expect(await results(server, 'session-started')).toHaveLength(2)
})

test('DP-02: journeys nobody came back from are forgotten', async () => {
  const { server } = await start()
  for (let i = 0; i < 3; i++) await depart(server.openBrowser())
  await server.chores.purge()
  expect(await server.db.selectFrom('sso_journeys').selectAll().execute()).toHaveLength(3)
  server.clock.advance(minutes(10))
  await server.chores.purge()
  expect(await server.db.selectFrom('sso_journeys').selectAll().execute()).toEqual([])
})

test('CC-01: the way back, opened twenty times at once, signs in once', async () => {
  const { idp, server } = await startLinked({ slots: 8 })
  const browser = server.openBrowser()
  const back = await idp.visit((await depart(browser)).headers.location, adaThere.sub)
  const cookies = new Map(browser.jar)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => {
      const one = server.openBrowser()
      for (const [name, value] of cookies) one.jar.set(name, value)
      return comeBack(one, back)
    }),
  )
  expect(answers.filter(({ statusCode }) => statusCode === 303)).toHaveLength(1)
  expect(answers.every(({ statusCode }) => statusCode < 500)).toBe(true)
})

test('two journeys of one new person at once make one user, and no fault', async () => {
  const { idp, server } = await start({ env: { GATEHOUSE_SSO_PROVISION: 'on' } })
  const ways = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const browser = server.openBrowser()
      return { browser, back: await idp.visit((await depart(browser)).headers.location, adaThere.sub) }
    }),
  )
  const answers = await Promise.all(ways.map(({ browser, back }) => comeBack(browser, back)))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303, 303])
  expect(await countUsers(server)).toBe(1)
})

test('a second identity at a provider does not take the place of the first', async () => {
  const { idp, server } = await start()
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  const answers = []
  for (const sub of ['one', 'another']) {
    idp.people.set(sub, { sub })
    const { location } = await browser.call(accountRoutes.userProviderLink, { provider: 'Google', password: ada.password })
    answers.push((await comeBack(browser, await idp.visit(location, sub))).statusCode)
  }
  expect(answers).toEqual([303, 409])
  const { userGoogleId } = await server.db.selectFrom('users').select('userGoogleId').executeTakeFirstOrThrow()
  expect(userGoogleId).toMatch(/ one$/)
})

test('one identity, linked by two users at once, is one’s', async () => {
  const { idp, server } = await start()
  await server.addUser()
  await server.addUser(grace)
  for (let round = 0; round < 5; round++) {
    await server.db.updateTable('users').set({ userGoogleId: null }).execute()
    const sub = `wanted-${round}`
    idp.people.set(sub, { sub })
    const ways = await Promise.all(
      [ada, grace].map(async who => {
        const browser = server.openBrowser()
        await browser.enter(who)
        const { location } = await browser.call(accountRoutes.userProviderLink, { provider: 'Google', password: who.password })
        return { browser, back: await idp.visit(location, sub) }
      }),
    )
    const answers = await Promise.all(ways.map(({ browser, back }) => comeBack(browser, back)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 409])
  }
})

test('a one-time link that was asked for with a provider leads to that provider’s start, where it is linked', async () => {
  const { idp, server } = await startLinked()
  const browser = server.openBrowser()
  await browser.call(routes.magiclinkSend, [{ email: ada.username, redirect: { tag: 'RedirectSSOLogin', contents: 'Google' } }])
  const [, path = ''] = (await server.deliver()).map(({ text }) => /http:\/\/localhost:8080(\/auth\/\S*)/.exec(text)).find(Boolean) ?? []
  expect(path).toBe('/auth/page/plow/ssoLogin?provider=google')
  const out = await browser.get(path, page)
  await arriveAt(browser, await comeBack(browser, await idp.visit(out.headers.location, adaThere.sub)))
})

test('doctor tells the redirect URI of each provider, and whether it can be asked', async () => {
  const { idp, server } = await start({
    as: ['GOOGLE', 'AZURE'],
    env: { GATEHOUSE_PUBLIC_URL: 'https://example.com/sign-in', GATEHOUSE_SSO_TRUSTED: 'azure' },
  })
  const says = async () => (await examineProviders(server.config)).map(({ level, says }) => `${level}: ${says}`)
  expect(await says()).toEqual([
    'ok: Google must know this redirect URI: https://example.com/sign-in/auth/sso/google/callback',
    `warning: Google answers at ${idp.issuer}, and says that it is this issuer. Plain http: for a trial only.`,
    'ok: Microsoft must know this redirect URI: https://example.com/sign-in/auth/sso/azure/callback',
    `warning: Microsoft answers at ${idp.issuer}, and says that it is this issuer. Plain http: for a trial only.`,
    'ok: Only accounts that are linked can be entered (GATEHOUSE_SSO_PROVISION=off). The second factor of azure counts here (GATEHOUSE_SSO_TRUSTED).',
  ])
  idp.faults.metadata = metadata => ({ ...metadata, issuer: 'https://accounts.google.com' })
  expect((await says())[1]).toMatch(/^problem: Google cannot be asked at /)
  await idp.stop()
  expect((await says())[1]).toMatch(/^problem: Google cannot be asked at .*ECONNREFUSED/)
  const without = await startServer()
  expect((await examineProviders(without.config)).map(({ level }) => level)).toEqual(['ok'])
})

test('AZ-03, A10: no provider’s word makes an administrator', async () => {
  const { idp, server } = await start({ env: { GATEHOUSE_SSO_PROVISION: 'on', GATEHOUSE_ADMINS: 'ops@example.com' } })
  idp.people.set('climber', { sub: 'climber', email: 'OPS@example.com', email_verified: true })
  const browser = server.openBrowser()
  expect(await isRefusal(await travel(browser, idp, 'climber'), browser)).toBe(true)
  expect(await countUsers(server)).toBe(0)
})

test('A13: a session that was ended while the provider was asked links nothing', async () => {
  const { idp, server } = await start()
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  const { location } = await browser.call(accountRoutes.userProviderLink, { provider: 'Google', password: ada.password })
  const back = await idp.visit(location, adaThere.sub)
  await server.db.updateTable('users').set({ userForcedReset: 1 }).execute()
  expect((await comeBack(browser, back)).statusCode).toBe(400)
  expect((await userOf(server, ada.username))?.userGoogleId).toBe(null)
})

test('linking wants a sign-in not long ago, besides the password', async () => {
  const { server } = await start()
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  server.clock.advance(minutes(15))
  const late = await browser.send('POST', accountRoutes.userProviderLink.path, { provider: 'Google', password: ada.password })
  expect([late.statusCode, late.json().error]).toEqual([403, expect.stringContaining('Sign in again')])
})

test('unlinking signs out whoever came by that identity', async () => {
  const { idp, server, browser } = await startLinked()
  const other = server.openBrowser()
  await arriveAt(other, await travel(other, idp))
  await browser.call(accountRoutes.userProviderUnlink, { provider: 'Google', password: ada.password })
  expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false])
})

test('a forced reset of somebody who has no password mails the link to set one', async () => {
  const { server, userId } = await startLinked()
  await server.db.updateTable('users').set({ userPassword: null, userForcedReset: 1 }).where('userId', '=', userId).execute()
  await server.openBrowser().call(routes.sendPasswordResetEmail, { useremail: ada.username })
  server.clock.advance(1)
  expect(mailedLink(await server.deliver(), 'new-password').token).toHaveLength(43)
})
