import { once } from 'node:events'
import { chmod, readdir, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { routes } from '@gatehouse/wire'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { startCommand } from '../support/program.ts'
import { makeInstallation, runCli, startProcess } from './processes.ts'

const headers = { 'content-type': 'application/json' }

test('the first start creates the administrator and prints the password once; the second start keeps the data', async () => {
  const { env, port } = await makeInstallation({ withoutTables: true })
  const first = startProcess(env)
  const url = await first.ready
  expect(url).toBe(`http://localhost:${port}`)
  const [, password = ''] = /with the password\s+(\S+)/.exec(first.output.stdout) ?? []
  expect(password).toMatch(/^([2-9a-z]{5}-){3}[2-9a-z]{5}$/)
  const signIn = () =>
    fetch(url + routes.getAuthTokenWithError.path, {
      method: 'POST',
      headers,
      body: JSON.stringify({ username: 'admin@example.com', password, useragent: '' }),
    })
  expect(await (await signIn()).json()).toMatchObject({ tag: 'AuthSuccessful' })
  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)

  const second = startProcess(env)
  await second.ready
  expect(second.output.stdout).not.toContain(password)
  expect(await (await signIn()).json()).toMatchObject({ tag: 'AuthSuccessful' })
  expect(first.output.stderr + second.output.stderr).not.toContain(password)
})

test('the greeting says where mail goes: shown on this machine, stored in a folder, or sent', async () => {
  const { env } = await makeInstallation()
  const greet = async (more: Record<string, string>) => {
    const { ready, child, ended, output } = startProcess({ ...env, ...more })
    const url = await ready
    child.kill('SIGTERM')
    await ended
    return { url, lines: output.stdout.split('\n').map(line => line.trim().replace(/ {2,}/, ': ')) }
  }
  const here = await greet({})
  expect(here.lines).toContain(`Email: ${here.url}/mail, on this machine only; to send it, set GATEHOUSE_SMTP_URL`)
  const namedHost = await greet({ GATEHOUSE_PUBLIC_URL: 'http://sign-in.example.com' })
  expect(namedHost.lines).toContain(`Email: kept in ${join(env.GATEHOUSE_DATA_DIR ?? '', 'mail')}; to send it, set GATEHOUSE_SMTP_URL`)
  expect(namedHost.lines).toContain('Sign in: with your existing account (forgot it? use ‘Forgot your password?’)')
  const sent = await greet({ GATEHOUSE_SMTP_URL: 'smtp://127.0.0.1:9' })
  expect(sent.lines).toContain('Email: sent through 127.0.0.1:9')
})

test('a port in use is reported in one clear message, and the generated password is not lost', async () => {
  const { env, port } = await makeInstallation()
  const other = createServer().listen(port, '127.0.0.1')
  const { ended, output } = startProcess(env)
  expect(await ended).toBe(1)
  expect(output.stderr).toBe(
    `Gatehouse cannot start:\n  Port ${port} is in use. Stop the program that uses it, or choose another port: GATEHOUSE_LISTEN=127.0.0.1:${port + 1} ${startCommand}\n`,
  )
  await new Promise(resolve => other.close(resolve))
  const again = startProcess(env)
  await again.ready
  expect(again.output.stdout).toMatch(/with the password\s+\S+/)
})

test.runIf(inject('postgres') === '')('files the server writes are readable only by its user, even in an existing folder', async () => {
  const { env } = await makeInstallation({ withoutTables: true })
  const folder = env.GATEHOUSE_DATA_DIR ?? ''
  await chmod(folder, 0o755)
  await startProcess(env).ready
  const files = await readdir(folder)
  expect(files.length).toBeGreaterThan(2)
  for (const file of files) expect([file, (await stat(join(folder, file))).mode & 0o077]).toEqual([file, 0])
})

test.runIf(inject('postgres') === '')('while another process locks the database, sign-ins get 503 and /healthz still answers', async () => {
  const { env } = await makeInstallation()
  const url = await startProcess(env).ready
  const other = new DatabaseSync(join(env.GATEHOUSE_DATA_DIR ?? '', 'gatehouse.sqlite'))
  other.exec('begin exclusive')
  const start = performance.now()
  const order: string[] = []
  const signIn = async (n: number) => {
    const response = await fetch(url + routes.getAuthTokenWithError.path, {
      method: 'POST',
      headers,
      body: JSON.stringify({ username: `nobody${n}@example.com`, password: 'x', useragent: '' }),
    })
    order.push('sign-in')
    return [response.status, response.headers.get('retry-after')]
  }
  const signIns = Promise.all([0, 1, 2, 3].map(signIn))
  await fetch(`${url}/healthz`)
  order.push('healthz')
  expect(await signIns).toEqual(Array(4).fill([503, '2']))
  expect(order[0]).toBe('healthz')
  expect(performance.now() - start).toBeLessThan(4000)
  other.exec('rollback')
  other.close()
  await expect.poll(async () => (await signIn(9))[0], { timeout: 5000 }).toBe(200)
})

test('an incomplete request does not keep the server from stopping', async () => {
  const { env, port } = await makeInstallation()
  const { child, ready, ended } = startProcess(env)
  await ready
  await startRequest(port, '{}')
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})

test.each([
  [{ GATEHOUSE_NOPE: '1' }, 'GATEHOUSE_NOPE is not a Gatehouse variable.'],
  [{ GATEHOUSE_DATA_DIR: '/proc/gatehouse' }, 'GATEHOUSE_DATA_DIR: the folder /proc/gatehouse cannot be written'],
  [{ GATEHOUSE_ADMIN_PASSWORD: 'short' }, 'GATEHOUSE_ADMIN_PASSWORD: the password needs at least 15 characters. This one has 5.'],
  [{ GATEHOUSE_ADMIN_PASSWORD: 'password1234567' }, 'GATEHOUSE_ADMIN_PASSWORD: the password is too common.'],
  [{ GATEHOUSE_BREACHED_PASSWORDS: '/nowhere' }, 'GATEHOUSE_BREACHED_PASSWORDS: /nowhere cannot be read (ENOENT).'],
  [{ GATEHOUSE_LISTEN: '192.0.2.1:8080' }, 'GATEHOUSE_LISTEN: 192.0.2.1 is not an address of this machine.'],
])('refuses to start with %j and prints one clear message', async (env, sentence) => {
  const { ended, output } = startProcess({ ...(await makeInstallation()).env, ...env })
  expect(await ended).toBe(1)
  expect(output.stderr).toContain(`Gatehouse cannot start:\n  ${sentence}`)
  expect(output.stderr.trim().split('\n')).toHaveLength(2)
  expect(output.stdout).toBe('')
})

/** A request whose headers have arrived and whose body has not been sent. */
const startRequest = async (port: number, body: string, path = routes.getAuthTokenWithError.path) => {
  const sent = request({
    port,
    path,
    method: 'POST',
    headers: { ...headers, expect: '100-continue', 'content-length': Buffer.byteLength(body) },
  })
  sent.flushHeaders()
  await new Promise((resolve, reject) => sent.once('continue', resolve).on('error', reject))
  return async () => {
    sent.end(body)
    const [response] = await once(sent, 'response')
    response.resume()
    return Number(response.statusCode)
  }
}

test('a stopping server answers pending requests before it closes the database', async () => {
  const { env, port, inDatabase } = await makeInstallation()
  const { child, ready, ended, output } = startProcess(env)
  await ready
  const finish = await Promise.all(
    Array.from({ length: 12 }, () => startRequest(port, JSON.stringify({ code: 'AAAA-AAAA' }), routes.magiclinkCode.path)),
  )
  child.kill('SIGTERM')
  while (!output.stderr.includes('stopping')) await new Promise(resolve => setTimeout(resolve, 5))
  // The requests wait for a lock. Sign-ins would wait too long on a busy machine: hash threads have the lowest priority.
  const answers = await inDatabase(db =>
    db.transaction().execute(async tx => {
      if (inject('postgres') !== '') await sql`lock table mail_links in access exclusive mode`.execute(tx)
      const pending = Promise.all(finish.map(go => go()))
      await new Promise(resolve => setTimeout(resolve, 200))
      return { pending }
    }),
  )
  expect(await answers.pending).toEqual(Array(12).fill(200))
  expect(await ended).toBe(0)
  expect(output.stderr).not.toContain('"level":"error"')
})

test('the command line and a running server share the database', async () => {
  const { env } = await makeInstallation()
  const server = startProcess(env)
  const url = await server.ready
  expect((await runCli(env, ['user', 'add', 'ada@example.com'], 'correct horse battery\n')).code).toBe(0)
  const signIn = async () =>
    (
      await fetch(url + routes.getAuthTokenWithError.path, {
        method: 'POST',
        headers,
        body: JSON.stringify({ username: 'ada@example.com', password: 'correct horse battery', useragent: '' }),
      })
    ).json()
  expect(await signIn()).toMatchObject({ tag: 'AuthSuccessful' })
  expect((await runCli(env, ['user', 'force-reset', 'ada@example.com'])).code).toBe(0)
  expect(await signIn()).toEqual({ tag: 'AuthFailureForcedReset' })
})
