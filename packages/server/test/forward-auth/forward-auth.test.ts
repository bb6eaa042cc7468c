import { routes } from '@gatehouse/wire'
import { expect, test, vi } from 'vitest'
import { minutes, seconds } from '../../src/limits.ts'
import { declared } from '../http/declared-routes.ts'
import { codeAt, enroll, otpOf } from '../support/authenticator.ts'
import { ada, admin, type Browser, startServer } from '../support/harness.ts'

const grace = { username: 'grace@ops.example.com', password: 'a compiler of her own' }
/** This domain ends with the allowed domain, ops.example.com, but is another domain. */
const mallory = { username: 'mallory@devops.example.com', password: 'a password like any other' }
const josé = { username: 'josé@example.com', password: 'a name that is no ASCII' }

/** Settings for dashboards on sibling hosts of Gatehouse. */
const besides = {
  GATEHOUSE_PUBLIC_URL: 'https://sign-in.example.com',
  GATEHOUSE_COOKIE_DOMAIN: 'example.com',
  GATEHOUSE_ADMINS: admin.username,
  GATEHOUSE_PROTECTED_ORIGINS:
    'https://grafana.example.com, https://prometheus.example.com:8443 administrators second-factor, https://netdata.example.com ada@example.com *@ops.example.com, https://strict.example.com second-factor',
}
const start = (env: Record<string, string> = {}) => startServer({ env: { ...besides, ...env } })

/** The headers a proxy sends for a request to an address. */
const asked = (address: string, headers: Record<string, string | undefined> = {}) => {
  const { protocol, host, origin } = new URL(address)
  const all = {
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-host': host,
    'x-forwarded-uri': address.slice(origin.length) || '/',
    ...headers,
  }
  return Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
const navigates = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', accept: 'text/html,*/*;q=0.8' }
const grafana = 'https://grafana.example.com/d/abc?from=now-6h&to=now'

const check = async (browser: Browser, address: string, headers = {}, path = '/auth/forward') => {
  const answer = await browser.get(path, asked(address, headers))
  return { status: answer.statusCode, location: answer.headers.location, headers: answer.headers, body: answer.body }
}
const identityOf = (headers: Record<string, unknown>) =>
  ['remote-user', 'remote-email', 'remote-groups', 'x-webauth-user'].map(name => headers[name])

test.each(['/auth/forward', '/auth/request'])('%s lets a session through with its identity headers, and runs one SELECT', async path => {
  const server = await start()
  await server.addUser()
  await server.addUser(admin)
  await server.addUser(josé)
  const answers: unknown[] = []
  for (const user of [ada, admin, josé]) {
    const browser = server.openBrowser()
    await browser.enter(user)
    const executed = vi.spyOn(server.db.getExecutor(), 'executeQuery')
    const { status, headers, body } = await check(browser, grafana, navigates, path)
    const queries = executed.mock.calls.map(([{ query }]) => query.kind)
    executed.mockRestore()
    expect([status, body, headers['cache-control'], queries]).toEqual([200, '', 'no-store', ['SelectQueryNode']])
    answers.push(identityOf(headers))
  }
  expect(answers).toEqual([
    ['ada@example.com', 'ada@example.com', 'users', 'ada@example.com'],
    ['admin@example.com', 'admin@example.com', 'administrators', 'admin@example.com'],
    ['jos%C3%A9@example.com', 'jos%C3%A9@example.com', 'users', 'jos%C3%A9@example.com'],
  ])
})

/** Requests that are not page loads, from browsers with and without Sec-Fetch-*. */
const notPageLoads: [string, Record<string, string>][] = [
  ['fetch', { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty', accept: '*/*' }],
  ['fetch that takes HTML', { 'sec-fetch-mode': 'same-origin', 'sec-fetch-dest': 'empty', accept: 'text/html' }],
  ['an image', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image', accept: 'image/*' }],
  ['a frame', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe', accept: 'text/html' }],
  ['a WebSocket', { 'sec-fetch-mode': 'websocket', 'sec-fetch-dest': 'empty', upgrade: 'websocket', connection: 'Upgrade' }],
  ['a WebSocket on plain http', { upgrade: 'websocket', connection: 'Upgrade', accept: 'text/html' }],
  ['JSON', { accept: 'application/json' }],
  ['XMLHttpRequest', { accept: 'text/html', 'x-requested-with': 'XMLHttpRequest' }],
  ['nothing said', {}],
  ['a posted form', { ...navigates, 'x-forwarded-method': 'POST' }],
  ['the call of a program', { accept: '*/*', authorization: 'Basic YWRhOng=' }],
]

test.each(['/auth/forward', '/auth/request'])(
  '%s without a session redirects page loads to sign-in, and answers anything else with 401 and JSON',
  async path => {
    const server = await start()
    const browser = server.openBrowser()
    for (const [what, headers] of notPageLoads) {
      const { status, location, body } = await check(browser, grafana, headers, path)
      expect([what, status, location, JSON.parse(body)]).toEqual([what, 401, undefined, { error: 'session: sign in first' }])
    }
    expect(await server.db.selectFrom('return_addresses').selectAll().execute()).toEqual([])
    for (const headers of [navigates, { accept: 'text/html,application/xhtml+xml' }, { ...navigates, 'x-forwarded-method': 'HEAD' }]) {
      const { status, location } = await check(browser, grafana, headers, path)
      expect([status, location]).toEqual([
        path === '/auth/forward' ? 302 : 401,
        expect.stringMatching(/^https:\/\/sign-in\.example\.com\/\?return=[\w-]{22}$/),
      ])
    }
    expect(await server.db.selectFrom('failed_logins').selectAll().execute()).toEqual([])
    expect(await server.db.selectFrom('audit').selectAll().execute()).toEqual([])
  },
)

test('enforces rules for all users, administrators, named users, a domain, and a required second factor', async () => {
  const server = await start({ GATEHOUSE_SECOND_FACTOR: 'skippable' })
  for (const user of [ada, admin, grace, mallory]) await server.addUser(user)
  const [byCode, bySkip, ops, devOps] = [server.openBrowser(), server.openBrowser(), server.openBrowser(), server.openBrowser()]
  const { secret } = await enroll(byCode, server.clock, admin)
  server.clock.advance(seconds(30))
  const outcome = await byCode.call(routes.verifyOTP, { ...otpOf(admin), otpVerification: await codeAt(secret, server.clock.at) })
  if (outcome.tag === 'AuthSuccessful') await byCode.call(routes.plowlogin, outcome.contents)
  for (const [browser, user] of [
    [bySkip, ada],
    [ops, grace],
    [devOps, mallory],
  ] as const) {
    const offered = await browser.signIn(user)
    if (offered.tag !== 'AuthRequiresFactorCreation') throw new Error(offered.tag)
    const skipped = await browser.call(routes.setupOTP, { ...otpOf(user), otpFactorUUID: offered.contents.factorUUID })
    if (skipped.tag !== 'AuthSuccessful') throw new Error(skipped.tag)
    await browser.call(routes.plowlogin, skipped.contents)
  }
  const table = async (browser: Browser) => {
    const statuses = []
    for (const host of ['grafana.example.com', 'prometheus.example.com:8443', 'netdata.example.com', 'strict.example.com'])
      statuses.push((await check(browser, `https://${host}/`)).status)
    return statuses
  }
  expect(await table(byCode)).toEqual([200, 200, 403, 200])
  expect(await table(bySkip)).toEqual([200, 403, 200, 403])
  expect(await table(ops)).toEqual([200, 403, 200, 403])
  expect(await table(devOps)).toEqual([200, 403, 403, 403])

  const call = await check(bySkip, 'https://strict.example.com/x')
  expect([call.location, JSON.parse(call.body)]).toEqual([undefined, { error: 'session: a second factor is required here' }])
  for (const [host, title] of [
    ['strict.example.com', 'Second factor required'],
    ['prometheus.example.com:8443', 'You don’t have access'],
  ]) {
    const led = await check(bySkip, `https://${host}/x`, navigates)
    expect(led.status).toBe(302)
    const page = await bySkip.get((led.location ?? '').replace(besides.GATEHOUSE_PUBLIC_URL, ''), navigates)
    expect(page.statusCode).toBe(403)
    for (const text of [title, ada.username, host, 'href="/account"']) expect(page.body).toContain(text)
    const byRequest = await check(bySkip, `https://${host}/x`, navigates, '/auth/request')
    expect([byRequest.status, byRequest.location]).toEqual([403, expect.stringContaining('/?return=')])
  }
})

test('accepts headers up to nginx’s size limit', async () => {
  const server = await start()
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 })
  const large = Object.fromEntries(['a', 'b', 'c', 'd'].map(name => [`x-${name}`, name.repeat(8000)]))
  expect((await fetch(`${url}/auth/forward`, { headers: asked(grafana, { ...large, cookie }) })).status).toBe(200)
})

test('a check refuses an ended session at the next request', async () => {
  const server = await start({ GATEHOUSE_SECOND_FACTOR: 'off' })
  const userId = await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  expect((await check(browser, grafana)).status).toBe(200)
  await server.db.deleteFrom('sessions').where('sessionUser', '=', userId).execute()
  expect((await check(browser, grafana)).status).toBe(401)
})

/** Misconfigured proxy headers, and the name of the misconfiguration. */
const unprotected: [string, Record<string, string | undefined>, string][] = [
  ['nothing at all', { 'x-forwarded-proto': undefined, 'x-forwarded-host': undefined, 'x-forwarded-uri': undefined }, 'forwarded-headers'],
  ['no scheme', { 'x-forwarded-proto': undefined }, 'forwarded-headers'],
  ['no host', { 'x-forwarded-host': undefined }, 'forwarded-headers'],
  ['no path', { 'x-forwarded-uri': undefined }, 'forwarded-headers'],
  ['an odd scheme', { 'x-forwarded-proto': 'javascript' }, 'forwarded-headers'],
  ['two schemes', { 'x-forwarded-proto': 'https, http' }, 'forwarded-headers'],
  ['two hosts', { 'x-forwarded-host': 'grafana.example.com, evil.example' }, 'forwarded-headers'],
  ['a host with a user', { 'x-forwarded-host': 'grafana.example.com@evil.example' }, 'forwarded-headers'],
  ['a host with a path', { 'x-forwarded-host': 'grafana.example.com/x' }, 'forwarded-headers'],
  ['a host with a fragment', { 'x-forwarded-host': 'evil.example#.grafana.example.com' }, 'forwarded-headers'],
  ['a host with a backslash', { 'x-forwarded-host': 'evil.example\\.grafana.example.com' }, 'forwarded-headers'],
  ['a port that is none', { 'x-forwarded-host': 'grafana.example.com:99999' }, 'forwarded-headers'],
  ['a path that is an address', { 'x-forwarded-uri': 'https://evil.example/' }, 'forwarded-headers'],
  ['a path that goes on the host', { 'x-forwarded-uri': '.evil.example/' }, 'forwarded-headers'],
  ['a path that makes the host a user', { 'x-forwarded-uri': '@evil.example/' }, 'forwarded-headers'],
  ['another port', { 'x-forwarded-host': 'grafana.example.com:444' }, 'forwarded-headers'],
  ['where the proxy finds it', { 'x-forwarded-host': '127.0.0.1:3000' }, 'forwarded-headers'],
  ['the name it has in a container', { 'x-forwarded-host': 'grafana:3000' }, 'forwarded-headers'],
  ['plain http, where the browser says otherwise', { 'x-forwarded-proto': 'http', ...navigates }, 'forwarded-headers'],
  ['plain http', { 'x-forwarded-proto': 'http', accept: 'text/html' }, 'secure-cookie-on-http'],
  ['a host that is not listed', { 'x-forwarded-host': 'wiki.example.com' }, 'not-protected'],
  ['a dot at its end', { 'x-forwarded-host': 'grafana.example.com.' }, 'forwarded-headers'],
  ['one that ends alike', { 'x-forwarded-host': 'evilgrafana.example.com' }, 'not-protected'],
  ['one of another domain', { 'x-forwarded-host': 'grafana.example.com.evil.example' }, 'cookie-domain'],
  ['another domain', { 'x-forwarded-host': 'grafana.example.org' }, 'cookie-domain'],
]

test('names the misconfiguration for an unprotected address, with and without a session', async () => {
  const server = await start()
  await server.addUser()
  const [signedIn, anonymous] = [server.openBrowser(), server.openBrowser()]
  await signedIn.enter()
  for (const [what, headers, trouble] of unprotected) {
    for (const browser of [signedIn, anonymous]) {
      for (const path of ['/auth/forward', '/auth/request']) {
        const isSafe = headers['sec-fetch-mode'] !== undefined
        const call = await check(browser, grafana, { ...headers, accept: '*/*', ...(isSafe && { 'sec-fetch-mode': 'cors' }) }, path)
        expect([what, call.status, call.location, call.headers['gatehouse-trouble']]).toEqual([what, 403, undefined, trouble])
        expect(JSON.parse(call.body)).toEqual({ error: expect.stringMatching(/^(x-forwarded-(proto|host|uri)|[a-z-]+): \S/) })
        expect(identityOf(call.headers)).toEqual([undefined, undefined, undefined, undefined])
        const page = await check(browser, grafana, { accept: 'text/html', ...headers }, path)
        expect([what, page.status, page.location]).toEqual([
          what,
          path === '/auth/forward' ? 302 : 403,
          expect.stringMatching(new RegExp(`^https://sign-in\\.example\\.com/trouble\\?cause=${trouble}(&seen=|$)`)),
        ])
        const shown = await browser.get((page.location ?? '').replace(besides.GATEHOUSE_PUBLIC_URL, ''), navigates)
        expect([what, shown.statusCode, shown.body.includes(`>${trouble}</dd>`)]).toEqual([what, 403, true])
      }
    }
  }
  expect(await server.db.selectFrom('return_addresses').selectAll().execute()).toEqual([])
})

test('the misconfiguration page shows an origin and no other text from the request', async () => {
  const server = await start()
  const open = (query: string) => server.app.inject({ url: `/trouble?${query}`, headers: { accept: 'text/html' } })
  expect((await open('cause=not-protected&seen=https%3A%2F%2Fwiki.example.com')).body).toContain(
    '<dd class="gatehouse-misconfiguration-address"><bdi>https://wiki.example.com</bdi></dd>',
  )
  for (const seen of ['call 555-1234', 'https://a.example/call', 'javascript:alert(1)', '<b>x</b>', `https://${'a'.repeat(400)}.example`])
    expect((await open(`cause=not-protected&seen=${encodeURIComponent(seen)}`)).body).not.toContain('Address')
  for (const query of [
    '',
    'cause=',
    'cause=__proto__',
    'cause=constructor',
    'cause=not-protected&cause=not-protected',
    'cause=cookie-not-stored',
  ])
    expect([query, (await open(query)).statusCode]).toEqual([query, 404])
})

test('A34, SE-09: treats malformed cookies and headers as anonymous and never fails', async () => {
  const server = await start()
  await server.addUser()
  const browser = server.openBrowser()
  await browser.enter()
  const [name, value] = [...browser.jar].find(([name]) => name.endsWith('check')) ?? []
  expect(name).toBe('__Secure-gatehouse-check')
  const odd = [
    '',
    '.',
    '..',
    'a',
    'a.b.c',
    '%',
    '%00',
    '%ff.%ff',
    '"',
    '\u00e9',
    `${value}.x`,
    'x'.repeat(6000),
    '__proto__.x',
    "' or 1=1--.x",
    '\ud83d',
  ]
  const headers = odd.flatMap(one => [
    { cookie: `${name}=${one}` },
    { cookie: `${name}=${one}; ${name}=${value}` },
    { cookie: `${one}` },
    { accept: one },
    { 'sec-fetch-mode': one },
    { 'x-forwarded-method': one },
    { 'x-forwarded-proto': one },
    { 'x-forwarded-host': one },
    { 'x-forwarded-uri': `/${one}`, ...navigates },
    { 'x-forwarded-for': one },
    { upgrade: one },
    { authorization: one },
  ])
  for (const more of headers) {
    for (const path of ['/auth/forward', '/auth/request']) {
      const answer = await server.app.inject({ url: path, headers: { ...asked(grafana), ...more } as Record<string, string> })
      expect([more, [302, 401, 403].includes(answer.statusCode)]).toEqual([more, true])
    }
  }
})

test('/session/check tells whether the browser is signed in, without extending the session', async () => {
  const server = await start()
  await server.addUser()
  const browser = server.openBrowser()
  expect(await browser.call(routes.sessionCheck, {})).toEqual({ signedIn: false })
  await browser.enter()
  for (let i = 0; i < 5; i++) {
    server.clock.advance(minutes(11))
    expect(await browser.call(routes.sessionCheck, {})).toEqual({ signedIn: true })
  }
  server.clock.advance(minutes(6))
  expect(await browser.call(routes.sessionCheck, {})).toEqual({ signedIn: false })
})

test('a proxy’s check writes no line to the log, at any of the addresses for checks', async () => {
  const server = await start()
  await server.addUser()
  const [visitor, asAda] = [server.openBrowser(), server.openBrowser()]
  await asAda.enter(ada)
  const checks = Object.keys(declared).filter(path => declared[path]?.[1] === 'check')
  expect(checks).toHaveLength(3)
  const before = server.logged.length
  for (const path of checks)
    for (const browser of [visitor, asAda]) {
      const { status } = await check(browser, grafana, {}, path)
      expect([path, status]).toEqual([path, browser === asAda ? 200 : 401])
    }
  expect(server.logged.slice(before)).toEqual([])
})
