import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { routes } from '@gatehouse/wire'
import { expect, inject, onTestFinished, test } from 'vitest'
import { seconds } from '../../src/limits.ts'
import { openClient, signIn } from '../credentials/deployment.ts'
import { startSmtpSink } from '../mail/smtp-sink.ts'
import { admin, keepConnection, startToStop } from './stopping.ts'

test('RX-7: during the drain time the server answers old and new connections and asks to close them; /readyz answers 503', async () => {
  const { start, port } = await startToStop({ GATEHOUSE_DRAIN: '60' })
  const server = await start()
  const kept = Array.from({ length: 5 }, () => keepConnection(port))
  for (const { ask } of kept) expect(await ask('/healthz')).toEqual([200, 'keep-alive'])
  server.kill('SIGTERM')
  await expect.poll(() => server.output.stderr).toContain('stopping')
  expect(await keepConnection(port).ask('/readyz')).toEqual([503, 'close'])
  for (const { ask } of kept) {
    expect(await ask('/')).toEqual([200, 'close'])
    await setTimeout(250)
  }
  expect(kept.map(({ connections }) => connections())).toEqual([1, 1, 1, 1, 1])
  expect((await signIn(openClient([server.url]), admin)).tag).toBe('AuthSuccessful')
  expect(await keepConnection(port).ask('/healthz')).toEqual([200, 'close'])
  const { since } = server.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(since()).toBeLessThan(seconds(2))
})

test('RX-7: a server without requests stops when the drain time is over', async () => {
  const { start } = await startToStop({ GATEHOUSE_DRAIN: '1' })
  const server = await start()
  const { since } = server.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(since()).toBeGreaterThan(seconds(1))
  expect(since()).toBeLessThan(seconds(3))
})

test.each(['SIGTERM', 'SIGINT'] as const)('a second %s ends the drain time, and a first SIGINT skips it', async second => {
  const { start } = await startToStop({ GATEHOUSE_DRAIN: '60' })
  const server = await start()
  server.kill('SIGTERM')
  // npm start may repeat the signal; that does not count as a second one.
  server.kill('SIGTERM')
  await setTimeout(seconds(1.5))
  expect(server.child.exitCode).toBeNull()
  const { since } = server.kill(second)
  expect(await server.ended).toBe(0)
  expect(since()).toBeLessThan(seconds(2))

  const other = await start()
  const stopped = other.kill('SIGINT')
  expect(await other.ended).toBe(0)
  expect(stopped.since()).toBeLessThan(seconds(2))
})

test('RX-17: a server with an unresponsive mail server stops in time, and its next start sends the mail at once', async () => {
  const sink = await startSmtpSink()
  sink.tarPits.add(admin.username)
  const { start } = await startToStop({ GATEHOUSE_SMTP_URL: sink.url })
  const first = await start()
  await openClient([first.url]).post(routes.sendPasswordResetEmail.path, { useremail: admin.username })
  await expect.poll(() => sink.heard).toContain('RCPT TO')
  const { since } = first.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  expect(since()).toBeLessThan(seconds(5))
  sink.tarPits.clear()
  await start()
  await expect.poll(() => sink.mails.length, { timeout: seconds(5) }).toBe(1)
})

test('RX-17: a server stops in time while requests, live updates and its database hang', async () => {
  const { start, port, env } = await startToStop({})
  const server = await start()
  if (inject('postgres') === '') {
    const other = new DatabaseSync(join(env.GATEHOUSE_DATA_DIR ?? '', 'gatehouse.sqlite'))
    onTestFinished(() => other.close())
    other.exec('begin exclusive')
  }
  const hanging = request({ port, host: '127.0.0.1', method: 'POST', path: routes.getAuthTokenWithError.path })
  hanging.on('error', () => {})
  hanging.setHeader('content-length', 100)
  hanging.write('{')
  // A WebSocket whose client neither reads nor closes.
  const socket = request({
    port,
    host: '127.0.0.1',
    path: '/sockets',
    headers: {
      connection: 'upgrade',
      upgrade: 'websocket',
      origin: server.url,
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version': '13',
    },
  })
  socket.on('error', () => {})
  socket.end()
  await once(socket, 'upgrade')
  const { since } = server.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(since()).toBeLessThan(seconds(5))
})
