import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { routes } from '@gatehouse/wire'
import { expect, inject, onTestFinished, test } from 'vitest'
import { minutes, seconds } from '../../src/limits.ts'
import { deploymentOf } from '../credentials/deployment.ts'
import { freePort } from '../support/free-port.ts'
import { makeInstallation, startProcess } from './processes.ts'

const root = join(import.meta.dirname, '../../../..')
const nginx = [process.env.GATEHOUSE_TEST_NGINX, join(root, '.tools/debian/usr/sbin/nginx'), '/usr/sbin/nginx'].find(
  path => path && existsSync(path),
)
const admin = { username: 'admin@example.com', password: 'a password for restarts' }

/** nginx with the upstream of docs/operating.md, in front of servers on these ports. */
const startNginx = async (ports: readonly number[]) => {
  const [, documented = ''] =
    /```nginx\n(upstream gatehouse \{[\s\S]+?)```/.exec(readFileSync(join(root, 'docs/operating.md'), 'utf8')) ?? []
  let next = 0
  const port = await freePort()
  const recipe = documented
    .replace(/10\.0\.0\.\d+:8080/g, () => `127.0.0.1:${ports[next++]}`)
    .replace('server {', `server {\n    listen 127.0.0.1:${port};`)
    // Each sign-in comes from a different address, as if from different visitors.
    .replace('proxy_http_version', 'proxy_set_header X-Forwarded-For $remote_addr;\n        proxy_http_version')
  expect(next).toBe(3)
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-nginx-'))
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${folder}/${name};`)
  const main = ['daemon off; worker_processes 2;', `pid ${folder}/pid; events {} http { access_log off;`, ...paths, recipe, '}']
  await writeFile(join(folder, 'nginx.conf'), main.join('\n'))
  const env = { ...process.env, LD_LIBRARY_PATH: process.env.GATEHOUSE_TEST_LIBRARIES ?? '' }
  const child = spawn(nginx ?? '', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], { env })
  let said = ''
  child.stderr.on('data', chunk => (said += chunk))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await once(child, 'close')
    await rm(folder, { recursive: true })
  })
  return { port, said: () => said }
}

const signIn = async (port: number, username: string, localAddress: string): Promise<string> => {
  const headers = { 'content-type': 'application/json' }
  const path = routes.getAuthTokenWithError.path
  const sent = request({ port, host: '127.0.0.1', localAddress, method: 'POST', path, headers, agent: false })
  sent.end(JSON.stringify({ username, password: admin.password, useragent: '' }))
  const [response]: [IncomingMessage] = (await once(sent, 'response')) as [IncomingMessage]
  let body = ''
  for await (const chunk of response) body += chunk
  const wait = Number(response.headers['retry-after'] ?? 0)
  // While servers start, the machine is busy and a server may ask the client to retry. Retry as the page does.
  if (response.statusCode === 503 && wait > 0) {
    await setTimeout(seconds(wait))
    return signIn(port, username, localAddress)
  }
  return response.statusCode === 200 ? JSON.parse(body).tag : `${response.statusCode} ${body.slice(0, 100)}`
}

test.runIf(inject('postgres') !== '' && nginx !== undefined)(
  'RX-7: none of 4,000 sign-ins through nginx fails while three servers are restarted one after the other',
  { timeout: minutes(20) },
  async () => {
    const installation = await makeInstallation()
    const ports = await Promise.all([freePort(), freePort(), freePort()])
    const { GATEHOUSE_DRAIN: _, ...defaults } = installation.env
    const env = { ...defaults, GATEHOUSE_ADMIN_PASSWORD: admin.password }
    const start = (port: number) => startProcess({ ...env, GATEHOUSE_LISTEN: `127.0.0.1:${port}` })
    const servers = ports.map(start)
    await Promise.all(servers.map(server => server.ready))
    const front = await startNginx(ports)
    await expect.poll(() => signIn(front.port, admin.username, '127.0.0.1').catch(() => '')).toBe('AuthSuccessful')

    // Attempts on one account are counted before they are checked: many at once would lock it.
    const deployment = await deploymentOf([], installation)
    const users = Array.from({ length: 60 }, (_, n) => `user${n}@example.com`)
    for (const username of users) await deployment.addUser({ ...admin, username })

    let left = 4000
    const outcomes = new Map<string, number>()
    const visit = async () => {
      while (left-- > 0) {
        const address = `127.${1 + Math.floor(Math.random() * 200)}.${Math.floor(Math.random() * 250)}.1`
        const user = users[left % users.length] ?? ''
        const outcome = await signIn(front.port, user, address).catch(error => String(error.code))
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        await setTimeout(Math.random() * 200)
      }
    }
    const visits = Promise.all(Array.from({ length: 16 }, visit))
    let restarts = 0
    while (left > 0) {
      const at = restarts++ % 3
      servers[at]?.child.kill('SIGTERM')
      expect(await servers[at]?.ended).toBe(0)
      const again = start(ports[at] ?? 0)
      servers[at] = again
      await again.ready
    }
    await visits
    expect([Object.fromEntries(outcomes), front.said()]).toEqual([{ AuthSuccessful: 4000 }, expect.anything()])
    expect(restarts).toBeGreaterThan(3)
  },
)
