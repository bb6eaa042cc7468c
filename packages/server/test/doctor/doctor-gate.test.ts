import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { ask } from '../../src/doctor/ask.ts'
import { makeInstallation, startProcess } from '../processes/processes.ts'
import { freePort } from '../support/free-port.ts'
import { admin, runDoctor } from './run-doctor.ts'

const onPostgres = inject('postgres') !== ''

const listen = async (port: number, listener: RequestListener) => {
  const server = createServer(listener)
  await once(server.listen(port, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
}

/** Starts a proxy that asks Gatehouse and returns the status, the redirect and the proof of its answer. */
const startProxy = (port: number, gatehouse: string) =>
  listen(port, async (request, response) => {
    const headers = {
      'x-forwarded-proto': 'http',
      'x-forwarded-host': `localhost:${port}`,
      'x-forwarded-uri': request.url ?? '',
      'x-forwarded-method': request.method ?? '',
      'x-forwarded-for': '127.0.0.1',
      'gatehouse-probe': String(request.headers['gatehouse-probe']),
      accept: String(request.headers.accept),
    }
    const answer = await ask(`${gatehouse}/auth/forward`, headers)
    const { location, 'gatehouse-probe': proof } = answer.headers
    response.writeHead(answer.status, { ...(location && { location }), ...(proof && { 'gatehouse-probe': proof }) }).end(answer.body)
  })

/** Writes rules for two applications into a file. The test protects `right` and leaves `open` without a check. */
const start = async (rulesFor: (right: string, open: string) => string, more: Record<string, string> = {}) => {
  const { env: bare } = await makeInstallation()
  const [right, open] = [await freePort(), await freePort()]
  const file = join(bare.GATEHOUSE_DATA_DIR ?? '', 'rules.yaml')
  const [rightOrigin, openOrigin] = [`http://localhost:${right}`, `http://localhost:${open}`]
  await writeFile(file, rulesFor(rightOrigin, openOrigin))
  const env = { ...bare, GATEHOUSE_ADMIN_PASSWORD: admin.password, GATEHOUSE_RULES: file, ...more }
  return { env, file, right: rightOrigin, open: openOrigin, ports: { right, open } }
}

test('doctor reports the rules, the keys of the signed identity, and an open door', async () => {
  const { env, file, right, open, ports } = await start(
    (right, open) =>
      `rules:\n  - { to: ['${right}/*', '${open}/*'], allow: users }\n  - { to: ['${right}/x/*', '${open}/x/*'], deny: true }\n`,
    { GATEHOUSE_OPEN_DOOR_ALARM: 'on' },
  )
  const server = startProcess(env)
  await startProxy(ports.right, await server.ready)
  await listen(ports.open, (_, response) => response.end('a dashboard'))
  const { code, of } = await runDoctor(env)
  expect(of('rules')).toEqual([`ok: ${file} has 2 rules and no problem.`, expect.stringMatching(/^warning: .*rules\.yaml:3:\d+: .*rule 1/)])
  expect(of('identity keys')).toEqual([
    expect.stringMatching(/^ok: http:\/\/\S+\/\.well-known\/jwks\.json has the key for the signed identity\.$/),
  ])
  expect(of('open doors')).toEqual(
    expect.arrayContaining([
      `ok: ${right} refuses requests without a sign-in.`,
      expect.stringMatching(new RegExp(`^problem: ${open}/.*: .* 200`)),
    ]),
  )
  expect([of('outage grace'), code]).toEqual([[], 1])
})

test('doctor reports every problem of a rules file with its line and column', async () => {
  const { env, file } = await start(right => `rules:\n  - { to: '${right}/*', allow: admins }\n  - { to: x, deny: true }\n`)
  const { code, of } = await runDoctor(env)
  expect([code, of('rules')]).toEqual([
    1,
    [expect.stringMatching(`^problem: ${file}:2:\\d+: ‘admins’ must be`), expect.stringMatching(`^problem: ${file}:3:11: ‘x’ must begin`)],
  ])
})

test('doctor warns if applications cannot load the keys of the signed identity', async () => {
  const { env } = await start(right => `rules: [{ to: '${right}/*', allow: users }]\n`)
  const gatehouse = await startProcess(env).ready
  const front = await freePort()
  // A proxy that forwards everything except /.well-known/.
  await listen(front, async (request, response) => {
    if (request.url?.startsWith('/.well-known/')) return void response.writeHead(404).end()
    const { status, headers, body } = await ask(gatehouse + request.url, { accept: String(request.headers.accept) })
    response.writeHead(status, { 'content-type': String(headers['content-type']) }).end(body)
  })
  const { of } = await runDoctor({ ...env, GATEHOUSE_PUBLIC_URL: `http://localhost:${front}` })
  expect(of('identity keys')).toEqual([
    `warning: http://localhost:${front}/.well-known/jwks.json answers 404 without a key for the signed identity. Configure the proxy to forward this path to Gatehouse; otherwise applications cannot verify Gatehouse-Assertion.`,
  ])
})

test.runIf(onPostgres)('doctor reports which checks pass while the database is unreachable', async () => {
  const { env } = await start(right => `rules: [{ to: '${right}/*', allow: users }]\n`, { GATEHOUSE_OUTAGE_GRACE: '300' })
  expect((await runDoctor(env)).of('outage grace')).toEqual([
    'ok: While PostgreSQL is unreachable, checks of recently used sessions pass for up to 300 seconds (GATEHOUSE_OUTAGE_GRACE).',
  ])
})
