import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { examineSeenAddress } from '../../src/doctor/seen-address.ts'
import { seenHeader, seenPath, seenPurpose } from '../../src/http/seen-address.ts'
import { createKeyring } from '../../src/keys/keyring.ts'
import { limits } from '../../src/limits.ts'
import { freePort } from '../support/free-port.ts'
import { startServer } from '../support/harness.ts'

/** The level and peer of each log line that names GATEHOUSE_TRUSTED_PROXIES. */
const warnings = (logged: string[]) =>
  logged.map(line => JSON.parse(line)).flatMap(({ level, peer, msg }) => (/GATEHOUSE_TRUSTED_PROXIES/.test(msg) ? [[level, peer]] : []))

test('warns once for each peer that sends X-Forwarded-For and is not a trusted proxy', async () => {
  const server = await startServer({ env: { GATEHOUSE_TRUSTED_PROXIES: '10.0.0.0/8' } })
  const ask = (remoteAddress: string, headers = {}) => server.app.inject({ url: '/healthz', remoteAddress, headers })
  const forwarded = { 'x-forwarded-for': '203.0.113.66' }
  await ask('192.168.1.1')
  await ask('10.0.0.5', forwarded)
  expect(warnings(server.logged)).toEqual([])
  for (let i = 0; i < 3; i++) for (const peer of ['192.168.1.1', '::ffff:192.168.1.2']) await ask(peer, forwarded)
  expect(warnings(server.logged)).toEqual([
    [40, '192.168.1.1'],
    [40, '192.168.1.2'],
  ])
  expect(server.logged.join()).not.toContain('203.0.113.66')
  // Any client can send the header, so the server limits the number of warnings.
  for (let i = 0; i < 50; i++) await ask(`198.51.100.${i}`, forwarded)
  expect(warnings(server.logged)).toHaveLength(limits.untrustedPeers.most)
})

test('only holders of the master key can read the client address that the server sees', async () => {
  const server = await startServer()
  const keyring = createKeyring(server.config.masterKeys)
  const ask = async (proof?: string) => {
    const { statusCode, body } = await server.app.inject({
      url: seenPath,
      remoteAddress: '192.168.1.1',
      headers: { 'x-forwarded-for': '203.0.113.66', ...(proof && { [seenHeader]: proof }) },
    })
    return [statusCode, /192\.168\.1\.1|203\.0\.113/.test(body)]
  }
  const { at } = server.clock
  const other = createKeyring(() => [Buffer.alloc(32, 1)])
  for (const proof of [
    undefined,
    '',
    'x',
    'a.b',
    keyring.seal('nonce', String(at), seenPurpose),
    keyring.seal('doctor', String(at), 'another purpose'),
    keyring.seal('doctor', 'now', seenPurpose),
    keyring.seal('doctor', String(at - limits.doctorProof), seenPurpose),
    keyring.seal('doctor', String(at + limits.doctorProof), seenPurpose),
    other.seal('doctor', String(at), seenPurpose),
  ])
    expect([proof, await ask(proof)]).toEqual([proof, [404, false]])
  expect(await ask(keyring.seal('doctor', String(at), seenPurpose))).toEqual([200, true])
})

/** How a proxy sets X-Forwarded-For, and which proxies the server trusts. */
const proxies: { what: string; sets: (sent: string | undefined, from: string) => string | undefined; trusted: string; says: RegExp }[] = [
  { what: 'replaces it', sets: (_, from) => from, trusted: '127.0.0.1', says: /^ok: .* at the address 127\.0\.0\.1\.$/ },
  { what: 'adds to it', sets: sent => `${sent}, 203.0.113.7`, trusted: '127.0.0.1', says: /^ok: .* at the address 203\.0\.113\.7\.$/ },
  {
    what: 'is not listed as trusted',
    sets: (_, from) => from,
    trusted: '',
    says: /^problem: .* set GATEHOUSE_TRUSTED_PROXIES=127\.0\.0\.1 and restart/,
  },
  {
    what: 'adds to it, for a client that is listed as trusted',
    sets: (sent, from) => `${sent}, ${from}`,
    trusted: '127.0.0.1',
    says: /^ok: .* 127\.0\.0\.1, which GATEHOUSE_TRUSTED_PROXIES lists/,
  },
  {
    what: 'is not among the trusted proxies',
    sets: (_, from) => from,
    trusted: '10.0.0.0/8',
    says: /^problem: .* set GATEHOUSE_TRUSTED_PROXIES=10\.0\.0\.0\/8,127\.0\.0\.1 and restart/,
  },
  {
    what: 'does not send it',
    sets: () => undefined,
    trusted: '127.0.0.1',
    says: /^problem: .* 127\.0\.0\.1, .*Configure the proxy to set X-Forwarded-For/,
  },
  { what: 'forwards the header of clients', sets: sent => sent, trusted: '127.0.0.1', says: /^problem: Any client can choose the address/ },
  {
    what: 'forwards the header of clients and is not listed as trusted',
    sets: sent => sent,
    trusted: '',
    says: /^problem: .*Configure the proxy to set X-Forwarded-For/,
  },
  {
    what: 'adds to it, while addresses of clients are listed as trusted too',
    sets: (sent, from) => `${sent}, ${from}`,
    trusted: '127.0.0.1,128.0.0.0/1',
    says: /^problem: Any client can choose/,
  },
  {
    what: 'is behind another proxy',
    sets: (sent, from) => `${sent}, ${from}, 10.1.1.1`,
    trusted: '127.0.0.1',
    says: /^warning: .* 10\.1\.1\.1 .* set GATEHOUSE_TRUSTED_PROXIES=127\.0\.0\.1,10\.1\.1\.1\.$/,
  },
]

test.each(proxies)('doctor judges X-Forwarded-For from a proxy that $what', async ({ sets, trusted, says }) => {
  const [gate, front] = [await freePort(), await freePort()]
  const server = await startServer({
    env: { GATEHOUSE_PUBLIC_URL: `http://127.0.0.1:${front}/gate`, GATEHOUSE_TRUSTED_PROXIES: trusted },
  })
  server.clock.at = Date.now()
  await server.app.listen({ host: '127.0.0.1', port: gate })
  const proxy = createServer((from, to) => {
    const { 'x-forwarded-for': sent, ...headers } = from.headers
    const forwardedFor = sets(sent?.toString(), from.socket.remoteAddress ?? '')
    const asked = request({ port: gate, path: from.url, headers: { ...headers, ...(forwardedFor && { 'x-forwarded-for': forwardedFor }) } })
    asked.on('response', answer => {
      to.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(to)
    })
    asked.end()
  })
  await once(proxy.listen(front, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  const { level, says: said } = await examineSeenAddress(server.config)
  expect(`${level}: ${said}`).toMatch(says)
  const direct = { ...server.config, publicUrl: { ...server.config.publicUrl, origin: `http://127.0.0.1:${gate}` } }
  expect(await examineSeenAddress(direct)).toMatchObject({ level: 'ok', says: 'There is no proxy between this machine and Gatehouse.' })
  const otherKey = { ...direct, masterKeys: () => [Buffer.alloc(32, 1)] }
  expect(await examineSeenAddress(otherKey)).toMatchObject({ level: 'warning', says: expect.stringContaining('another master key') })
})
