import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { routes } from '@gatehouse/wire'
import { expect, inject, onTestFinished, test } from 'vitest'
import { seconds } from '../src/limits.ts'
import { makePlace, startProcess } from './processes.ts'
import { startSink } from './smtp-sink.ts'
import { openClient } from './world.ts'

const admin = { username: 'admin@example.com', password: 'a password for stopping' }

/** A server of a test's own; `since` is the time since its end was asked for. */
const startToStop = async (more: Record<string, string>) => {
  const place = await makePlace()
  const env = { ...place.env, GATEHOUSE_ADMIN_PASSWORD: admin.password, ...more }
  const start = async () => {
    const server = startProcess(env)
    const url = await server.ready
    const kill = (signal: NodeJS.Signals) => {
      const begun = performance.now()
      server.child.kill(signal)
      return { since: () => performance.now() - begun }
    }
    return { ...server, url, kill }
  }
  return { ...place, start }
}

/** A client that keeps one connection, as a proxy does. */
const keepConnection = (port: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  let connections = 0
  const ask = async (path: string) => {
    const sent = request({ port, host: '127.0.0.1', path, agent })
    sent.on('socket', socket => {
      if (socket.connecting) connections++
    })
    sent.end()
    const [response]: [IncomingMessage] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')
    return [response.statusCode, response.headers.connection]
  }
  return { ask, connections: () => connections }
}

test('RX-7: during the drain time the server takes requests on old and new connections and asks to close them; /readyz says 503', async () => {
  const { start, port } = await startToStop({ GATEHOUSE_DRAIN: '2' })
  const server = await start()
  const kept = Array.from({ length: 5 }, () => keepConnection(port))
  for (const { ask } of kept) expect(await ask('/healthz')).toEqual([200, 'keep-alive'])
  const { since } = server.kill('SIGTERM')
  await expect.poll(() => server.output.stderr).toContain('stopping')
  expect(await keepConnection(port).ask('/readyz')).toEqual([503, 'close'])
  for (const { ask } of kept) {
    expect(await ask('/')).toEqual([200, 'close'])
    await setTimeout(250)
  }
  expect(kept.map(({ connections }) => connections())).toEqual([1, 1, 1, 1, 1])
  expect(await keepConnection(port).ask('/healthz')).toEqual([200, 'close'])
  expect(since()).toBeLessThan(seconds(2))
  expect(await server.ended).toBe(0)
  expect(since()).toBeGreaterThan(seconds(2))
  expect(since()).toBeLessThan(seconds(4))
})

test('RX-7: no request fails while a server is restarted again and again and clients keep their connections', async () => {
  const { start, port } = await startToStop({ GATEHOUSE_DRAIN: '1' })
  let server = await start()
  let done = false
  let answered = 0
  const failed: unknown[] = []
  /** As nginx does: tries again where no connection could be made, and never after a request was sent. */
  const call = async () => {
    const { ask } = keepConnection(port)
    while (!done) {
      await ask('/healthz').then(
        ([status]) => void (status === 200 ? answered++ : failed.push(status)),
        error => (error.code === 'ECONNREFUSED' ? setTimeout(20) : void failed.push(error.code)),
      )
      await setTimeout(Math.random() * 500)
    }
  }
  const calls = Promise.all(Array.from({ length: 40 }, call))
  for (let n = 0; n < 3; n++) {
    await setTimeout(500)
    server.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    server = await start()
  }
  done = true
  await calls
  expect(failed).toEqual([])
  expect(answered).toBeGreaterThan(400)
})

test.each(['SIGTERM', 'SIGINT'] as const)('a second %s ends the drain time, and SIGINT has none', async second => {
  const { start } = await startToStop({ GATEHOUSE_DRAIN: '60' })
  const server = await start()
  server.kill('SIGTERM')
  // npm start may repeat the signal: that is not a second one.
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

test('RX-17: a server whose mail server never answers ends in time, and the next start sends the mail at once', async () => {
  const sink = await startSink()
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

test('RX-17: a server ends in time while requests, live updates and its database hang', async () => {
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
  // A WebSocket whose client never reads nor closes.
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
