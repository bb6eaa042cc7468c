import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { chromium, chromiumFlags } from './chromium.ts'
import { packInto } from './packed-package.ts'

// An embedder installs the packed server and @gatehouse/testing, and runs the recipes of docs/testing-your-app.md as they are written.

const exec = promisify(execFile)
const root = join(import.meta.dirname, '..')

/** The environment of an embedder, without what this test run has set. */
const env = () => {
  const { NODE_COMPILE_CACHE: _, NODE_OPTIONS: __, FORCE_COLOR: ___, NODE_ENV: ____, ...own } = process.env
  return { ...own, PATH: [dirname(process.execPath), own.PATH ?? ''].join(delimiter), CI: '1', NO_COLOR: '1' }
}

/** Starts and stops a server with three users many times, and prints the milliseconds of each start. */
const starts = `
import { startGatehouse } from '@gatehouse/testing'
const users = [{ email: 'ada@example.com', secondFactor: 'totp' }, { email: 'grace@example.com', passkey: true }, { email: 'admin@example.com', administrator: true }]
const times = []
for (let i = 0; i < 20; i++) {
  const before = performance.now()
  const gatehouse = await startGatehouse({ users })
  times.push(performance.now() - before)
  await gatehouse.stop()
}
console.log(JSON.stringify(times))
`

test.describe('@long @alone', () => {
  test.describe.configure({ mode: 'default', timeout: 400_000 })
  let folder = ''
  const run = (file: string, args: string[]) => exec(file, args, { cwd: folder, env: env(), maxBuffer: 2 ** 24 })
  /** Returns what one of the embedder's tools printed, even if the tool failed. */
  const tool = (path: string, ...args: string[]): Promise<{ stdout: string }> =>
    run(process.execPath, [join(folder, 'node_modules', path), ...args]).catch((error: { stdout: string }) => error)

  test.beforeAll(async () => {
    test.setTimeout(400_000)
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-testing-example-'))
    await cp(join(root, 'examples/testing'), folder, { recursive: true, filter: source => !/node_modules|\.tgz$/.test(source) })
    await packInto(folder, 'testing')
    await exec(process.execPath, ['scripts/setup.mjs', 'package', 'server'], { cwd: root })
    await run('npm', ['pack', join(root, 'packages/server/dist'), '--ignore-scripts', '--loglevel=error'])
    await run('npm', ['install', '--prefer-offline', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'])
  })
  test.afterAll(() => rm(folder, { recursive: true, force: true }))

  test('the recipe for Vitest passes, even in worker threads', async () => {
    for (const pool of ['forks', 'threads']) {
      const { stdout } = await tool('vitest/vitest.mjs', 'run', '--dir', 'vitest', `--pool=${pool}`)
      expect(stdout).toMatch(/Tests {2}1 passed \(1\)/)
    }
  })

  test('the recipes for Playwright pass', async () => {
    // The machine's own browser, in place of the one that Playwright downloads.
    const launchOptions = JSON.stringify({ executablePath: chromium, args: chromiumFlags })
    const file = join(folder, 'playwright.config.ts')
    const config = await readFile(file, 'utf8')
    await writeFile(file, config.replace("testDir: 'playwright'", `testDir: 'playwright', use: { launchOptions: ${launchOptions} }`))
    const { stdout } = await tool('@playwright/test/cli.js', 'test', '--reporter=list')
    expect(stdout).toMatch(/\b4 passed\b/)
  })

  test('a server with three users starts in less than two seconds', async () => {
    await writeFile(join(folder, 'starts.mjs'), starts)
    const { stdout } = await run(process.execPath, ['starts.mjs'])
    const times: number[] = JSON.parse(stdout).sort((a: number, b: number) => a - b)
    // Use the median, because other programs may occupy the processor for a while.
    expect(times).toHaveLength(20)
    expect(times[10]).toBeLessThan(2000)
  })

  test('the package’s types accept a Playwright page and reject an unknown option', async () => {
    const wrong = `import { startGatehouse } from '@gatehouse/testing'
import type { Page } from '@playwright/test'
export const check = async (page: Page) => {
  const gatehouse = await startGatehouse({ users: [{ email: 'ada@example.com', secondFactor: 'totp' }] })
  await gatehouse.addPasskeyTo(page, 'ada@example.com')
  await page.context().addCookies((await gatehouse.signIn('ada@example.com')).cookies)
  // @ts-expect-error
  await startGatehouse({ users: [{ email: 'ada@example.com', admin: true }] })
}
`
    await writeFile(join(folder, 'types.ts'), wrong)
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'esnext', ...types]
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = await run(process.execPath, [tsc, ...options, 'types.ts']).catch((error: { stdout: string }) => error)
    expect(stdout).toBe('')
  })
})
