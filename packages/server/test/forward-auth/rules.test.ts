import { expect, test, vi } from 'vitest'
import { ConfigProblems } from '../../src/config/config.ts'
import { ada, admin, type Browser } from '../support/harness.ts'
import { asked, check, navigates } from './asked.ts'
import { startWithRules } from './rules-server.ts'

const rulesText = `
groups:
  oncall: [grace@example.com]
rules:
  - { to: https://status.example.com/admin/*, allow: administrators }
  - { to: https://status.example.com/admin, allow: administrators }
  - { to: https://status.example.com/*, allow: everyone }
  - { to: https://alerts.example.com/*, methods: [GET], allow: users }
  - { to: https://alerts.example.com/*, methods: [POST, PUT, DELETE], allow: 'group:oncall' }
  - { to: https://grafana.example.com/metrics, from: [10.0.0.0/8], allow: everyone }
  - { to: https://grafana.example.com/metrics, deny: true }
  - { to: https://grafana.example.com/*, allow: users }
`
const grace = { username: 'grace@example.com', password: 'a compiler of her own' }

const start = async (text = rulesText, more: Record<string, string> = {}) => {
  const { file, server } = await startWithRules(text, { GATEHOUSE_ADMINS: admin.username, GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1', ...more })
  for (const user of [ada, admin, grace]) await server.addUser(user)
  const signedIn = async (user: typeof ada) => {
    const browser = server.openBrowser({ address: '127.0.0.1' })
    await browser.enter(user)
    return browser
  }
  return { server, file, signedIn }
}
const identityOf = (headers: Record<string, unknown>) =>
  ['remote-user', 'remote-email', 'remote-groups', 'x-webauth-user'].map(name => headers[name])

test('rules decide by path, method, network, group and administrator', async () => {
  const { server, signedIn } = await start()
  const visitor = server.openBrowser({ address: '127.0.0.1' })
  const [asAda, asAdmin, asGrace] = [await signedIn(ada), await signedIn(admin), await signedIn(grace)]
  const table: [string, Record<string, string>, [number, number, number, number]][] = [
    ['https://status.example.com/', {}, [200, 200, 200, 200]],
    ['https://status.example.com/x?y=/admin/', {}, [200, 200, 200, 200]],
    ['https://status.example.com/admin/', {}, [401, 403, 200, 403]],
    ['https://status.example.com/ADMIN/x', {}, [401, 403, 200, 403]],
    ['https://status.example.com/%61dmin/x', {}, [401, 403, 200, 403]],
    ['https://status.example.com/x/..;/admin/', {}, [403, 403, 403, 403]],
    ['https://status.example.com//admin/', {}, [403, 403, 403, 403]],
    // The case of the host and the default port change nothing. Another port or a trailing dot makes another origin.
    ['https://STATUS.Example.com/admin/', {}, [401, 403, 200, 403]],
    ['https://status.example.com:443/admin/', {}, [401, 403, 200, 403]],
    ['https://status.example.com:8443/', {}, [403, 403, 403, 403]],
    ['https://status.example.com./', {}, [403, 403, 403, 403]],
    ['https://alerts.example.com/api/v2/silences', {}, [401, 200, 200, 200]],
    ['https://alerts.example.com/api/v2/silences', { 'x-forwarded-method': 'HEAD' }, [401, 200, 200, 200]],
    ['https://alerts.example.com/api/v2/silences', { 'x-forwarded-method': 'POST' }, [401, 403, 403, 200]],
    ['https://alerts.example.com/api/v2/silences', { 'x-forwarded-method': 'PATCH' }, [403, 403, 403, 403]],
    ['https://alerts.example.com/api/v2/silences', { 'x-forwarded-method': 'get' }, [403, 403, 403, 403]],
    ['https://grafana.example.com/metrics', { 'x-forwarded-for': '10.1.2.3' }, [200, 200, 200, 200]],
    ['https://grafana.example.com/metrics', { 'x-forwarded-for': '192.0.2.1' }, [403, 403, 403, 403]],
    ['https://grafana.example.com/api/datasources/proxy/1/%2Fx', {}, [401, 200, 200, 200]],
    ['https://other.example.com/', {}, [403, 403, 403, 403]],
  ]
  for (const [address, headers, expected] of table) {
    const statuses = []
    for (const browser of [visitor, asAda, asAdmin, asGrace]) statuses.push((await through(browser, address, headers)).status)
    expect([address, headers, statuses]).toEqual([address, headers, expected])
  }
})

/** The check that a proxy on this machine makes for a client elsewhere. */
const through = (browser: Browser, address: string, headers: Record<string, string | undefined> = {}) =>
  check(browser, address, { 'x-forwarded-for': '192.0.2.1', ...headers })

test('a client cannot claim a network: only trusted proxies name the address', async () => {
  const { server } = await start()
  const statusFrom = async (peer: string, claimed: string) =>
    (await check(server.openBrowser({ address: peer }), 'https://grafana.example.com/metrics', { 'x-forwarded-for': claimed })).status
  expect(await statusFrom('192.0.2.1', '10.1.2.3')).toBe(403)
  expect(await statusFrom('127.0.0.1', '10.1.2.3, 192.0.2.1')).toBe(403)
  expect(await statusFrom('127.0.0.1', '192.0.2.1, 10.1.2.3')).toBe(200)
})

test('a public path passes on no forged identity, and none from an incomplete, doubled or made-up cookie', async () => {
  const { server, signedIn } = await start()
  const status = 'https://status.example.com/'
  const visitor = server.openBrowser({ address: '127.0.0.1' })
  const forged = { 'remote-user': 'root', 'remote-email': 'root', 'remote-groups': 'administrators', 'x-webauth-user': 'root' }
  expect(identityOf((await through(visitor, status, forged)).headers)).toEqual(['', '', '', ''])
  // For Traefik, which passes empty headers on.
  const bare = await check(visitor, status, forged, '/auth/forward/omit-empty')
  expect([bare.status, identityOf(bare.headers)]).toEqual([200, Array(4).fill(undefined)])
  // Caddy passes a client's own query on to the check, and its placeholders to the application where a header is absent.
  const byQuery = await check(visitor, `${status}?omit-empty`, forged, '/auth/forward?omit-empty')
  expect([byQuery.status, identityOf(byQuery.headers)]).toEqual([200, ['', '', '', '']])
  const asGrace = await signedIn(grace)
  expect(identityOf((await through(asGrace, status, forged)).headers)).toEqual([
    'grace@example.com',
    'grace@example.com',
    'users,oncall',
    'grace@example.com',
  ])
  const [name, value = ''] = [...asGrace.jar].find(([one]) => one.endsWith('-check')) ?? []
  for (const cookie of [`${name}=${value.replace(/\..*/, '.x')}`, `${name}=${value}; ${name}=planted.x`, `${name}=a.b`]) {
    const answer = await server.openBrowser().get('/auth/request', { ...asked(status), cookie })
    expect([cookie, answer.statusCode, identityOf(answer.headers)]).toEqual([cookie, 200, ['', '', '', '']])
  }
})

test('a refused method or path costs no query, and neither does a public path without a cookie', async () => {
  let queries = 0
  const { server } = await start()
  const run = server.db.getExecutor().executeQuery.bind(server.db.getExecutor())
  server.db.getExecutor().executeQuery = (...args) => {
    queries++
    return run(...args)
  }
  const visitor = server.openBrowser({ address: '127.0.0.1' })
  for (const [address, headers] of [
    ['https://status.example.com/', {}],
    ['https://grafana.example.com/metrics', {}],
    ['https://alerts.example.com/', { 'x-forwarded-method': 'PATCH' }],
    ['https://status.example.com/a/../b', {}],
  ] as const)
    await through(visitor, address, headers)
  expect(queries).toBe(0)
})

test('a public path stays open while the database is down, without the identity', async () => {
  const { server, signedIn } = await start()
  const asGrace = await signedIn(grace)
  const down = Object.assign(new Error('the database is down'), { code: 'ECONNREFUSED' })
  const executed = vi.spyOn(server.db.getExecutor(), 'executeQuery').mockRejectedValue(down)
  const [open, closed] = [await through(asGrace, 'https://status.example.com/'), await through(asGrace, 'https://status.example.com/admin')]
  executed.mockRestore()
  expect([open.status, identityOf(open.headers), closed.status]).toEqual([200, ['', '', '', ''], 503])
})

test('a signed-in user whom no rule admits is redirected to a page that says so', async () => {
  const { signedIn } = await start()
  const asAda = await signedIn(ada)
  for (const address of ['https://grafana.example.com/metrics', 'https://status.example.com/admin']) {
    const led = await check(asAda, address, { ...navigates, 'x-forwarded-for': '192.0.2.1' }, '/auth/forward')
    expect(led.status).toBe(302)
    const page = await asAda.get((led.location ?? '').replace('https://sign-in.example.com', ''), {
      ...navigates,
      'x-forwarded-for': '192.0.2.1',
    })
    expect([address, page.statusCode, page.body.includes('You don’t have access')]).toEqual([address, 403, true])
  }
})

test('a missing method is refused where rules name methods', async () => {
  const { server } = await start()
  const { status, body } = await check(server.openBrowser(), 'https://alerts.example.com/', { 'x-forwarded-method': undefined })
  expect([status, JSON.parse(body)]).toEqual([403, { error: 'x-forwarded-method: must be the method' }])
})

test('the server refuses to start if the rules file has problems or is missing, or if protected origins are set too', async () => {
  const problemsOf = async (work: Promise<unknown>) => {
    const error = await work.catch((fault: unknown) => fault)
    return error instanceof ConfigProblems ? error.problems : error
  }
  expect(await problemsOf(start('rules:\n  - to: https://a.example.com/*\n    allow: admins\n'))).toEqual([
    expect.stringMatching(/rules\.yaml:3:12: ‘admins’ must be everyone/),
  ])
  expect(await problemsOf(start('rules:\n  - { to: https://a.example.org/*, allow: users }\n'))).toEqual([
    expect.stringContaining('GATEHOUSE_COOKIE_DOMAIN=example.com does not cover a.example.org'),
  ])
  expect(await problemsOf(start(rulesText, { GATEHOUSE_TRUSTED_PROXIES: '' }))).toEqual([
    expect.stringContaining('from needs GATEHOUSE_TRUSTED_PROXIES'),
  ])
  expect(await problemsOf(start(rulesText, { GATEHOUSE_RULES: '/nowhere/rules.yaml' }))).toEqual([
    expect.stringContaining('GATEHOUSE_RULES: /nowhere/rules.yaml cannot be read'),
  ])
  expect(await problemsOf(start(rulesText, { GATEHOUSE_PROTECTED_ORIGINS: 'https://a.example.com' }))).toEqual([
    expect.stringContaining('GATEHOUSE_PROTECTED_ORIGINS must not be set beside it'),
  ])
})

test('a client’s X-Forwarded-Prefix does not change which rule applies', async () => {
  const { server, signedIn } = await start()
  const browsers = [server.openBrowser({ address: '127.0.0.1' }), await signedIn(ada)]
  for (const path of ['/auth/request', '/auth/forward'])
    for (const browser of browsers)
      for (const [address, prefix] of [
        ['https://status.example.com/admin/', '/public'],
        ['https://grafana.example.com/metrics', '/public'],
        ['https://alerts.example.com/admin', '/x'],
      ] as const) {
        const plain = await check(browser, address, {}, path)
        const moved = await check(browser, address, { 'x-forwarded-prefix': prefix }, path)
        expect([address, moved.status, moved.body]).toEqual([address, plain.status, plain.body])
      }
  const visitor = browsers[0]
  if (visitor) expect((await check(visitor, 'https://status.example.com/admin/', { 'x-forwarded-prefix': '/public' })).status).toBe(401)
})
