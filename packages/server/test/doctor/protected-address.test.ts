import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfiguredRules } from '../../src/config/load-rules.ts'
import { ask } from '../../src/doctor/ask.ts'
import { examineProtectedAddress } from '../../src/doctor/protected-address.ts'
import { createRuleSet } from '../../src/forward-auth/rules/rule-set.ts'
import { minutes } from '../../src/limits.ts'
import { freePort } from '../support/free-port.ts'
import { startServer } from '../support/harness.ts'

/** How a scripted proxy is misconfigured. */
type Wrong = {
  /** Changes the headers of the check. */
  check?: (headers: Record<string, string>) => void
  /** Changes the check's answer that the proxy forwards. */
  answer?: (answer: { status: number; headers: IncomingHttpHeaders }) => void
  skipsCheck?: boolean
  /** The dashboard's answer instead of a page. */
  dashboard?: (path: string) => { status: number; location?: string; body?: string }
  /** Where the proxy redirects before it runs the check. */
  redirects?: (path: string) => string | undefined
  gatehouse?: string
  /** The path the proxy uses for the check. */
  path?: string
}

const unreachable: { status: number; headers: IncomingHttpHeaders; body: string } = { status: 502, headers: {}, body: '' }
const passedOn = ['accept', 'accept-language', 'cookie', 'sec-fetch-mode', 'sec-fetch-dest', 'x-requested-with']
const picked = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(passedOn.flatMap(name => (headers[name] === undefined ? [] : [[name, String(headers[name])]])))

/** A proxy in front of a dashboard that runs the check first, like Traefik and Caddy. */
const startProxy = async (port: number, gatehouse: string) => {
  let wrong: Wrong = {}
  const proxy = createServer(async (request, response) => {
    const onward = wrong.redirects?.(request.url ?? '')
    if (onward !== undefined) return response.writeHead(301, { location: onward }).end()
    const headers: Record<string, string> = {
      // Stands for a server whose default language is not English.
      'accept-language': 'de',
      ...picked(request.headers),
      'x-forwarded-proto': 'http',
      'x-forwarded-host': request.headers.host ?? '',
      'x-forwarded-uri': request.url ?? '',
    }
    wrong.check?.(headers)
    const asked = wrong.skipsCheck
      ? undefined
      : await ask(`${wrong.gatehouse ?? gatehouse}${wrong.path ?? '/auth/forward'}`, headers).catch(() => unreachable)
    if (asked === undefined || asked.status === 200) {
      const { status, location, body = 'a dashboard' } = wrong.dashboard?.(request.url ?? '') ?? { status: 200 }
      return response.writeHead(status, { ...(location && { location }) }).end(body)
    }
    const answer = { ...asked, headers: { ...asked.headers } }
    wrong.answer?.(answer)
    const { location, 'gatehouse-trouble': trouble } = answer.headers
    return response
      .writeHead(answer.status, { ...(location && { location }), ...(trouble && { 'gatehouse-trouble': trouble }) })
      .end(answer.body)
  })
  await once(proxy.listen(port, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return (other: Wrong) => (wrong = other)
}

/** A listening Gatehouse, a proxy beside it, and what the doctor reports about an address behind that proxy. */
const start = async ({ everythingIsGuarded = false } = {}) => {
  const [gate, dashboard] = [await freePort(), await freePort()]
  const origin = `http://127.0.0.1:${dashboard}`
  const gatehouse = `http://127.0.0.1:${gate}`
  const publicUrl = everythingIsGuarded ? origin : gatehouse
  const server = await startServer({
    env: { GATEHOUSE_PUBLIC_URL: publicUrl, GATEHOUSE_PROTECTED_ORIGINS: `${origin} administrators *@example.com second-factor` },
  })
  await server.app.listen({ port: gate, host: '127.0.0.1' })
  const rules = createRuleSet((await loadConfiguredRules(server.config)).rules)
  const set = await startProxy(dashboard, gatehouse)
  const examine = async (address: string, now = server.clock.at) => {
    const findings = await examineProtectedAddress(address, server.config, rules, server.db, () => now)
    return findings.map(({ level, says }) => `${level}: ${says}`)
  }
  return { origin, set, examine, server }
}
const address = '/prometheus/graph?g0.expr=up%7B%7D&g0.tab=1#x'

/** The names of the findings, without their texts. */
const namesIn = (findings: string[]) => findings.flatMap(says => /^(?:problem|warning): ([a-z]+(?:-[a-z]+)+):/.exec(says)?.[1] ?? [])

test('reports no problem for a correctly configured address, and forged headers give no access', async () => {
  const { origin, examine } = await start()
  expect(await examine(origin + address)).toEqual([
    `ok: ${origin} is listed: administrators and everyone at example.com can open it, with a second factor (rule 1).`,
    'ok: A page redirects to sign-in, and from there back to the same address.',
    'ok: The check receives the browser’s cookies.',
    'ok: A script’s request is answered with 401, and forged identity headers give no access.',
  ])
})

const wrongs: [string, Wrong, string[]][] = [
  ['the check is skipped', { skipsCheck: true }, ['no-check', 'no-check']],
  ['the cookie is left out', { check: headers => delete headers.cookie }, ['cookie-not-passed-on']],
  ['the host is the dashboard’s own', { check: headers => (headers['x-forwarded-host'] = '127.0.0.1:3000') }, ['forwarded-headers']],
  ['the host is left out', { check: headers => delete headers['x-forwarded-host'] }, ['forwarded-headers']],
  ['the scheme is wrong', { check: headers => (headers['x-forwarded-proto'] = 'https') }, ['forwarded-headers']],
  ['the query is cut off', { check: headers => (headers['x-forwarded-uri'] = '/prometheus/graph') }, ['forwarded-headers']],
  [
    'the proxy strips the prefix first',
    { check: headers => (headers['x-forwarded-uri'] = headers['x-forwarded-uri']?.replace('/prometheus', '') ?? '') },
    ['prefix-stripped'],
  ],
  ['the host is another application’s', { check: headers => (headers['x-forwarded-host'] = 'wiki.example.com') }, ['cookie-domain']],
  [
    'every request looks like a navigation',
    { check: headers => Object.assign(headers, { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }) },
    ['call-redirected'],
  ],
  ['a Location is not passed on', { answer: answer => Object.assign(answer, { status: 401, headers: {} }) }, ['sign-in-not-passed-on']],
  ['the path of the check is wrong', { path: '/nowhere/auth/forward' }, ['check-not-found']],
  ['Gatehouse is unreachable', { gatehouse: 'http://127.0.0.1:1' }, ['no-answer']],
  [
    'another Gatehouse is asked',
    { answer: ({ headers }) => Object.assign(headers, { location: headers.location?.replace(/^.*\/\?/, 'http://other.example/?') }) },
    ['another-gatehouse'],
  ],
  [
    'another product redirects to its own sign-in',
    { answer: ({ headers }) => Object.assign(headers, { location: 'http://other.example/login' }) },
    ['not-ours'],
  ],
]

/** Answers of unprotected dashboards to a browser. */
const dashboards: [string, NonNullable<Wrong['dashboard']>][] = [
  ['redirects to its own sign-in', path => (path === '/login' ? { status: 200 } : { status: 302, location: '/login' })],
  ['redirects in circles', path => ({ status: 307, location: path === '/a' ? '/b' : '/a' })],
  ['redirects to its own sign-in provider', () => ({ status: 302, location: 'https://login.example.org/authorize?state=x' })],
  ['asks for a password (Basic)', () => ({ status: 401, body: 'Unauthorized' })],
  ['refuses with 403', () => ({ status: 403, body: '{"error":"not-allowed"}' })],
]

test.each(dashboards)('no-check: reports an unprotected dashboard that %s', async (_, dashboard) => {
  const { origin, examine, set } = await start()
  set({ skipsCheck: true, dashboard })
  const findings = await examine(origin + address)
  expect(findings.length).toBeGreaterThan(1)
  for (const finding of findings.slice(1)) expect(finding).toMatch(/^problem: no-check: /)
})

test('follows a redirect the proxy makes before the check, and examines its target', async () => {
  const { origin, examine, set } = await start()
  set({ redirects: path => (path.startsWith('/prometheus/') ? path.replace('/prometheus/', '/metrics/') : undefined) })
  expect(await examine(origin + address)).toEqual([
    expect.stringMatching(/^ok: .* is listed/),
    'ok: A page redirects to sign-in, and from there back to the same address.',
    'ok: The check receives the browser’s cookies.',
    'ok: A script’s request is answered with 401, and forged identity headers give no access.',
  ])
  // The proxy sends the check a wrong path. The check ran, so the doctor does not report it as missing.
  set({ redirects: path => (path === '/d' ? undefined : '/d'), check: headers => (headers['x-forwarded-uri'] = '/x') })
  expect(namesIn(await examine(origin + address))).toEqual(['forwarded-headers'])
})

test(`names the cause for each of ${wrongs.length} misconfigured proxies`, async () => {
  const { origin, examine, set } = await start()
  for (const [what, wrong, names] of wrongs) {
    set(wrong)
    const findings = await examine(origin + address)
    expect([what, namesIn(findings), findings.join()]).toEqual([what, names, expect.not.stringContaining('undefined')])
  }
})

test('reports an origin that is not listed before other problems, and refuses an invalid address', async () => {
  const { origin, examine, server } = await start()
  for (const [text, name] of [
    [origin.replace('127.0.0.1', 'localhost'), 'cookie-domain'],
    [origin.replace(/\d+$/, '1'), 'not-protected'],
  ] as const)
    expect(namesIn(await examine(text))[0]).toBe(name)
  for (const text of ['', 'grafana.example.com', 'ftp://grafana.example.com/', 'javascript:alert(1)', 'https://ada@grafana.example.com/'])
    expect(await examine(text)).toEqual([expect.stringMatching(/^problem: ‘.*’ is not a valid address\./)])
  expect(await examine(`${origin}/${'a'.repeat(2048)}`)).toContainEqual(
    expect.stringMatching(/^warning: A page redirects to sign-in, but sign-in cannot lead back to it/),
  )
  // The stored address expired a minute ago, so Gatehouse does not find it, as if another Gatehouse had stored it.
  expect(namesIn(await examine(origin + address, server.clock.at + minutes(31)))).toEqual(['another-gatehouse'])
})

test('reports a sign-in page that is itself behind the check', async () => {
  const { origin, examine } = await start({ everythingIsGuarded: true })
  expect(namesIn(await examine(origin + address))).toEqual(['sign-in-guarded'])
})
