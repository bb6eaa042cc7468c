import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { accountRoutes } from '@gatehouse/wire'
import { expect, onTestFinished, test } from 'vitest'
import { limits, seconds } from '../../src/limits.ts'
import { ada, type Browser, startServer } from '../support/harness.ts'
import { dumpTables } from '../support/tables.ts'
import { drip, type Faults, json } from './identity-provider.ts'
import {
  adaAtProvider,
  grace,
  isRefusal,
  linkIdentity,
  page,
  results,
  returnFromProvider,
  signInAtProvider,
  startAtProvider,
  startLinked,
  startWithProvider,
} from './sso-sign-in.ts'

test('OI-07: shows an error page for an unknown or unconfigured provider and for a malformed request', async () => {
  const { server } = await startWithProvider()
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

test('OI-08, A36: refuses discovery that redirects, never ends or is too large', async () => {
  const { idp, server } = await startWithProvider()
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
    const out = await startAtProvider(browser)
    expect([name, await isRefusal(out, browser)]).toEqual([name, true])
  }
  expect(followed).toBe(0)
  idp.faults.discovery = drip
  const from = Date.now()
  const browser = server.openBrowser()
  expect(await isRefusal(await startAtProvider(browser), browser)).toBe(true)
  expect(Date.now() - from).toBeLessThan(seconds(8))
  delete idp.faults.discovery
  expect((await startAtProvider(server.openBrowser())).statusCode).toBe(303)
})

const pakAt = (issuer: string) => ({
  GATEHOUSE_PAK_ISSUER: issuer,
  GATEHOUSE_PAK_CLIENT_ID: 'x',
  GATEHOUSE_PAK_CLIENT_SECRET: 'y',
})

test('OI-08, A36: contacts a provider in a private network only if GATEHOUSE_SSO_PRIVATE is on', async () => {
  for (const issuer of [
    'https://10.0.0.1',
    'https://169.254.169.254',
    'https://[::ffff:169.254.169.254]',
    'https://localhost',
    'https://2130706433',
  ]) {
    const server = await startServer({ env: pakAt(issuer) })
    const from = Date.now()
    const browser = server.openBrowser()
    expect([issuer, await isRefusal(await startAtProvider(browser, 'pak'), browser)]).toEqual([issuer, true])
    expect(Date.now() - from).toBeLessThan(seconds(2))
  }
  let connections = 0
  // Closes each connection: the test only counts them.
  const provider = createServer(socket => {
    connections++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void provider.close())
  await once(provider, 'listening')
  const issuer = `https://127.0.0.1:${(provider.address() as AddressInfo).port}`
  const contacts: boolean[] = []
  for (const setting of ['off', 'on']) {
    const server = await startServer({ env: { ...pakAt(issuer), GATEHOUSE_SSO_PRIVATE: setting } })
    const before = connections
    await startAtProvider(server.openBrowser(), 'pak')
    contacts.push(connections > before)
  }
  expect(contacts).toEqual([false, true])
})

test('OI-08: refuses a sign-in page of a provider if its address is neither https nor http', async () => {
  const { idp, server } = await startWithProvider()
  for (const endpoint of ['javascript:alert(1)', 'data:text/html,x', 'ftp://example.com/', '//example.com', 'no address', 7]) {
    idp.faults.metadata = metadata => ({ ...metadata, authorization_endpoint: endpoint })
    const browser = server.openBrowser()
    const out = await startAtProvider(browser)
    expect([endpoint, await isRefusal(out, browser)]).toEqual([endpoint, true])
    server.clock.advance(limits.provider.remembered)
  }
})

test('OI-09: reveals no token or secret of a provider to a browser, a log, a table or a mail', async () => {
  const { idp, server } = await startWithProvider()
  await server.addUser()
  const said: string[] = []
  const hear = (answer: Awaited<ReturnType<Browser['get']>>) => {
    said.push(JSON.stringify(answer.headers), answer.body)
    return answer
  }
  const browser = server.openBrowser()
  await browser.enter()
  const linking = hear(await browser.send('POST', accountRoutes.userProviderLink.path, { provider: 'Google', password: ada.password }))
  hear(await returnFromProvider(browser, await idp.visit(linking.json().location, adaAtProvider.sub)))
  const other = server.openBrowser()
  const out = hear(await startAtProvider(other))
  const back = hear(await returnFromProvider(other, await idp.visit(out.headers.location, adaAtProvider.sub)))
  hear(await other.get(String(back.headers.location), page))
  hear(await other.get('/account', page))
  idp.faults.idToken = (claims, signed) => signed({ ...claims, nonce: 'x' })
  const refused = server.openBrowser()
  hear(await signInAtProvider(refused, idp))
  idp.faults.token = json(400, { error: 'invalid_grant', error_description: 'SECRET-OF-THE-PROVIDER' })
  hear(await signInAtProvider(refused, idp))
  const mails = await server.deliver()
  // Codes, access tokens and ID tokens of three journeys.
  expect(idp.given.filter(Boolean).length).toBeGreaterThanOrEqual(9)
  const tables = await dumpTables(server.db)
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

test('OI-10: any failure at the provider prevents the sign-in and shows an error page', async () => {
  const { idp, server } = await startLinked()
  for (const [name, faults] of Object.entries(broken)) {
    server.clock.advance(limits.provider.remembered)
    Object.assign(idp.faults, { jwks: undefined, token: undefined }, faults)
    const browser = server.openBrowser()
    expect([name, await isRefusal(await signInAtProvider(browser, idp), browser)]).toEqual([name, true])
  }
})

test('OI-10: a wrong client secret prevents the sign-in', async () => {
  const { idp, server } = await startLinked()
  const { env } = { env: { ...idp.env('GOOGLE'), GATEHOUSE_GOOGLE_CLIENT_SECRET: 'a wrong one' } }
  const wrong = await startServer({ env })
  const browser = wrong.openBrowser()
  expect(await isRefusal(await signInAtProvider(browser, idp), browser)).toBe(true)
  expect(wrong.logged.join('')).not.toContain('a wrong one')
  expect(await results(server)).toContain('google: linked')
})

test('OI-10: shows an error page for a provider that stops during the journey or was never reachable', async () => {
  const { idp, server } = await startLinked()
  const browser = server.openBrowser()
  const back = await idp.visit((await startAtProvider(browser)).headers.location, adaAtProvider.sub)
  await idp.stop()
  expect(await isRefusal(await returnFromProvider(browser, back), browser)).toBe(true)
  const unknowing = await startServer({ env: idp.env('GOOGLE') })
  const other = unknowing.openBrowser()
  expect(await isRefusal(await startAtProvider(other), other)).toBe(true)
})

test('shows Gatehouse’s own page when the provider refuses, whatever text the provider sends', async () => {
  const { idp, server } = await startLinked()
  const cancelled = server.openBrowser()
  const answer = await signInAtProvider(cancelled, idp, 'cancel')
  expect(await isRefusal(answer, cancelled)).toBe(true)
  expect(await results(server)).toContain('google: cancelled')
  // The audit records a cancellation during linking as a failed link, not as a failed sign-in.
  await server.addUser(grace)
  const linking = server.openBrowser()
  await linking.enter(grace)
  await linkIdentity(linking, idp, 'cancel', grace.password)
  expect(await results(server)).toContain('google: not linked: cancelled')
  const browser = server.openBrowser()
  const back = await idp.visit((await startAtProvider(browser)).headers.location, 'cancel')
  back.searchParams.set('error', 'server_error<script>')
  back.searchParams.set('error_description', 'Call +1 555 0100 <script>alert(1)</script>')
  const said = await returnFromProvider(browser, back)
  expect(await isRefusal(said, browser)).toBe(true)
  for (const words of ['555', '<script>alert', 'server_error']) expect(said.body).not.toContain(words)
})
