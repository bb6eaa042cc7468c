import { deriveAccentColors, rgbOf } from '@gatehouse/wire/accent'
import type { Page } from '@playwright/test'
import { axeOn, wcag } from './axe.ts'
import { colorsOf } from './colors.ts'
import { expect, test } from './wire.ts'
import type { WireServer } from './wire-server.ts'

const at = '/host/index.html'

/** A host page without a bundler, under our policy, which allows no style attribute in HTML. */
const serveHost = (wire: WireServer, accent: string, root = '<div id="root"></div>') => {
  wire.serve(
    '/host/start.js',
    `try { Gatehouse.mountSignIn('root', { accent: Gatehouse.deriveAccent(${JSON.stringify(accent)}) }) } catch (error) { document.title = String(error) }`,
  )
  wire.serve(
    at,
    `<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/page/gatehouse-sign-in.css">
     <main>${root}</main><script src="/page/gatehouse-sign-in.js"></script><script src="start.js"></script></html>`,
  )
}

const rgb = (hex: string) => `rgb(${rgbOf(hex).join(', ')})`
const shown = async (page: Page) => {
  const { 'primary button': button } = await colorsOf(page)
  const link = await page.getByRole('button', { name: 'Forgot your password?' }).evaluate(element => getComputedStyle(element).color)
  return [button?.background, button?.color, button?.border, link]
}
const expected = (accent: string, theme: 'light' | 'dark') => {
  const { fill, on, edge, link } = deriveAccentColors(rgbOf(accent))[theme]
  return [fill, on, edge, link].map(rgb)
}

test('the widget derives its colors from every notation of a color, in both themes', { tag: '@long' }, async ({ page, wire }) => {
  // axe checks eight pages, so this test needs more time than the default.
  test.setTimeout(120_000)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const [notation, hex] of [
    ['#0b6b5d', '#0b6b5d'],
    ['teal', '#008080'],
    ['hsl(48deg 100% 50%)', '#ffcc00'],
    ['color(display-p3 1 0 0)', '#ff0000'],
  ] as const) {
    serveHost(wire, notation)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.goto(at)
      await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
      expect(await shown(page), notation).toEqual(expected(hex, colorScheme))
      const { violations } = await (await axeOn(page)).include('[data-gatehouse]').withTags(wcag).analyze()
      expect(
        violations.map(({ id, nodes }) => [id, nodes.map(node => node.html)]),
        notation,
      ).toEqual([])
    }
  }
})

test('an accent follows a theme that the host page forces', async ({ page, wire }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  serveHost(wire, '#5b2a86', '<div data-gatehouse-theme="dark"><div id="root"></div></div>')
  await page.goto(at)
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  expect(await shown(page)).toEqual(expected('#5b2a86', 'dark'))
})

test('refuses a value that is not an opaque color', async ({ page, wire }) => {
  for (const accent of ['bleu', 'transparent', 'rgb(0 0 0 / 50%)', 'currentColor', 'red; color: blue']) {
    serveHost(wire, accent)
    await page.goto(at)
    await expect(page).toHaveTitle(`TypeError: deriveAccent: '${accent}' is not an opaque CSS color`)
  }
})
