import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../packages/server/test/support/free-port.ts'
import { test as base, expect } from './console.ts'
import { admin, signInPage } from './gatehouse.ts'
import { copyProject, linkPackages } from './project-copy.ts'

/** `npm run dev` in a copy of the project, in its own process group. */
const startDev = async (folder: string, command: [string, ...string[]], more: Record<string, string> = {}) => {
  const port = await freePort()
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    GATEHOUSE_DATA_DIR: join(folder, 'data'),
    GATEHOUSE_LISTEN: `127.0.0.1:${port}`,
    ...more,
  }
  const child = spawn(command[0], command.slice(1), { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  await expect.poll(() => output, { timeout: 60_000 }).toContain('Ctrl+C ends both')
  return { child, url: `http://${env.GATEHOUSE_LISTEN?.replace('127.0.0.1', 'localhost')}` }
}

/** Other processes with the folder in their command line. */
const processesOf = async (folder: string) => {
  const child = spawn('ps', ['-eo', 'args'], { stdio: ['ignore', 'pipe', 'inherit'] })
  let list = ''
  for await (const chunk of child.stdout) list += chunk
  return list.split('\n').filter(line => line.includes(folder))
}

/** For changes that restart the server. While other tests run, a restart can exceed the default `expect` timeout of five seconds. */
const afterRestart = { timeout: 30_000 }

const killGroup = ({ pid }: ChildProcess, signal: NodeJS.Signals) => {
  try {
    if (pid) process.kill(-pid, signal)
  } catch {
    // The process has already ended.
  }
}

const test = base.extend<{ copy: string }>({
  // Vite and React print these on every page in development.
  noise: /^debug: \[vite\]|React DevTools/,

  // biome-ignore lint/correctness/noEmptyPattern: Playwright demands a pattern
  copy: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-dev-'))
    await copyProject(folder)
    await linkPackages(folder)
    await use(folder)
    await rm(folder, { recursive: true, force: true })
  },
})

/** Replaces a text in the only source file of the copy that contains it. */
const createEdit = (copy: string) => async (folder: string, from: string, to: string) => {
  const files = (await readdir(join(copy, folder), { recursive: true })).filter(name => /(?<!\.test)\.(tsx?|css)$/.test(name))
  const texts = await Promise.all(files.map(async name => ({ name, text: await readFile(join(copy, folder, name), 'utf8') })))
  const [found, ...more] = texts.filter(({ text }) => text.includes(from))
  if (!found) throw new Error(`no file in ${folder} contains ${from}`)
  expect(more.map(({ name }) => name)).toEqual([])
  // Replace the file in one step, as editors do. On a busy machine, Vite could read a file that is still empty, and reload the page.
  const written = join(copy, 'written')
  await writeFile(written, found.text.replace(from, to))
  await rename(written, join(copy, folder, found.name))
}

test.describe('@long', () => {
  test.setTimeout(180_000)

  test('npm run dev shows a change of a style, a component and the server without a manual reload', async ({
    copy,
    page,
    consoleLines,
  }) => {
    const edit = createEdit(copy)
    const { child, url } = await startDev(copy, ['npm', 'run', 'dev'])
    try {
      await page.goto(url)
      const button = page.getByRole('button', { name: 'Sign in', exact: true })
      await page.waitForLoadState('networkidle')
      await page.getByLabel('Email').fill('half-typed@example.com')

      await edit('packages', '.primary {', '.primary { outline-color: rgb(1, 2, 3);')
      await expect(button).toHaveCSS('outline-color', 'rgb(1, 2, 3)')
      await edit('packages', '<div className={styles.head} data-part="logo">', '<div data-changed className={styles.head}>')
      await expect(page.locator('div[data-changed]')).toBeVisible()
      await expect(page.getByLabel('Email')).toHaveValue('half-typed@example.com')
      await edit('packages', "forgotPassword: 'Forgot your password?'", "forgotPassword: 'A changed text'")
      await expect(page.getByText('A changed text')).toBeVisible(afterRestart)

      await page.goto(`${url}/nowhere`)
      await expect(page.getByText('Page not found')).toBeVisible()
      await edit('packages/server/src/texts', "'Page not found'", "'An empty address'")
      await expect(page.getByText('An empty address')).toBeVisible(afterRestart)
      await edit('packages/portal/src/server-pages', '<p>{text}</p>', '<p data-changed>{text}</p>')
      await expect(page.locator('p[data-changed]')).toBeVisible(afterRestart)

      // This address returns 404 each time, which Chromium reports.
      consoleLines.splice(0, consoleLines.length, ...consoleLines.filter(line => !line.includes('404')))
    } finally {
      // Vite's client reports the end of the server in every open page.
      await page.goto('about:blank')
      killGroup(child, 'SIGKILL')
    }
  })

  test('npm run dev refuses a malformed GATEHOUSE_LISTEN in one sentence', async ({ copy }) => {
    const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', GATEHOUSE_DATA_DIR: join(copy, 'data') }
    const settings = { ...env, GATEHOUSE_LISTEN: 'localhost:http' }
    const child = spawn('npm', ['run', 'dev'], { cwd: copy, env: settings, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
    try {
      await expect.poll(() => child.exitCode, { timeout: 60_000 }).toBe(1)
      expect(output).toContain('Gatehouse cannot start: GATEHOUSE_LISTEN must be host:port, for example 127.0.0.1:8080.')
    } finally {
      killGroup(child, 'SIGKILL')
    }
  })

  test('npm run dev leaves no process behind when it ends, is stopped or is killed', async ({ copy }) => {
    const setup: [string, ...string[]] = ['node', 'scripts/setup.mjs', 'dev']
    for (const [how, command, kill] of [
      ['Ctrl+C', ['npm', 'run', 'dev'], child => killGroup(child, 'SIGINT')],
      ['npm is killed', ['npm', 'run', 'dev'], child => child.kill('SIGKILL')],
      ['set-up is killed', setup, child => child.kill('SIGKILL')],
      ['set-up is told to end', setup, child => child.kill('SIGTERM')],
    ] satisfies [string, [string, ...string[]], (child: ChildProcess) => unknown][]) {
      const { child } = await startDev(copy, command)
      expect(await processesOf(copy), how).not.toEqual([])
      kill(child)
      await expect.poll(() => processesOf(copy), { message: how, timeout: 30_000 }).toEqual([])
      killGroup(child, 'SIGKILL')
    }
  })

  test('npm run dev works below a path and under the content security policy', async ({ copy, page }) => {
    const port = await freePort()
    const { child, url } = await startDev(copy, ['npm', 'run', 'dev'], {
      GATEHOUSE_LISTEN: `127.0.0.1:${port}`,
      GATEHOUSE_PUBLIC_URL: `http://localhost:${port}/sign-in`,
      GATEHOUSE_ADMIN_PASSWORD: admin.password,
      GATEHOUSE_SECOND_FACTOR: 'off',
    })
    try {
      await page.goto(`${url}/sign-in/`)
      await page.waitForLoadState('networkidle')
      await signInPage(page).signIn()
      await expect(page).toHaveURL(`${url}/sign-in/account`)
      await page.goto(`${url}/sign-in/administration`)
      await expect(page.getByRole('heading', { name: 'Sign-ins', exact: true })).toBeVisible()
      await page.goto(`${url}/sign-in/mail`)
      await expect(page.getByRole('heading', { name: 'Development mailbox' })).toBeVisible()
    } finally {
      // Vite's client reports the end of the server in every open page.
      await page.goto('about:blank')
      killGroup(child, 'SIGKILL')
    }
  })
})
