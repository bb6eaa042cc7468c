import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { ask } from '../../src/doctor/ask.ts'
import { examineProtectedAddress } from '../../src/doctor/protected-address.ts'
import { minutes } from '../../src/limits.ts'
import { freePort } from '../support/free-port.ts'
import { startServer } from '../support/harness.ts'

/** What a scripted proxy does otherwise than it should. */
type Wrong = {
  /** Headers of the check, changed. */
  check?: (headers: Record<string, string>) => void
  /** What is passed on of the check's answer, changed. */
  answer?: (answer: { status: number; headers: IncomingHttpHeaders }) => void
  asksNobody?: boolean
  /** What the dashboard answers, instead of a page. */
  dashboard?: (path: string) => { status: number; location?: string; body?: string }
  /** Where the proxy leads on by itself, before it asks. */
  leadsOn?: (path: string) => string | undefined
  gatehouse?: string
  /** Where the check is looked for. */
  path?: string
}

const nobody: { status: number; headers: IncomingHttpHeaders; body: string } = { status: 502, headers: {}, body: '' }
const passedOn = ['accept', 'cookie', 'sec-fetch-mode', 'sec-fetch-dest', 'x-requested-with']
const picked = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(passedOn.flatMap(name => (headers[name] === undefined ? [] : [[name, String(headers[name])]])))

/** A proxy in front of a dashboard: it asks first, as Traefik and Caddy do. */
const startProxy = async (port: number, gatehouse: string) => {
  let wrong: Wrong = {}
  const proxy = createServer(async (request, response) => {
    const onward = wrong.leadsOn?.(request.url ?? '')
    if (onward !== undefined) return response.writeHead(301, { location: onward }).end()
    const headers: Record<string, string> = {
      ...picked(request.headers),
      'x-forwarded-proto': 'http',
      'x-forwarded-host': request.headers.host ?? '',
      'x-forwarded-uri': request.url ?? '',
    }
    wrong.check?.(headers)
    const asked = wrong.asksNobody
      ? undefined
      : await ask(`${wrong.gatehouse ?? gatehouse}${wrong.path ?? '/auth/forward'}`, headers).catch(() => nobody)
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

/** A Gatehouse that listens, a proxy of a test's own beside it, and what the doctor says of an address there. */
const start = async ({ everythingIsGuarded = false } = {}) => {
  const [gate, dashboard] = [await freePort(), await freePort()]
  const origin = `http://127.0.0.1:${dashboard}`
  const gatehouse = `http://127.0.0.1:${gate}`
  const publicUrl = everythingIsGuarded ? origin : gatehouse
  const server = await startServer({
    env: { GATEHOUSE_PUBLIC_URL: publicUrl, GATEHOUSE_PROTECTED_ORIGINS: `${origin} administrators *@example.com second-factor` },
  })
  await server.app.listen({ port: gate, host: '127.0.0.1' })
  const set = await startProxy(dashboard, gatehouse)
  const examine = async (address: string, now = server.clock.at) => {
    const findings = await examineProtectedAddress(address, server.config, server.db, () => now)
    return findings.map(({ level, says }) => `${level}: ${says}`)
  }
  return { origin, set, examine, server }
}
const address = '/prometheus/graph?g0.expr=up%7B%7D&g0.tab=1#x'

/** Names of what is wrong, without the words. */
const namesIn = (findings: string[]) => findings.flatMap(says => /^(?:problem|warning): ([a-z]+(?:-[a-z]+)+):/.exec(says)?.[1] ?? [])

test('an address that is asked right: every finding is good, and nobody gets in by made-up headers', async () => {
  const { origin, examine } = await start()
  expect(await examine(origin + address)).toEqual([
    `ok: ${origin} is listed: administrators, everyone at example.com can open it, with a second factor.`,
    'ok: A page redirects to sign-in, and from there back to the same address.',
    'ok: The check receives the browser’s cookies.',
    'ok: A script’s request is answered with 401, and forged identity headers give no access.',
  ])
})

const wrongs: [string, Wrong, string[]][] = [
  ['nobody is asked', { asksNobody: true }, ['no-check', 'no-check']],
  ['the cookie is left out', { check: headers => delete headers.cookie }, ['cookie-not-passed-on']],
  ['the host is the dashboard’s own', { check: headers => (headers['x-forwarded-host'] = '127.0.0.1:3000') }, ['forwarded-headers']],
  ['the host is left out', { check: headers => delete headers['x-forwarded-host'] }, ['forwarded-headers']],
  ['the scheme is another', { check: headers => (headers['x-forwarded-proto'] = 'https') }, ['forwarded-headers']],
  ['the query is cut off', { check: headers => (headers['x-forwarded-uri'] = '/prometheus/graph') }, ['forwarded-headers']],
  [
    'the prefix is taken off first',
    { check: headers => (headers['x-forwarded-uri'] = headers['x-forwarded-uri']?.replace('/prometheus', '') ?? '') },
    ['prefix-stripped'],
  ],
  ['another host is told', { check: headers => (headers['x-forwarded-host'] = 'wiki.example.com') }, ['cookie-domain']],
  [
    'all look like navigations',
    { check: headers => Object.assign(headers, { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }) },
    ['call-redirected'],
  ],
  ['a Location is not passed on', { answer: answer => Object.assign(answer, { status: 401, headers: {} }) }, ['sign-in-not-passed-on']],
  ['the check is looked for where it is not', { path: '/nowhere/auth/forward' }, ['check-not-found']],
  ['Gatehouse is not found', { gatehouse: 'http://127.0.0.1:1' }, ['no-answer']],
  [
    'another Gatehouse is asked',
    { answer: ({ headers }) => Object.assign(headers, { location: headers.location?.replace(/^.*\/\?/, 'http://other.example/?') }) },
    ['another-gatehouse'],
  ],
  [
    'something else leads elsewhere',
    { answer: ({ headers }) => Object.assign(headers, { location: 'http://other.example/login' }) },
    ['not-ours'],
  ],
]

/** What dashboards say by themselves to a browser that nobody has checked. */
const dashboards: [string, NonNullable<Wrong['dashboard']>][] = [
  ['leads to its own sign-in', path => (path === '/login' ? { status: 200 } : { status: 302, location: '/login' })],
  ['leads there by way of others', path => ({ status: 307, location: path === '/a' ? '/b' : '/a' })],
  ['leads to a provider of its own', () => ({ status: 302, location: 'https://login.example.org/authorize?state=x' })],
  ['asks for a password (Basic)', () => ({ status: 401, body: 'Unauthorized' })],
  ['refuses', () => ({ status: 403, body: '{"error":"not-allowed"}' })],
]

test.each(dashboards)('no-check: a dashboard behind no check %s', async (_, dashboard) => {
  const { origin, examine, set } = await start()
  set({ asksNobody: true, dashboard })
  const findings = await examine(origin + address)
  expect(findings.length).toBeGreaterThan(1)
  for (const finding of findings.slice(1)) expect(finding).toMatch(/^problem: no-check: /)
})

test('a proxy that leads on by itself before it asks is no problem: the address that it leads to is looked at', async () => {
  const { origin, examine, set } = await start()
  set({ leadsOn: path => (path.startsWith('/prometheus/') ? path.replace('/prometheus/', '/metrics/') : undefined) })
  expect(await examine(origin + address)).toEqual([
    expect.stringMatching(/^ok: .* is listed/),
    'ok: A page redirects to sign-in, and from there back to the same address.',
    'ok: The check receives the browser’s cookies.',
    'ok: A script’s request is answered with 401, and forged identity headers give no access.',
  ])
  // It is asked, but by another name: that is no missing check.
  set({ leadsOn: path => (path === '/d' ? undefined : '/d'), check: headers => (headers['x-forwarded-uri'] = '/x') })
  expect(namesIn(await examine(origin + address))).toEqual(['forwarded-headers'])
})

test(`${wrongs.length} proxies that are set up wrong each get the name of what is wrong, and what to change`, async () => {
  const { origin, examine, set } = await start()
  for (const [what, wrong, names] of wrongs) {
    set(wrong)
    const findings = await examine(origin + address)
    expect([what, namesIn(findings), findings.join()]).toEqual([what, names, expect.not.stringContaining('undefined')])
  }
})

test('the doctor of one address looks at the list first, and says what is no address', async () => {
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
  // The database of another Gatehouse has not got what is kept.
  expect(namesIn(await examine(origin + address, server.clock.at + minutes(31)))).toEqual(['another-gatehouse'])
})

test('a sign-in page that is itself behind the check is found as well', async () => {
  const { origin, examine } = await start({ everythingIsGuarded: true })
  expect(namesIn(await examine(origin + address))).toEqual(['sign-in-guarded'])
})
