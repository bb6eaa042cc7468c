import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '@gatehouse/wire'
import { expect, inject, onTestFinished, test } from 'vitest'
import { randomSecret } from '../../src/keys/secrets.ts'
import { freePort } from '../support/free-port.ts'
import { nextAddress } from '../support/next-address.ts'
import { makeInstallation, runCli, startProcess } from './processes.ts'

const onPostgres = inject('postgres') !== ''
const password = 'a password for several'
const headers = { 'content-type': 'application/json' }
const post = (url: string, path: string, body: unknown, cookie = '') =>
  fetch(url + path, { method: 'POST', headers: { ...headers, cookie, 'x-forwarded-for': nextAddress() }, body: JSON.stringify(body) })
const trySignIn = (url: string, attempt: string) =>
  post(url, routes.getAuthTokenWithError.path, { username: 'admin@example.com', password: attempt, useragent: '' })
const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map(text => text.split(';')[0])
    .join('; ')
const isAlive = async (url: string, cookie: string) =>
  (await fetch(`${url}/account`, { headers: { cookie }, redirect: 'manual' })).status === 200

test.runIf(!onPostgres)(
  'SQLite allows one server: a second one is refused with a hint, and takes over after the first is killed',
  async () => {
    const { env } = await makeInstallation()
    const first = startProcess(env)
    await first.ready
    const second = startProcess({ ...env, GATEHOUSE_LISTEN: `127.0.0.1:${await freePort()}` })
    expect(await second.ended).toBe(1)
    expect(second.output.stderr).toMatch(
      /^Gatehouse cannot start:\n {2}Another Gatehouse server is using .*; for several, set GATEHOUSE_DATABASE_URL to a postgres:\/\/ address\.\n$/,
    )
    first.child.kill('SIGKILL')
    await first.ended
    await startProcess(env).ready
  },
)

const startThree = async (more: Record<string, string> = {}) => {
  const { env, inDatabase } = await makeInstallation()
  const servers = await Promise.all(
    Array.from({ length: 3 }, async () =>
      startProcess({ ...env, ...more, GATEHOUSE_ADMIN_PASSWORD: password, GATEHOUSE_LISTEN: `127.0.0.1:${await freePort()}` }),
    ),
  )
  const urls = await Promise.all(servers.map(server => server.ready))
  return { servers, inDatabase, env, urls: urls as [string, string, string] }
}

test.runIf(onPostgres)('three servers started at once migrate once and create one administrator', async () => {
  const { inDatabase } = await startThree()
  expect((await inDatabase(db => db.selectFrom('users').select('userIdent').execute())).map(user => user.userIdent)).toEqual([
    'admin@example.com',
  ])
})

test.runIf(onPostgres)('TH-04: counts wrong passwords across all servers and after kill -9', async () => {
  const { urls, servers } = await startThree()
  const [a, b, c] = urls
  for (const url of [a, a, a, a, b, b, b, b]) await trySignIn(url, 'wrong')
  for (const server of servers.slice(0, 2)) {
    server.child.kill('SIGKILL')
    await server.ended
  }
  for (const attempt of ['wrong', 'wrong']) await trySignIn(c, attempt)
  expect(await (await trySignIn(c, password)).json()).toEqual({ tag: 'AuthFailureFailedLogin' })
})

test.runIf(onPostgres)(
  'SE-04, A01: one of 200 redemptions on three servers succeeds; signing out on one server applies to all',
  async () => {
    const { urls } = await startThree()
    const signIn = await trySignIn(urls[0], password)
    const { contents } = Object(await signIn.json())
    const cookie = cookiesOf(signIn)
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => post(urls[i % 3] ?? '', routes.plowlogin.path, contents, cookie)),
    )
    const won = answers.filter(answer => answer.status === 200)
    expect(won).toHaveLength(1)
    expect(answers.filter(answer => answer.status === 401)).toHaveLength(199)
    const session = won[0] ? cookiesOf(won[0]) : ''
    for (const url of urls) expect(await isAlive(url, session)).toBe(true)
    await post(urls[1], routes.logoutBySelf.path, {}, session)
    for (const url of urls) expect(await isAlive(url, session)).toBe(false)
  },
)

test.runIf(onPostgres)(
  'SE-04, RX-7: a session ended on one server is refused by every other server’s forward-auth check at the next request',
  async () => {
    const { urls } = await startThree({ GATEHOUSE_PROTECTED_ORIGINS: 'http://localhost:3000' })
    const asked = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'localhost:3000', 'x-forwarded-uri': '/' }
    const check = async (url: string, cookie: string) => (await fetch(`${url}/auth/request`, { headers: { ...asked, cookie } })).status
    for (const [ends, ender] of urls.entries()) {
      const signIn = await trySignIn(ender, password)
      const { contents } = Object(await signIn.json())
      const session = cookiesOf(await post(urls[(ends + 1) % 3] ?? '', routes.plowlogin.path, contents, cookiesOf(signIn)))
      // Each server finds the session valid and must not cache that result.
      for (const url of urls) expect(await check(url, session)).toBe(200)
      expect((await post(ender, routes.logoutBySelf.path, {}, session)).status).toBe(200)
      expect(await Promise.all(urls.map(url => check(url, session)))).toEqual([401, 401, 401])
    }
  },
)

test.runIf(onPostgres)('new rules apply on each of three servers, and a pass that ends on one is refused by all', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-rules-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'rules.yaml')
  const write = (path: string) =>
    writeFile(file, `rules:\n  - { to: 'http://localhost:3000${path}', allow: pass }\n  - { to: 'http://localhost:3000/*', deny: true }\n`)
  await write('/api/*')
  const { urls, env } = await startThree({ GATEHOUSE_RULES: file })
  const cli = async (...args: string[]) => {
    const ran = await runCli({ ...env, GATEHOUSE_RULES: file }, ['pass', ...args])
    expect(ran).toMatchObject({ code: 0 })
    return ran
  }
  const [pass = ''] = (await cli('add', 'backup', '--to', 'http://localhost:3000/*')).stdout.split('\n')
  const statuses = (uri: string) =>
    Promise.all(
      urls.map(async url => {
        const asked = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'localhost:3000', 'x-forwarded-uri': uri }
        return (await fetch(`${url}/auth/request`, { headers: { ...asked, authorization: `Bearer ${pass}` } })).status
      }),
    )
  expect([await statuses('/api/x'), await statuses('/metrics')]).toEqual([
    [200, 200, 200],
    [403, 403, 403],
  ])
  await write('/metrics')
  await expect.poll(() => statuses('/metrics'), { timeout: 5000 }).toEqual([200, 200, 200])
  expect(await statuses('/api/x')).toEqual([403, 403, 403])
  const [id = ''] =
    (await cli('list')).stdout
      .split('\n')
      .find(line => line.includes('service backup'))
      ?.split('  ') ?? []
  await cli('end', id)
  expect(await statuses('/metrics')).toEqual([401, 401, 401])
})

/** A proxy between the server and the database, whose connections a test can cut or stall. */
const createCutter = async ({ hostname, port: targetPort }: URL) => {
  const sockets = new Set<Socket>()
  let stalled = false
  const proxy = createServer(client => {
    const upstream = connect(Number(targetPort), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    if (!stalled) client.pipe(upstream).pipe(client)
  })
  const port = await freePort()
  const listen = () => {
    stalled = false
    return new Promise<void>(resolve => proxy.listen(port, '127.0.0.1', resolve))
  }
  await listen()
  const cut = async () => {
    const closed = new Promise(resolve => proxy.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  /** Stops forwarding, but keeps connections open and accepts new ones. */
  const stall = () => {
    stalled = true
    for (const socket of sockets) socket.unpipe().pause()
  }
  return { port, cut, stall, listen }
}

test.runIf(onPostgres)(
  'RX-3: while PostgreSQL is unreachable, every call answers 503 with Retry-After within 2 s and no sign-in succeeds; afterwards everything works again',
  async () => {
    const { env } = await makeInstallation()
    const target = new URL(env.GATEHOUSE_DATABASE_URL ?? '')
    const cutter = await createCutter(target)
    target.port = String(cutter.port)
    const server = startProcess({ ...env, GATEHOUSE_DATABASE_URL: target.href, GATEHOUSE_ADMIN_PASSWORD: password })
    const url = await server.ready
    const away = async () => {
      const start = performance.now()
      const answers = await Promise.all([
        trySignIn(url, password),
        fetch(`${url}/readyz`),
        fetch(`${url}/account`, { headers: { cookie: `gatehouse-session=${randomSecret(128)}.b` }, redirect: 'manual' }),
      ])
      expect(performance.now() - start).toBeLessThan(2500)
      expect(answers.map(answer => [answer.status, answer.headers.get('retry-after')])).toEqual([
        [503, '2'],
        [503, '2'],
        [503, '2'],
      ])
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
    }
    const back = async () => {
      const start = performance.now()
      while ((await trySignIn(url, password)).status !== 200) expect(performance.now() - start).toBeLessThan(5000)
      expect(await (await trySignIn(url, password)).json()).toMatchObject({ tag: 'AuthSuccessful' })
    }
    await cutter.cut()
    await away()
    await cutter.listen()
    await back()
    cutter.stall()
    await away()
    await cutter.cut()
    await cutter.listen()
    await back()
    expect(server.output.stderr).not.toContain('"status":500')
    await cutter.cut()
  },
)
