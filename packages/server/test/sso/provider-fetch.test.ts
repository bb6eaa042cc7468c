import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createPlainServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createProviderFetch, isInside } from '../../src/http-client/guarded-fetch.ts'
import { limits, seconds } from '../../src/limits.ts'
import { makeCertificate } from '../support/certificate.ts'
import { drip } from './identity-provider.ts'

/** A server with a scripted answer that counts its requests. */
const startHost = async (answer: (response: ServerResponse, body: string) => void) => {
  const host = { url: '', asked: 0, headers: [] as NodeJS.Dict<string | string[]>[] }
  const server = createServer((request, response) => {
    host.asked++
    host.headers.push(request.headers)
    let body = ''
    request.on('data', chunk => (body += chunk))
    request.on('end', () => answer(response, body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  host.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return host
}

const anywhere = createProviderFetch({ allowInside: true })
const outside = createProviderFetch({ allowInside: false })

test.each([
  '127.0.0.1',
  '127.8.9.10',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '198.18.0.1',
  '192.0.0.192',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '64:ff9b::a9fe:a9fe',
  '2002:7f00:1::',
  '2001:0:1::1',
])('OI-08, A36: %s is not a public address', address => {
  expect(isInside(address)).toBe(true)
})

test.each(['8.8.8.8', '172.15.255.255', '172.32.0.1', '192.167.1.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])(
  '%s is a public address',
  address => {
    expect(isInside(address)).toBe(false)
  },
)

test('OI-08, A36: contacts no private address, however it is written', async () => {
  const host = await startHost(response => void response.end('{}'))
  const port = new URL(host.url).port
  for (const name of [
    '127.0.0.1',
    'localhost',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '0',
    '127.0.0.1.',
  ]) {
    await expect(outside(`http://${name}:${port}/`), name).rejects.toThrow()
  }
  expect(host.asked).toBe(0)
  expect((await anywhere(host.url)).status).toBe(200)
})

test('OI-08: returns redirects without following them', async () => {
  const host = await startHost(response => void response.writeHead(302, { location: '/elsewhere' }).end())
  for (const status of [302]) {
    const answer = await anywhere(`${host.url}/a`)
    expect([answer.status, host.asked]).toEqual([status, 1])
  }
})

test('OI-08: cuts off bodies larger than 1 MiB, with or without Content-Length, and accepts one of that size', async () => {
  expect(limits.provider.bytes).toBe(1024 * 1024)
  let sent = 0
  const flood = await startHost(response => {
    const piece = Buffer.alloc(64 * 1024)
    const more = () => {
      while (!response.destroyed && sent < 1024 ** 3) {
        sent += piece.length
        if (!response.write(piece)) return void response.once('drain', more)
      }
    }
    more()
  })
  await expect(anywhere(flood.url)).rejects.toThrow()
  // The sender also counts data in network buffers.
  expect(sent).toBeLessThan(32 * 1024 * 1024)
  for (const [size, ok] of [
    [limits.provider.bytes, true],
    [limits.provider.bytes + 1, false],
  ] as const) {
    const host = await startHost(response => void response.end(Buffer.alloc(size)))
    const answer = anywhere(host.url)
    if (ok) expect((await (await answer).arrayBuffer()).byteLength).toBe(size)
    else await expect(answer).rejects.toThrow()
  }
})

test('OI-08: waits at most five seconds in total for a server that sends a byte per second, or nothing', async () => {
  expect(limits.provider.patience).toBe(seconds(5))
  const [slow, silent, stuck] = [
    await startHost(drip),
    await startHost(() => {}),
    await startHost(response => response.writeHead(200, { 'content-length': 10 }).flushHeaders()),
  ]
  const from = Date.now()
  await Promise.all([slow, silent, stuck].map(host => expect(anywhere(host.url)).rejects.toThrow()))
  const took = Date.now() - from
  expect([took > seconds(4.5), took < seconds(7)]).toEqual([true, true])
})

test('rejects an answer that breaks off', async () => {
  const host = await startHost(response => {
    response.writeHead(200, { 'content-length': 100 }).write('{')
    setTimeout(() => response.destroy(), 20)
  })
  await expect(anywhere(host.url)).rejects.toThrow()
})

test('OI-08: requests no compressed answer, so none can expand', async () => {
  const host = await startHost(response => void response.end('{}'))
  await anywhere(host.url, { headers: { 'accept-encoding': 'gzip' } })
  expect(host.headers[0]?.['accept-encoding']).toBe('identity')
})

test('sends a POST body, and returns the answer with its headers', async () => {
  const host = await startHost(
    (response, body) => void response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ body })),
  )
  const answer = await anywhere(host.url, { method: 'POST', body: new URLSearchParams({ a: 'b c' }) })
  expect([answer.status, answer.headers.get('content-type'), await answer.json()]).toEqual([400, 'application/json', { body: 'a=b+c' }])
})

test('TL-01: refuses an untrusted certificate', async context => {
  const certificate = makeCertificate(2)
  if (!certificate) return context.skip('there is no openssl here')
  const server = createSecureServer(certificate, (_, response) => response.end('{}'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  await expect(anywhere(`https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)).rejects.toThrow(/certificate/)
})

test('fetches only http and https addresses', async () => {
  for (const address of ['file:///etc/passwd', 'data:application/json,{}', 'ftp://example.com/', 'gopher://example.com'])
    await expect(anywhere(address), address).rejects.toThrow()
})

test('OI-08: aborts an answer that switches the protocol', async () => {
  const server = createPlainServer(socket => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await expect(createProviderFetch({ allowInside: true })(`http://127.0.0.1:${port}/`)).rejects.toThrow('no answer')
})
