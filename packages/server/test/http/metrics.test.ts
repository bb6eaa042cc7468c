import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { routes } from '@gatehouse/wire'
import { expect, test } from 'vitest'
import { seconds } from '../../src/limits.ts'
import { makeInstallation, startProcess } from '../processes/processes.ts'
import { codeAt, enroll, offered, otpOf } from '../support/authenticator.ts'
import { freePort } from '../support/free-port.ts'
import { ada, startServer } from '../support/harness.ts'

type Sample = { name: string; labels: Record<string, string>; value: number }

/** Parses the Prometheus text format 0.0.4, and fails on any line that does not conform to it. */
const parse = (text: string): { samples: Sample[]; types: Map<string, string> } => {
  const types = new Map<string, string>()
  const helped = new Set<string>()
  const samples: Sample[] = []
  expect(text.endsWith('\n')).toBe(true)
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [, comment, about, rest = ''] = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/.exec(line) ?? []
    if (comment === 'HELP' && about) {
      helped.add(about)
    } else if (comment === 'TYPE' && about) {
      expect(types.has(about)).toBe(false)
      expect(['counter', 'gauge', 'histogram', 'summary', 'untyped']).toContain(rest)
      types.set(about, rest)
    } else {
      const [, name = '', , labels = '', value = ''] = /^([a-zA-Z_:][\w:]*)(\{(.*)\})? (\S+)$/.exec(line) ?? []
      expect([line, name]).not.toEqual([line, ''])
      const family = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '')
      expect([line, types.has(family), helped.has(family)]).toEqual([line, true, true])
      const pairs = [...labels.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/g)]
      expect(pairs.map(([pair]) => pair).join('')).toBe(labels)
      const number = value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value)
      expect([line, Number.isNaN(number) && !/^nan$/i.test(value)]).toEqual([line, false])
      samples.push({ name, labels: Object.fromEntries(pairs.map(([, key = '', text = '']) => [key, text])), value: number })
    }
  }
  return { samples, types }
}

const here = { remoteAddress: '127.0.0.1', headers: { host: 'localhost:8080' } }

const read = async (server: Awaited<ReturnType<typeof startServer>>) => {
  const response = await server.app.inject({ url: '/metrics', ...here })
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  const { samples, types } = parse(response.body)
  const value = (name: string, labels: Record<string, string> = {}) =>
    samples.find(one => one.name === name && Object.entries(labels).every(([key, text]) => one.labels[key] === text))?.value
  return { text: response.body, samples, types, value }
}

test('serves metrics in the Prometheus text format that count sign-ins, challenges, skips, lockouts, mails and requests', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  await server.addUser()
  const browser = server.openBrowser()
  const otp = otpOf(ada)
  const before = await read(server)
  expect(before.value('gatehouse_sign_ins_total')).toBeUndefined()
  expect([before.value('gatehouse_factor_skips_total'), before.value('gatehouse_lockouts_total')]).toEqual([0, 0])

  const factor = offered(await browser.signIn())
  await browser.call(routes.setupOTP, { ...otp, otpFactorUUID: factor.factorUUID })
  const { secret } = await enroll(browser, server.clock)
  server.clock.advance(seconds(30))
  await browser.signIn()
  const code = await codeAt(secret, server.clock.at)
  const near = await Promise.all([-1, 1].map(step => codeAt(secret, server.clock.at + step * seconds(30))))
  const wrong = [111_111, 222_222, 333_333, 444_444].find(n => n !== code && !near.includes(n))
  for (let i = 0; i < 4; i++) await browser.call(routes.verifyOTP, { ...otp, otpVerification: wrong })
  await browser.call(routes.verifyOTP, { ...otp, otpVerification: code })
  const visitor = server.openBrowser()
  for (let i = 0; i < 12; i++) await visitor.signIn({ ...ada, password: 'wrong password wrong' })
  await visitor.send('POST', routes.getAuthTokenWithError.path, { nothing: true })
  await visitor.get('/made-up/by-a-stranger')

  const after = await read(server)
  const signIns = (call: string, outcome: string) => after.value('gatehouse_sign_ins_total', { call, outcome })
  expect(signIns('getAuthTokenWithError', 'AuthRequiresFactorCreation')).toBe(2)
  expect(signIns('getAuthTokenWithError', 'AuthRequires2FA')).toBe(1)
  expect(signIns('getAuthTokenWithError', 'AuthFailureFailedLogin')).toBe(12)
  expect(signIns('setupOTP', 'AuthSuccessful')).toBe(2)
  expect(signIns('verifyOTP', 'AuthFailureFactorError')).toBe(4)
  expect(signIns('verifyOTP', 'AuthSuccessful')).toBe(1)
  expect(after.value('gatehouse_challenges_total', { status: 'Pending', reason: 'InvalidCode' })).toBe(4)
  expect(after.value('gatehouse_challenges_total', { status: 'Approved', reason: 'ReasonNone' })).toBe(1)
  expect(after.value('gatehouse_factor_skips_total')).toBe(1)
  // The tenth wrong password starts a lockout; attempts during it start no other.
  expect(after.value('gatehouse_lockouts_total')).toBe(1)
  // Three unsent mails: to the administrator about the skip, to the user about the new factor and about wrong codes.
  expect(after.value('gatehouse_mails_waiting')).toBe(3)
  expect(after.value('gatehouse_password_hashes', { state: 'running' })).toBe(0)
  const route = routes.getAuthTokenWithError.path
  const duration = (suffix: string, labels: Record<string, string>) =>
    after.value(`gatehouse_http_request_duration_seconds_${suffix}`, labels)
  expect(duration('count', { method: 'POST', route, status: '200' })).toBe(15)
  expect(duration('count', { method: 'POST', route, status: '400' })).toBe(1)
  expect(duration('count', { method: 'GET', route: 'none', status: '404' })).toBe(1)
  expect(duration('bucket', { method: 'POST', route, status: '200', le: '+Inf' })).toBe(15)
  // In seconds: fifteen sign-ins take more than 15 ms and less than 90 s.
  expect(duration('sum', { method: 'POST', route, status: '200' })).toBeGreaterThan(0.015)
  expect(duration('sum', { method: 'POST', route, status: '200' })).toBeLessThan(90)
  expect(after.types.get('gatehouse_http_request_duration_seconds')).toBe('histogram')
  expect(after.value('process_resident_memory_bytes')).toBeGreaterThan(1e7)

  // The fourth mail is the notice of the lockout.
  await server.deliver()
  const delivered = await read(server)
  expect(['waiting', 'sent_total', 'refused_total'].map(name => delivered.value(`gatehouse_mails_${name}`))).toEqual([0, 4, 0])
  // DP-01: label values come from closed lists, never from a request.
  for (const secret of ['ada', 'example.com', 'made-up', factor.factorUUID]) expect(after.text).not.toContain(secret)
})

test('exports every series once, with cumulative histogram buckets', async () => {
  const server = await startServer()
  await server.addUser()
  await server.openBrowser().enter()
  const { samples } = await read(server)
  const keys = samples.map(({ name, labels }) => `${name}${JSON.stringify(Object.entries(labels).sort())}`)
  expect(new Set(keys).size).toBe(keys.length)
  const last = new Map<string, number>()
  for (const { name, labels, value } of samples) {
    if (!name.endsWith('_bucket')) continue
    const { le: _, ...series } = labels
    const key = JSON.stringify(series)
    expect(value).toBeGreaterThanOrEqual(last.get(key) ?? 0)
    last.set(key, value)
  }
  expect(last.size).toBeGreaterThan(1)
})

/** Prometheus's own linter: installed on this machine or unpacked by the browser tests. */
const promtool = [...(process.env.PATH ?? '').split(delimiter), join(import.meta.dirname, '../../../../.tools/debian/usr/bin')]
  .map(folder => join(folder, 'promtool'))
  .find(path => spawnSync(path, ['--version']).status === 0)

test('the metrics pass promtool’s check; without promtool, exactly the counters end in _total', async () => {
  const server = await startServer({ env: { GATEHOUSE_SECOND_FACTOR: 'skippable' } })
  await server.addUser()
  const browser = server.openBrowser()
  const factor = offered(await browser.signIn())
  await browser.call(routes.setupOTP, { ...otpOf(ada), otpFactorUUID: factor.factorUUID })
  const { text, types } = await read(server)
  expect(types.size).toBeGreaterThan(30)
  for (const [name, type] of types) expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter'])
  if (promtool === undefined) return
  const { status, stdout, stderr } = spawnSync(promtool, ['check', 'metrics'], { input: text, encoding: 'utf8' })
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
})

test.each([
  ['the internet', '203.0.113.7', { host: 'localhost:8080' }, 404],
  ['the local network', '192.168.1.2', { host: '192.168.1.1:8080' }, 404],
  ['this machine by another name (DNS rebinding)', '127.0.0.1', { host: 'evil.example:8080' }, 404],
  ['this machine by a name that begins like its own', '127.0.0.1', { host: 'localhost.evil.example' }, 404],
  ['this machine by a name that ends like its own', '127.0.0.1', { host: 'evil-localhost' }, 404],
  ['this machine by an address in a name', '127.0.0.1', { host: '127.0.0.1.evil.example' }, 404],
  ['a proxy that sends X-Forwarded-For', '127.0.0.1', { host: 'localhost', 'x-forwarded-for': '127.0.0.1' }, 404],
  ['a proxy that sends Forwarded', '127.0.0.1', { host: 'localhost', forwarded: 'for=127.0.0.1' }, 404],
  ['a proxy that sends X-Forwarded-Host', '127.0.0.1', { host: 'localhost', 'x-forwarded-host': 'localhost' }, 404],
  ['a proxy that sends X-Real-IP', '127.0.0.1', { host: 'localhost', 'x-real-ip': '127.0.0.1' }, 404],
  ['a proxy that sends Via', '127.0.0.1', { host: 'localhost', via: '1.1 proxy' }, 404],
  ['this machine', '127.0.0.1', { host: 'localhost:8080' }, 200],
  ['this machine by its address', '127.0.0.1', { host: '127.0.0.1:8080' }, 200],
  ['this machine by IPv6', '::1', { host: '[::1]:8080' }, 200],
  ['this machine by IPv4 in IPv6', '::ffff:127.0.0.1', { host: 'localhost' }, 200],
])('a request for metrics or the mailbox from %s (peer %s, headers %j) gets %i', async (_, remoteAddress, headers, status) => {
  // A trusted proxy does not make the requests it forwards local.
  for (const env of [{}, { GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1,::1' }]) {
    const server = await startServer({ env })
    for (const url of ['/metrics', '/mail']) {
      const response = await server.app.inject({ url, remoteAddress, headers })
      expect([url, response.statusCode]).toEqual([url, status])
      // All others get the same answer as for an unknown address.
      const nothing = await server.app.inject({ url: '/no-such-thing', remoteAddress, headers })
      if (status === 404) expect(response.body).toBe(nothing.body)
    }
  }
})

test('gatehouse_database_up is 0 while queries fail, and the other metrics remain readable', async () => {
  const server = await startServer()
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
  expect((await read(server)).value('gatehouse_build_info', { version })).toBe(1)
  await server.db.schema.alterTable('outbox').renameTo('gone').execute()
  const during = await read(server)
  expect([during.value('gatehouse_database_up'), during.value('gatehouse_mails_waiting')]).toEqual([0, undefined])
  expect(during.value('gatehouse_lockouts_total')).toBe(0)
  await server.db.schema.alterTable('gone').renameTo('outbox').execute()
  const after = await read(server)
  expect([after.value('gatehouse_database_up'), after.value('gatehouse_mails_waiting')]).toEqual([1, 0])
})

test('serves only metrics on the separate metrics listener', async () => {
  const { env, port } = await makeInstallation()
  const own = await freePort()
  const url = await startProcess({ ...env, GATEHOUSE_METRICS_LISTEN: `127.0.0.1:${own}` }).ready
  await fetch(`${url}/features/check`)
  // This listener does not check the host name or proxy headers of a request.
  const response = await fetch(`http://127.0.0.1:${own}/metrics`, { headers: { 'x-forwarded-for': '10.0.0.7' } })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  const { samples } = parse(await response.text())
  const asked = samples.find(({ name, labels }) => name.endsWith('_count') && labels.route === routes.featuresCheck.path)
  expect(asked?.value).toBe(1)
  for (const path of ['/', '/mail', '/account', '/healthz', routes.featuresCheck.path])
    expect([path, (await fetch(`http://127.0.0.1:${own}${path}`)).status]).toEqual([path, 404])
  const post = await fetch(`http://127.0.0.1:${own}${routes.getAuthTokenWithError.path}`, { method: 'POST', body: '{}' })
  expect(post.status).toBe(404)
  expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200)
})
