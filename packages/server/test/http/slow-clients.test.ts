import { socketsPath } from '@gatehouse/wire'
import { expect, onTestFinished, test } from 'vitest'
import type { ConnectionLimits } from '../../src/http/connections.ts'
import { createMetricsListener } from '../../src/http/metrics.ts'
import { limits, seconds } from '../../src/limits.ts'
import { createMetrics } from '../../src/metrics.ts'
import { startServer } from '../support/harness.ts'
import { countHeld, openSlow, pause, portOf, startOfRequest } from './slow-client.ts'

/** RX-15: the server releases a refused connection within this time. */
const release = seconds(1)
/** The production rules with shorter times. */
const short: ConnectionLimits = { arrival: seconds(1.5), reading: seconds(2), linger: limits.connections.linger, look: seconds(0.25) }

const listen = async () => {
  const server = await startServer({ connections: short })
  const port = portOf(await server.app.listen({ host: '127.0.0.1', port: 0 }))
  return { server, port }
}

test.runIf(process.platform === 'linux')(
  'RX-15: releases the descriptor of an incomplete request within 1 s of its 408, which the client can read',
  async () => {
    const { port } = await listen()
    const starts = {
      'no byte': '',
      'half a head': 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ',
      'half a body': startOfRequest('/getAuthTokenWithError', 'application/json'),
      'half a body of a form': startOfRequest('/', 'application/x-www-form-urlencoded'),
    }
    const clients = Object.entries(starts).map(([kind, first]) => ({ kind, ...openSlow(port, first) }))
    const dripping = openSlow(port, 'GET / HTTP/1.1\r\n')
    const drip = setInterval(() => dripping.socket.write('X: y\r\n'), 100)
    onTestFinished(() => clearInterval(drip))
    const all = [...clients, { kind: 'a header every 100 ms', ...dripping }]
    await expect.poll(() => countHeld(port)).toBe(all.length)
    for (const { kind, answered } of all) {
      const ms = await answered
      expect([kind, ms > short.arrival - 50, ms < short.arrival + short.look + seconds(1)]).toEqual([kind, true, true])
    }
    await pause(release)
    expect(await countHeld(port)).toBe(0)
    for (const { kind, heard } of all) {
      const [head = '', body = ''] = heard().split('\r\n\r\n')
      expect([kind, head.split('\r\n')[0], body]).toEqual([
        kind,
        'HTTP/1.1 408 Request Timeout',
        '{"error":"request: took too long to arrive"}',
      ])
    }
  },
)

test.runIf(process.platform === 'linux')(
  'RX-15: releases the descriptor within 1 s of a 431 or 400 the client can read, even while the client keeps sending',
  async () => {
    const { port } = await listen()
    const kinds = [
      ['431', `GET / HTTP/1.1\r\nHost: localhost\r\nX-Large: ${'x'.repeat(200_000)}\r\n\r\n`],
      ['400', 'NONSENSE\r\n\r\n'],
    ] as const
    for (const [status, first] of kinds) {
      const [silent, talking] = [openSlow(port, first), openSlow(port, first)]
      const talk = setInterval(() => talking.socket.write('x'.repeat(10_000)), 20)
      await Promise.all([silent.answered, talking.answered])
      await pause(release)
      clearInterval(talk)
      for (const { heard } of [silent, talking])
        expect(heard()).toMatch(new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*\r\n\r\n{"error":"[^"]+"}$`))
      expect(await countHeld(port)).toBe(0)
    }
  },
)

test.runIf(process.platform === 'linux')('RX-15: releases the descriptor of a client that does not read its answers', async () => {
  const { port } = await listen()
  const page = await (await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } })).text()
  const [script = ''] = /\/assets\/main-[\w-]+\.js/.exec(page) ?? []
  expect(script).not.toBe('')
  const ask = `GET ${script} HTTP/1.1\r\nHost: localhost\r\n\r\n`
  // More than the buffers of both ends hold.
  const client = openSlow(port, ask.repeat(100))
  client.socket.pause()
  // A client that occasionally reads a little gets no more time.
  const trickle = setInterval(() => client.socket.read(1), 100)
  onTestFinished(() => clearInterval(trickle))
  await expect.poll(() => countHeld(port)).toBe(1)
  const start = performance.now()
  await expect.poll(() => countHeld(port)).toBe(0)
  const ms = performance.now() - start
  expect([ms > short.reading - seconds(1), ms < short.reading + seconds(3)]).toEqual([true, true])
})

test.runIf(process.platform === 'linux')('RX-15: releases the descriptors of refused upgrades and closed WebSockets', async () => {
  const { port, server } = await listen()
  const upgrade = (origin: string, key: string) =>
    `GET ${socketsPath} HTTP/1.1\r\nHost: localhost\r\nOrigin: ${origin}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`
  const key = 'dGhlIHNhbXBsZSBub25jZQ=='
  const own = server.config.publicUrl.origin
  const refused = [openSlow(port, upgrade('https://evil.example', key)), openSlow(port, upgrade(own, 'no key'))]
  for (const { answered } of refused) await answered
  expect(refused.map(({ heard }) => heard().split('\r\n')[0])).toEqual(['HTTP/1.1 403 Forbidden', 'HTTP/1.1 400 Bad Request'])
  // A tunnel request gets no answer.
  const tunnel = openSlow(port, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n')
  await pause(release)
  expect([await countHeld(port), tunnel.heard()]).toEqual([0, ''])

  const live = openSlow(port, upgrade(own, key))
  await live.answered
  expect(live.heard()).toMatch(/^HTTP\/1.1 101 /)
  expect(await countHeld(port)).toBe(1)
  // A masked binary frame makes the server close the WebSocket. The client never answers the close frame.
  live.socket.write(Buffer.from([0x82, 0x81, 0, 0, 0, 0, 0]))
  await pause(release)
  expect(await countHeld(port)).toBe(0)
})

test.runIf(process.platform === 'linux')(
  'RX-15: the metrics listener answers slow clients with 408 and releases their descriptors within 1 s',
  async () => {
    const metrics = createMetrics({
      version: '1.0.0',
      mailWaiting: async () => 0,
      hashing: () => ({ running: 0, waiting: 0 }),
      rulesLoaded: () => true,
    })
    const listener = createMetricsListener(metrics, short)
    onTestFinished(() => listener.close())
    const port = portOf(await listener.listen({ host: '127.0.0.1', port: 0 }))
    const clients = [
      openSlow(port),
      openSlow(port, 'GET /metrics HTTP/1.1\r\n'),
      openSlow(port, startOfRequest('/metrics', 'application/json')),
    ]
    for (const { answered } of clients) expect(await answered).toBeLessThan(short.arrival + short.look + seconds(1))
    await pause(release)
    expect(await countHeld(port)).toBe(0)
    for (const { heard } of clients) expect(heard()).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/)
  },
)
