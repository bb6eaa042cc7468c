import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { environment } from '../packages/server/test/support/environment.ts'
import { freePort } from '../packages/server/test/support/free-port.ts'
import { commandArguments, serverArguments } from '../packages/server/test/support/program.ts'
import { test as base } from './console.ts'

export const admin = { username: 'admin@example.com', password: 'correct horse battery staple' }

/** A server process with a new data folder and one administrator. Each test has its own. */
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

const run = (args: string[], env: Record<string, string>) =>
  spawn(process.execPath, args, {
    env: environment({ GATEHOUSE_DRAIN: '0', ...env }),
    stdio: 'pipe',
  })

/** A server process, and the command line with the same settings. */
export const createServerProcess = (env: Record<string, string>) => {
  let child: ChildProcess | undefined
  let log = ''
  let printed = ''
  const start = () =>
    new Promise<void>((resolve, reject) => {
      child = run(serverArguments, env)
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
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => child?.kill(name)
  /** Runs a command with `input`, such as passwords, on standard input. Returns its output and exit code. */
  const command = (args: string[], input = '', more: Record<string, string> = {}) =>
    new Promise<{ code: number | null; said: string }>(resolve => {
      const cli = run([...commandArguments, ...args], { ...env, ...more })
      let said = ''
      for (const stream of [cli.stdout, cli.stderr]) stream.on('data', chunk => (said += chunk))
      cli.stdin.end(input)
      cli.on('close', code => resolve({ code, said }))
    })
  const cli = async (...args: string[]) => {
    const { code, said } = await command(args)
    if (code !== 0) throw new Error(`cli ${args.join(' ')} ended with ${code}: ${said}`)
    return said
  }
  return { start, stop, signal, command, cli, log: () => log, printed: () => printed }
}

/** The settings of a server that only this machine reaches. */
const usual = async (dataDir: string) => ({
  GATEHOUSE_DATA_DIR: dataDir,
  GATEHOUSE_LISTEN: `127.0.0.1:${await freePort()}`,
  GATEHOUSE_ADMIN_PASSWORD: admin.password,
  GATEHOUSE_SECOND_FACTOR: 'off',
})

/** Settings that decide what the first start writes. */
const ofFirstStart = ['GATEHOUSE_ADMINS', 'GATEHOUSE_ADMIN_PASSWORD', 'GATEHOUSE_DATABASE_URL', 'GATEHOUSE_MASTER_KEY']

export const test = base.extend<
  { settings: Record<string, string>; gatehouse: Gatehouse },
  { copyStarted: (settings: Record<string, string>, dataDir: string) => Promise<void> }
>({
  settings: [{}, { option: true }],

  /** Copies the data folder of a server that has started once, because a first start takes twice the processor time of a later one. */
  copyStarted: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that this one uses from its pattern
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'gatehouse-started-'))
      let started: Promise<void> | undefined
      const start = async () => {
        const server = createServerProcess(await usual(folder))
        await server.start()
        await server.stop('SIGTERM')
      }
      await use(async (settings, dataDir) => {
        if (ofFirstStart.some(name => name in settings)) return
        started ??= start()
        await started
        await cp(folder, dataDir, { recursive: true })
      })
      await rm(folder, { recursive: true })
    },
    { scope: 'worker' },
  ],

  gatehouse: async ({ settings, copyStarted }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-e2e-'))
    await copyStarted(settings, dataDir)
    const env = { ...(await usual(dataDir)), ...settings }
    const server = createServerProcess(env)
    const userId = async (username: string) => {
      const users = (await server.cli('user', 'list')).split('\n').map(line => line.split('  '))
      const [id] = users.find(([, name]) => name === username) ?? []
      if (!id) throw new Error(`there is no ${username}`)
      return id
    }
    await server.start()
    await use({
      url: `http://localhost:${/\d+$/.exec(env.GATEHOUSE_LISTEN)?.[0]}`,
      dataDir,
      env,
      log: server.log,
      printedPassword: () => /with the password\s+(\S+)/.exec(server.printed())?.[1] ?? '',
      cli: async (...args) => void (await server.cli(...args)),
      userId,
      stop: server.stop,
      start: server.start,
    })
    await server.stop('SIGTERM')
    await rm(dataDir, { recursive: true })
  },

  baseURL: async ({ gatehouse }, use) => use(gatehouse.url),
})

export { expect } from './console.ts'

/** The parts of the sign-in page, found by label and role as users find them. */
export const signInPage = (page: Page) => {
  const parts = {
    // By role, because the account page has a section that is labeled 'Email and password'.
    email: page.getByRole('textbox', { name: 'Email' }),
    password: page.getByLabel('Password', { exact: true }),
    /** The primary button, whatever its current label. */
    button: page.locator('main form button[type=submit]:not([form])'),
    error: page.locator('form').getByRole('alert'),
  }
  const signIn = async (who = admin) => {
    await parts.email.fill(who.username)
    await parts.password.fill(who.password)
    await parts.button.click()
  }
  return { ...parts, signIn }
}
