import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { colorsOf, primary } from './colors.ts'
import { everyHost, type Host, hostWithReact18 } from './embedding-hosts.ts'
import { ada, expect, test } from './wire.ts'

// Builds applications with other frameworks and the packed widget. npm fetches the newest version of each, unless the host names one.
const root = join(import.meta.dirname, '..')
const run = promisify(execFile)
const quiet = { NEXT_TELEMETRY_DISABLED: '1', CI: '1' }

const npm = (args: string[], cwd: string) =>
  run('npm', [...args, '--loglevel=error', '--no-audit', '--no-fund'], { cwd, shell: process.platform === 'win32' })

let folder = ''
let packed = ''

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-hosts-'))
  await npm(['pack', '--ignore-scripts', '--workspace', 'packages/sign-in', '--pack-destination', folder], root)
  packed = join(folder, (await readdir(folder)).find(name => name.endsWith('.tgz')) ?? '')
})

test.afterAll(() => rm(folder, { recursive: true, force: true }))

/** Installs and builds the application. Returns the folder with its pages, and the installed versions. */
const build = async ({ packages, react, files, build: [program, ...args], output }: Host) => {
  const home = await mkdtemp(join(folder, 'host-'))
  const all = { 'package.json': JSON.stringify({ name: 'host', private: true, type: 'module' }), ...files }
  for (const [name, text] of Object.entries(all)) {
    await mkdir(dirname(join(home, name)), { recursive: true })
    await writeFile(join(home, name), text)
  }
  // The widget's peer dependency excludes React 18, so force npm to install it.
  await npm(['install', '--prefer-offline', '--legacy-peer-deps', packed, `react@${react}`, `react-dom@${react}`, ...packages], home)
  const { stdout } = await npm(['ls', '--json', '--depth=0'], home).catch((error: { stdout: string }) => error)
  const { dependencies } = JSON.parse(stdout) as { dependencies: Record<string, { version: string }> }
  await run(process.execPath, [join(home, 'node_modules', program), ...args], {
    cwd: home,
    env: { ...process.env, ...quiet, NODE_ENV: 'production' },
  })
  return { pages: join(home, output), versions: Object.entries(dependencies).map(([name, { version }]) => `${name} ${version}`) }
}

const styleSheets = async (pages: string) => {
  const names = (await readdir(pages, { recursive: true })).filter(name => name.endsWith('.css'))
  return Promise.all(names.map(name => readFile(join(pages, name), 'utf8')))
}

test.describe('@long', () => {
  test.describe.configure({ timeout: 600_000 })

  for (const [name, host] of everyHost) {
    test(`an application built with ${name} shows the widget in its colors, and users can sign in`, async ({ page, wire }) => {
      const { pages, versions } = await build(host)
      test.info().annotations.push({ type: 'versions', description: versions.join(', ') })
      expect((await styleSheets(pages)).join('').match(/var\(--lightningcss-|light-dark\(/g)).toBeNull()
      wire.serveApplication(host.at, pages, host.index)
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await page.goto(host.at)
      await expect(page.getByLabel('Email', { exact: true })).toBeVisible()
      const force = (where: string, theme: string | undefined) =>
        page.locator(where).evaluate((element, theme) => {
          if (theme) element.setAttribute('data-gatehouse-theme', theme)
          else element.removeAttribute('data-gatehouse-theme')
        }, theme)
      for (const system of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: system, reducedMotion: 'reduce' })
        expect(await colorsOf(page), `on a ${system} system`).toMatchObject(primary[system])
        for (const forced of ['light', 'dark'] as const) {
          for (const where of ['html', '#root']) {
            await force(where, forced)
            expect(await colorsOf(page), `on a ${system} system, ${forced} on ${where}`).toMatchObject(primary[forced])
            await force(where, undefined)
          }
        }
      }

      await page.getByLabel('Email').fill(ada.username)
      await page.getByLabel('Password', { exact: true }).fill(ada.password)
      await page.getByLabel('Password', { exact: true }).press('Enter')
      await expect(page).toHaveURL(/\/auth\/page\/plow\/wq3S0bX9r2m1Yd7K\//)
    })
  }

  test('an application with React 18 gets one error that names React 19 and the version it has', async ({ page, wire, consoleLines }) => {
    const { pages } = await build(hostWithReact18)
    wire.serveApplication(hostWithReact18.at, pages)
    await page.goto(hostWithReact18.at)
    await expect.poll(() => consoleLines.length).toBe(1)
    const [line] = consoleLines.splice(0)
    expect(line).toMatch(
      /^error: Gatehouse: sign-in needs React 19 or later, but this page uses React 18\.\d+\.\d+; sign-in is not mounted$/,
    )
    expect(await page.locator('#root').innerHTML()).toBe('')
  })
})
