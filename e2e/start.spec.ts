import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { freePort } from '../packages/server/test/support/free-port.ts'

const root = join(import.meta.dirname, '..')

/** Runs `npm start`, or the script behind it, with a data folder, on a free port. */
const npmStart = async (dataDir: string, command: [string, ...string[]] = ['npm', 'start']) => {
  const port = await freePort()
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    GATEHOUSE_DATA_DIR: dataDir,
    GATEHOUSE_LISTEN: `127.0.0.1:${port}`,
  }
  const child = spawn(command[0], command.slice(1), { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  child.stderr.on('data', chunk => (output += chunk))
  await expect.poll(() => output, { timeout: 60_000 }).toContain('Gatehouse is ready')
  return { child, output: () => output, url: `http://localhost:${port}` }
}

const isUp = (url: string) =>
  fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  )

const killAll = (child: ChildProcess) => {
  try {
    if (child.pid) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

let dataDir = ''
test.beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-start-'))
})
test.afterEach(() => rm(dataDir, { recursive: true, force: true }))

test('npm start prints the password once, and a second start keeps the data', async () => {
  test.setTimeout(120_000)
  const first = await npmStart(dataDir)
  expect(first.output()).toMatch(/with the password\s+([2-9a-z]{5}-){3}[2-9a-z]{5}\s+\(shown only once\)/)
  expect(first.output()).toContain('Sign in as           admin@example.com')
  // Ctrl+C in a terminal signals the whole process group.
  if (first.child.pid) process.kill(-first.child.pid, 'SIGINT')
  await expect.poll(() => isUp(first.url), { timeout: 15_000 }).toBe(false)
  const second = await npmStart(dataDir)
  expect(second.output()).not.toContain('with the password')
  killAll(second.child)
})

test('the server stops when npm start is terminated or killed', { tag: '@long' }, async () => {
  test.setTimeout(120_000)
  for (const [signal, command] of [
    ['SIGTERM', ['npm', 'start']],
    ['SIGKILL', ['npm', 'start']],
    ['SIGKILL', ['node', 'scripts/setup.mjs', 'start']],
  ] as const) {
    const { child, url } = await npmStart(dataDir, [...command])
    expect(await isUp(url)).toBe(true)
    child.kill(signal)
    await expect.poll(() => isUp(url), { timeout: 15_000 }).toBe(false)
    killAll(child)
  }
})
