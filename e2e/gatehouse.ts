import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { freePort } from '../packages/server/test/free-port.ts'
import { test as base } from './console.ts'

const packages = join(import.meta.dirname, '../packages')

export const admin = { username: 'admin@example.com', password: 'correct horse battery staple' }

/** A server of its own for each test, as a process on a fresh data folder, with one administrator. */
export type Gatehouse = {
  url: string
  dataDir: string
  env: Record<string, string>
  log: () => string
  printedPassword: () => string
  cli: (...args: string[]) => Promise<void>
  userId: (username: string) => Promise<string>
  stop: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
  start: () => Promise<void>
}

const run = (file: string, args: string[], env: Record<string, string>): ChildProcess =>
  spawn(process.execPath, [join(packages, 'server/src', file), ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

export const test = base.extend<{
  settings: Record<string, string>
  gatehouse: Gatehouse
}>({
  settings: [{}, { option: true }],

  gatehouse: async ({ settings }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-e2e-'))
    const port = await freePort()
    const env = {
      GATEHOUSE_DATA_DIR: dataDir,
      GATEHOUSE_LISTEN: `127.0.0.1:${port}`,
      GATEHOUSE_ADMIN_PASSWORD: admin.password,
      GATEHOUSE_SECOND_FACTOR: 'off',
      ...settings,
    }
    let child: ChildProcess | undefined
    let log = ''
    let printed = ''
    const start = () =>
      new Promise<void>((resolve, reject) => {
        child = run('main.ts', [], env)
        child.stdout?.on('data', chunk => {
          printed += chunk
          if (printed.includes('Gatehouse is ready')) resolve()
        })
        child.stderr?.on('data', chunk => (log += chunk))
        child.on('exit', code => reject(new Error(`the server ended with ${code}: ${log}`)))
      })
    const stop = async (signal: 'SIGTERM' | 'SIGKILL') => {
      const going = child
      if (!going || going.exitCode !== null || going.signalCode !== null) return
      const gone = new Promise(resolve => going.on('close', resolve))
      going.kill(signal)
      await gone
    }
    const runCli = (...args: string[]) =>
      new Promise<string>((resolve, reject) => {
        const cli = run('cli.ts', args, env)
        let said = ''
        cli.stdout?.on('data', chunk => (said += chunk))
        cli.on('close', code => (code === 0 ? resolve(said) : reject(new Error(`cli ${args.join(' ')} ended with ${code}`))))
      })
    const cli = async (...args: string[]) => void (await runCli(...args))
    const userId = async (username: string) => {
      const users = (await runCli('user', 'list')).split('\n').map(line => line.split('  '))
      const [id] = users.find(([, name]) => name === username) ?? []
      if (!id) throw new Error(`there is no ${username}`)
      return id
    }
    await start()
    await use({
      url: `http://localhost:${port}`,
      dataDir,
      env,
      log: () => log,
      printedPassword: () => /with the password\s+(\S+)/.exec(printed)?.[1] ?? '',
      cli,
      userId,
      stop,
      start,
    })
    await stop('SIGTERM')
    await rm(dataDir, { recursive: true })
  },

  baseURL: async ({ gatehouse }, use) => use(gatehouse.url),
})

export { expect } from './console.ts'

/** The parts of the sign-in page, found as a person or an assistive device finds them. */
export const signInPage = (page: Page) => ({
  email: page.getByLabel('Email'),
  password: page.getByLabel('Password', { exact: true }),
  /** The primary button, whatever its label says at the moment. */
  button: page.locator('form button[type=submit]'),
  error: page.locator('form').getByRole('alert'),
  signIn: async (who = admin) => {
    await page.getByLabel('Email').fill(who.username)
    await page.getByLabel('Password', { exact: true }).fill(who.password)
    await page.locator('form button[type=submit]').click()
  },
})
