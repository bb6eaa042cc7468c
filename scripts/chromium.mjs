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

/** The path of Chromium: CHROMIUM, the system's, or a download. */
export const ensureBrowser = async node => {
  const found = () => [process.env.CHROMIUM, ...browsers].find(path => path && existsSync(path))
  const before = found()
  if (before) return before
  await step('Downloading Chromium for the browser tests', async () => {
    if (existsSync('/usr/bin/apt-get')) {
      const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
      const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
      const apt = (...args) => run([...sudo, 'apt-get'][0], [...sudo, 'apt-get', ...args].slice(1), { env })
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

/** Paths of Chromium and its headless shell for the browser tests. CHROMIUM replaces both. */
export const ensureBrowsers = async node => {
  const CHROMIUM = await ensureBrowser(node)
  return { CHROMIUM, ...(!process.env.CHROMIUM && existsSync(headlessShell) && { CHROMIUM_HEADLESS_SHELL: headlessShell }) }
}
