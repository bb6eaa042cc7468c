import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { plainPages, routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { loadBuiltPages } from '../../src/http/pages/built-pages.ts'
import { ada, isSignedIn, startServer } from '../support/harness.ts'

const body = JSON.stringify({ ...ada, useragent: '' })
const json = { 'content-type': 'application/json' }
const post = (
  server: Awaited<ReturnType<typeof startServer>>,
  headers: Record<string, string>,
  url = routes.getAuthTokenWithError.path,
  payload = body,
) => server.app.inject({ method: 'POST', url, headers: { ...json, ...headers }, payload })

const own = 'http://localhost:8080'

test.each([
  [200, {}],
  [200, { origin: own }],
  [200, { origin: own, 'sec-fetch-site': 'same-origin' }],
  // Opened as 127.0.0.1: the browser states that the page and the call have the same origin.
  [200, { origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'same-origin' }],
  [403, { origin: 'https://evil.example' }],
  [403, { origin: 'null' }],
  [403, { origin: `${own}.evil.example` }],
  [403, { origin: 'https://localhost:8080' }],
  [403, { origin: 'http://localhost:8081' }],
  [403, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  // An attacker's host name that resolves to this machine (DNS rebinding).
  [403, { origin: 'http://evil.example:8080', 'sec-fetch-site': 'same-origin' }],
  [403, { origin: 'null', 'sec-fetch-site': 'same-origin' }],
  [200, { origin: 'http://[::1]:8080', 'sec-fetch-site': 'same-origin' }],
  [403, { 'sec-fetch-site': 'cross-site' }],
  [403, { 'sec-fetch-site': 'same-site' }],
  [403, { 'sec-fetch-site': 'none' }],
])('CS-01: answers %i to a sign-in with %j', async (status, headers) => {
  const server = await startServer()
  await server.addUser()
  expect((await post(server, headers)).statusCode).toBe(status)
})

test('CS-01: does not sign out on a request from a foreign origin', async () => {
  const server = await startServer()
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  expect((await browser.send('POST', routes.logoutBySelf.path, {}, { origin: 'https://evil.example' })).statusCode).toBe(403)
  expect(await isSignedIn(browser)).toBe(true)
})

test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/json; charset=utf-7', ''])(
  'CS-02: refuses a body of type %j in every call',
  async type => {
    const server = await startServer()
    await server.addUser()
    for (const route of Object.values(routes).filter(route => route.method === 'POST')) {
      const answer = await post(server, { origin: own, 'content-type': type }, route.path)
      expect([route.path, answer.statusCode]).toEqual([route.path, 415])
    }
  },
)

test('A30, CS-05: accepts only the declared methods on every path', async () => {
  const server = await startServer()
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  const expected = new Map<string, string>([
    ...[routes.getAuthTokenWithError, routes.plowlogin, routes.loginWithToken, routes.logoutBySelf, routes.logoutByUserId].map(
      ({ path }) => [path, 'POST'] as const,
    ),
    [routes.featuresCheck.path, 'GET'],
    [routes.originCheck.path, 'GET'],
    ...['/auth/page/plow/a/b', '/auth/page/plow/ssoLogin', '/auth/sso/google/callback'].map(path => [path, 'GET'] as const),
    ...['/healthz', '/readyz'].map(path => [path, 'GET, HEAD'] as const),
    ...[
      ...Object.values(plainPages),
      '/one-time-link',
      '/new-password',
      '/new-factor',
      '/confirm-email',
      '/account',
      '/recovery-codes',
    ].map(path => [path, 'GET, HEAD, POST'] as const),
  ])
  for (const [url, allow] of expected) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const) {
      if (allow.split(', ').includes(method)) continue
      const response = await server.app.inject({ method, url })
      expect([method, url, response.statusCode, response.headers.allow]).toEqual([method, url, 405, allow])
    }
  }
  expect(await isSignedIn(browser)).toBe(true)
})

test('CS-04: lets only listed origins read an answer, not similar ones and never null', async () => {
  const server = await startServer({ env: { GATEHOUSE_ORIGINS: 'https://app.example.com' } })
  await server.addUser()
  const listed = await post(server, { origin: 'https://app.example.com', 'sec-fetch-site': 'same-site' })
  expect([listed.statusCode, listed.headers['access-control-allow-origin'], listed.headers['access-control-allow-credentials']]).toEqual([
    200,
    'https://app.example.com',
    'true',
  ])
  expect(listed.headers.vary).toContain('Origin')
  // The widget reads how long to wait after a 503.
  expect(listed.headers['access-control-expose-headers']).toBe('retry-after')
  for (const origin of [
    'null',
    'https://app.example.com.evil.example',
    'http://app.example.com',
    'https://app.example.com:444',
    'https://sub.app.example.com',
    'https://evilapp.example.com',
  ]) {
    const response = await post(server, { origin })
    expect([origin, response.statusCode, response.headers['access-control-allow-origin']]).toEqual([origin, 403, undefined])
    const preflight = await server.app.inject({
      method: 'OPTIONS',
      url: routes.getAuthTokenWithError.path,
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined()
  }
})

test('HD-01, HD-02, HD-03: sends the security headers with every answer', async () => {
  const server = await startServer({ env: { GATEHOUSE_PUBLIC_URL: 'https://sign-in.example.com' } })
  const answers = [
    await server.app.inject('/account'),
    await server.app.inject('/nothing'),
    await server.app.inject('/features/check'),
    await post(server, {}),
    await post(server, { origin: 'https://evil.example' }),
    await post(server, {}, undefined, 'not json'),
    await server.app.inject('/%'),
    await server.app.inject('/%zz'),
    await server.app.inject(`/auth/page/plow/a/${'x'.repeat(300)}`),
  ]
  for (const { headers, statusCode } of answers) {
    expect(headers['content-security-policy']).toBe(
      "default-src 'self';script-src 'self';style-src 'self';img-src 'self' data:;object-src 'none';base-uri 'none';form-action 'self';frame-ancestors 'none'",
    )
    expect(headers).toMatchObject({
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
    })
    if (statusCode !== 303) expect(headers['content-type']).toMatch(/^(application\/json|text\/html); charset=utf-8$/)
  }
})

test('lets browsers cache assets for a year, and serves no file outside the assets', async () => {
  const server = await startServer()
  const page = await server.app.inject('/')
  const [, asset = ''] = /="(\/assets\/[^"]+\.js)"/.exec(page.body) ?? []
  const response = await server.app.inject(asset)
  expect([response.statusCode, response.headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable'])
  expect((await server.app.inject('/assets/../index.html')).statusCode).toBe(404)
})

test('serves pages, assets, calls and redirects below a public path', async () => {
  const server = await startServer({ env: { GATEHOUSE_PUBLIC_URL: 'http://localhost:8080/gate/house/' } })
  await server.addUser()
  const page = await server.app.inject('/gate/house/')
  const assets = [...page.body.matchAll(/="([^"]*assets\/[^"]+)"/g)].map(match => match[1] ?? '')
  expect(assets.length).toBeGreaterThan(1)
  for (const asset of assets)
    expect([asset, (await server.app.inject(asset)).statusCode]).toEqual([expect.stringMatching(/^\/gate\/house\/assets\//), 200])
  const browser = server.openBrowser()
  await browser.enter()
  expect((await browser.get('/gate/house/')).headers.location).toBe('/gate/house/account')
  expect((await browser.get('/gate/house/account')).statusCode).toBe(200)
  expect((await server.app.inject('/gate/house/account')).headers.location).toBe('/gate/house/')
  const outside = await server.app.inject('/gate/auth/page/plow/some-selector/some-token')
  expect([outside.statusCode, outside.json()]).toEqual([404, { error: 'address: there is nothing here' }])
})

test('HD-04: escapes markup in a name on the account page', async () => {
  const pages = await loadBuiltPages(`${import.meta.dirname}/../../../portal/dist`, '', [], {
    name: 'Gatehouse',
    links: {},
    notice: undefined,
    accent: undefined,
    files: {},
  })
  const golden = JSON.parse(await readFile(`${import.meta.dirname}/../../../wire/fixtures/OwnAccount.json`, 'utf8'))
  const html = pages
    .in('en')
    .account({ now: '2026-11-20T03:14:00.000Z', account: { ...golden, userIdent: '</script><img src=x>@example.com' } })
  expect(html).toContain('&lt;/script&gt;&lt;img src=x&gt;')
  expect(html).not.toMatch(/<\/script><img|<img src=x>/)
})

test('reports a feature that exists as true, and unknown names as false', async () => {
  const server = await startServer()
  const { features } = (await server.app.inject('/features/check')).json()
  expect(features.passwordSignIn).toBe(true)
  expect((await server.app.inject('/features/check?name=passwordSignIn')).body).toBe('true')
  expect((await server.app.inject('/features/check?name=timeTravel')).body).toBe('false')
  expect((await server.app.inject('/features/check?name=constructor')).body).toBe('false')
})

test('answers a database fault with 503, Retry-After and no internal detail', async () => {
  const server = await startServer()
  await server.addUser()
  await server.db.schema.dropTable('audit').execute()
  const failed = await post(server, {})
  expect([failed.statusCode, failed.headers['retry-after']]).toEqual([503, '2'])
  const id = failed.headers['x-request-id']
  expect(failed.json()).toEqual({ error: `Something went wrong (request ${id})`, code: 'Fault', value: id })
  expect(server.logged.join('')).toMatch(/no such table: audit|relation \\"audit\\" does not exist/)
})

test('readiness requires a working database, and liveness does not', async () => {
  const server = await startServer()
  const statuses = async () => [(await server.app.inject('/readyz')).statusCode, (await server.app.inject('/healthz')).statusCode]
  expect(await statuses()).toEqual([200, 200])
  await server.db.schema.alterTable('users').renameTo('gone').execute()
  expect(await statuses()).toEqual([503, 200])
})

test('TH-10: trusts X-Forwarded-For only from configured proxies, and reads it from the right', async () => {
  const addressOf = async (env: Record<string, string>) => {
    const server = await startServer({ env })
    await post(server, { 'x-forwarded-for': '6.6.6.6, 203.0.113.7, 10.0.0.2' })
    return (await server.db.selectFrom('audit').select('auditAddress').executeTakeFirstOrThrow()).auditAddress
  }
  expect(await addressOf({})).toBe('127.0.0.1')
  expect(await addressOf({ GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' })).toBe('203.0.113.7')
  expect(await addressOf({ GATEHOUSE_TRUSTED_PROXIES: '192.168.0.0/16' })).toBe('127.0.0.1')
})

test.each([
  ['nonsense', 'nonsense\r\n\r\n', 400],
  ['a head of 50 KB', `GET / HTTP/1.1\r\nhost: x\r\ncookie: ${'x'.repeat(50_000)}\r\n\r\n`, 431],
  ['two lengths', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n', 400],
])('HD-02: answers malformed input (%s) with the security headers', async (_, bytes, status) => {
  const server = await startServer()
  const { port } = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 }))
  const answer = await new Promise<string>((resolve, reject) => {
    let text = ''
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes))
    socket.on('data', chunk => (text += chunk))
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  for (const header of ['content-security-policy: ', 'x-content-type-options: nosniff', 'cache-control: no-store', 'connection: close']) {
    expect(answer.toLowerCase()).toContain(`\r\n${header}`)
  }
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({ error: expect.stringContaining(': ') })
})
