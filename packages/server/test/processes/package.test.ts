import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { routes } from '@gatehouse/wire'
import { expect, onTestFinished, test } from 'vitest'
import { environment } from '../support/environment.ts'
import { freePort } from '../support/free-port.ts'

// The package as `npm run check` has built it. e2e/release.spec.ts installs it in an empty folder.
const dist = join(import.meta.dirname, '../../dist')
const command = join(dist, 'bin/gatehouse.cjs')

const gatehouse = (args: string[], before: string[] = []) =>
  promisify(execFile)(process.execPath, [...before, command, ...args], { env: environment({}) }).catch(error => error)

const makeFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-package-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('the built package starts, keeps its process ID, hashes passwords on threads, and stops', async () => {
  const [folder, port] = [await makeFolder(), await freePort()]
  const password = 'correct horse battery'
  const env = environment({
    GATEHOUSE_DATA_DIR: folder,
    GATEHOUSE_LISTEN: `127.0.0.1:${port}`,
    GATEHOUSE_SECOND_FACTOR: 'off',
    GATEHOUSE_ADMIN_PASSWORD: password,
    GATEHOUSE_ACCENT: 'teal',
    GATEHOUSE_DRAIN: '0',
  })
  const server = spawn(process.execPath, [command, 'start'], { env, cwd: folder })
  onTestFinished(() => void server.kill('SIGKILL'))
  const ended = new Promise(resolve => server.on('close', resolve))
  let output = ''
  for (const stream of [server.stdout, server.stderr]) stream.on('data', chunk => (output += chunk))
  await expect.poll(() => output).toContain('Gatehouse is ready')
  expect(output).not.toContain('Warning')
  if (process.platform === 'linux') expect(await readFile(`/proc/${server.pid}/cmdline`, 'utf8')).toContain('--max-semi-space-size=8')
  const url = `http://localhost:${port}`
  const page = await (await fetch(`${url}/`)).text()
  const [, script = ''] = /<script[^>]+src="([^"]+)"/.exec(page) ?? []
  expect((await fetch(new URL(script, `${url}/`))).status).toBe(200)
  const response = await fetch(url + routes.getAuthTokenWithError.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ username: 'admin@example.com', password, useragent: '' }),
  })
  expect(await response.json()).toMatchObject({ tag: 'AuthSuccessful' })
  server.kill('SIGTERM')
  expect(await ended).toBe(0)
})

test('the built package checks passwords and names its command in messages', async () => {
  const folder = await makeFolder()
  const add = (password: string) =>
    new Promise<string>(resolve => {
      const child = spawn(process.execPath, [command, 'user', 'add', 'ada@example.com'], {
        env: environment({ GATEHOUSE_DATA_DIR: folder }),
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
      child.on('close', () => resolve(output))
      child.stdin.end(`${password}\n`)
    })
  expect(await add('password12345678')).toContain('too common')
  expect(await add('correct horse battery')).toContain('Added ada@example.com')
  const { version } = JSON.parse(await readFile(join(dist, 'package.json'), 'utf8'))
  expect(await gatehouse(['version'])).toMatchObject({ stdout: expect.stringMatching(new RegExp(`^gatehouse ${version} `)), stderr: '' })
  expect(await gatehouse(['--help'])).toMatchObject({ stdout: expect.stringMatching(/^Usage: gatehouse COMMAND\n/), stderr: '' })
  expect(await gatehouse(['usr'])).toMatchObject({ code: 1, stderr: expect.stringContaining('gatehouse --help lists the commands.') })
})

test('refuses to start on an older Node, with a one-sentence message', async () => {
  const preload = join(await makeFolder(), 'older.cjs')
  for (const old of ['24.8.9', '22.20.0', '9.11.2']) {
    await writeFile(preload, `Object.defineProperty(process.versions, 'node', { value: '${old}' })`)
    expect(await gatehouse(['start'], ['--require', preload])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `Gatehouse needs Node 24.9 or later, and this is Node ${old}. Install Node 24 from https://nodejs.org/.\n`,
    })
  }
})

test('the package depends on no build tool, and carries the licenses of what it bundles', async () => {
  const manifest = JSON.parse(await readFile(join(dist, 'package.json'), 'utf8'))
  expect(Object.keys(manifest.dependencies)).toEqual(['@node-rs/argon2', 'lightningcss', 'piscina', 'saxes'])
  expect(manifest).toMatchObject({ bin: { gatehouse: 'bin/gatehouse.cjs' }, engines: { node: '>=24.9' } })
  expect(manifest).not.toHaveProperty('devDependencies')
  const licenses = await readFile(join(dist, 'LICENSES.txt'), 'utf8')
  for (const library of ['fastify', 'kysely', 'pg', 'react-dom', 'chart.js']) expect(licenses).toMatch(new RegExp(`^${library} \\d`, 'm'))
  expect(licenses).toContain('Permission is hereby granted')
  expect(existsSync(join(dist, 'server/pages/client'))).toBe(true)
})
