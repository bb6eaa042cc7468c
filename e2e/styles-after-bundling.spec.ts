import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { build, type Rolldown } from 'vite'
import { colorsOf, primary } from './colors.ts'
import { expect, test } from './wire.ts'
import type { WireServer } from './wire-server.ts'

// Bundlers rewrite CSS for the oldest browsers that a project supports. The widget must keep its colors.
const sheet = join(import.meta.dirname, '../packages/sign-in/dist/page/gatehouse-sign-in.css')

/** The style sheet after a production build of Vite, minified with Lightning CSS for these browsers. */
const bundled = async (target: string | string[]) => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-styles-'))
  try {
    await writeFile(join(folder, 'entry.js'), `import ${JSON.stringify(sheet)}`)
    const result = await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      build: { write: false, target, cssMinify: 'lightningcss', rolldownOptions: { input: join(folder, 'entry.js') } },
    })
    const { output } = result as Rolldown.RolldownOutput
    const css = output.find(({ fileName }) => fileName.endsWith('.css'))
    if (css?.type !== 'asset') throw new Error('no style sheet was built')
    return String(css.source)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const targets = {
  "Vite's own targets": 'baseline-widely-available',
  'browsers of 2021 @long': ['chrome91', 'edge91', 'firefox90', 'safari14.1'],
}

const serve = (
  wire: WireServer,
  { css, root = '', container = '', host = '' }: { css: string; root?: string; container?: string; host?: string },
) => {
  wire.serve('/styled/widget.css', css)
  wire.serve('/styled/host.css', host)
  wire.serve('/styled/start.js', "Gatehouse.mountSignIn('#root')")
  wire.serve(
    '/styled/index.html',
    `<!doctype html><html lang="en" ${root}><title>Host</title><link rel="icon" href="data:,"><link rel="stylesheet" href="widget.css"><link rel="stylesheet" href="host.css">
     <div id="root" ${container}></div><script src="/page/gatehouse-sign-in.js"></script><script src="start.js"></script></html>`,
  )
}

/** The colors of the login page with an error, and of a dark toast, which is dark in both themes. */
const colors = async (page: Page) => {
  await page.goto('/styled/index.html')
  await page.locator('[data-gatehouse] button[type=submit]').click()
  await expect(page.getByText('Enter your email address.')).toBeVisible()
  await page.evaluate(() => {
    const toast = document.createElement('div')
    toast.className = 'gatehouse-toast Toastify__toast Toastify__toast-theme--dark'
    toast.append('Toast')
    document.querySelector('[data-gatehouse]')?.append(toast)
  })
  await page.mouse.move(0, 0)
  return colorsOf(page)
}

const theme = (name: string) => `data-gatehouse-theme="${name}"`

/** The elements on which a host page can force a theme. Without one, the system's theme applies. */
const cases = [
  { says: 'nothing', holds: 'system' },
  { says: 'light on the root element', root: theme('light'), holds: 'light' },
  { says: 'dark on the root element', root: theme('dark'), holds: 'dark' },
  { says: 'light on the container', container: theme('light'), holds: 'light' },
  { says: 'dark on the container', container: theme('dark'), holds: 'dark' },
  { says: 'dark on the root element, light on the container', root: theme('dark'), container: theme('light'), holds: 'light' },
  { says: 'light on the root element, dark on the container', root: theme('light'), container: theme('dark'), holds: 'dark' },
] as const

/** The reference: the style sheet as shipped, in a browser with that system theme. */
const shippedColors = async (page: Page, wire: WireServer, is: 'light' | 'dark') => {
  await page.emulateMedia({ colorScheme: is, reducedMotion: 'reduce' })
  serve(wire, { css: '@import url(/page/gatehouse-sign-in.css)' })
  const seen = await colors(page)
  expect(seen).toMatchObject(primary[is])
  return seen
}

for (const [name, target] of Object.entries(targets)) {
  test(`the widget keeps its colors and themes when a bundler rewrites its styles for ${name}`, async ({ page, wire }) => {
    test.setTimeout(90_000)
    const css = await bundled(target)
    expect(css.match(/light-dark\(|var\(--lightningcss-(light|dark)/g)).toBeNull()
    const shipped = { light: await shippedColors(page, wire, 'light'), dark: await shippedColors(page, wire, 'dark') }
    for (const system of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: system, reducedMotion: 'reduce' })
      for (const { says, holds, ...attributes } of cases) {
        serve(wire, { css, ...attributes })
        expect(await colors(page), `on a ${system} system the host says ${says}`).toEqual(shipped[holds === 'system' ? system : holds])
      }
    }
  })

  test(`a host's own colors win in both themes when a bundler rewrites the styles for ${name}`, async ({ page, wire }) => {
    const css = await bundled(target)
    const host =
      ':root { color-scheme: light dark; --gatehouse-accent: rgb(1, 2, 3); --gatehouse-text: light-dark(rgb(4, 5, 6), rgb(7, 8, 9)) }'
    for (const is of ['light', 'dark'] as const) {
      for (const attributes of [{}, { root: theme(is) }, { container: theme(is) }]) {
        const isForced = 'root' in attributes || 'container' in attributes
        await page.emulateMedia({ colorScheme: isForced ? 'light' : is, reducedMotion: 'reduce' })
        serve(wire, { css, host, ...attributes })
        const { 'primary button': button, text } = await colors(page)
        expect(button).toMatchObject({ background: 'rgb(1, 2, 3)' })
        expect(text).toMatchObject({ color: is === 'light' ? 'rgb(4, 5, 6)' : 'rgb(7, 8, 9)' })
      }
    }
  })
}
