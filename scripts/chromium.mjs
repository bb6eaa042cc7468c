// Provides Chromium for the browser tests and the benchmark of the page.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failed, root, run, step } from './steps.mjs'

const browsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const isRoot = process.getuid?.() === 0
const apt = (...args) => {
  const [program, ...before] = [...(isRoot ? [] : ['sudo', '-n']), 'apt-get']
  return run(program, [...before, ...args], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
}

/** The path of Chromium: CHROMIUM, the system's, or a download. */
export const ensureBrowser = async node => {
  const found = () => [process.env.CHROMIUM, ...browsers].find(path => path && existsSync(path))
  const before = found()
  if (before) return before
  await step('Downloading Chromium for the browser tests', async () => {
    if (existsSync('/usr/bin/apt-get')) {
      await apt('update', '-qq')
      await apt('install', '-y', '-qq', '--no-install-recommends', 'chromium')
      // Some distributions lack one of these packages.
      if (found()) await apt('install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell')
    }
    if (!found()) await run(node, [join(root, 'node_modules/playwright-core/cli.js'), 'install', 'chromium'])
  })
  const downloaded =
    found() ??
    spawnSync(node, ['-e', "process.stdout.write(require('playwright-core').chromium.executablePath())"], { cwd: root }).stdout?.toString()
  if (downloaded && existsSync(downloaded)) return downloaded
  throw new Failed('The browser tests need Chromium. Install it, or give its path: CHROMIUM=/path/to/chromium npm test')
}

const headlessShell = '/usr/bin/chromium-headless-shell'

/**
 * Adds the headless shell to an installed Debian Chromium: with the shell, tests need a third less processor time. They run
 * in the full browser if the user is not root, the network is missing, or the distribution lacks the package.
 */
const addHeadlessShell = async chromium => {
  if (existsSync(headlessShell) || chromium !== '/usr/bin/chromium' || !isRoot || !existsSync('/usr/bin/apt-get')) return
  const impatient = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=10', '-o', 'Acquire::https::Timeout=10']
  await step("Downloading Chromium's headless shell for the browser tests", async () => {
    await apt('update', '-qq', ...impatient)
    // Both packages, because they must have the same version.
    await apt('install', '-y', '-qq', '--no-install-recommends', ...impatient, 'chromium', 'chromium-headless-shell')
  })
}

/** Paths of Chromium and its headless shell for the browser tests. CHROMIUM replaces both. */
export const ensureBrowsers = async node => {
  const CHROMIUM = await ensureBrowser(node)
  if (process.env.CHROMIUM) return { CHROMIUM }
  await addHeadlessShell(CHROMIUM)
  return { CHROMIUM, ...(existsSync(headlessShell) && { CHROMIUM_HEADLESS_SHELL: headlessShell }) }
}
