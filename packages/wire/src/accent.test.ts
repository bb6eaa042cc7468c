import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type AccentColors, accentProperties, contrast, deriveAccentColors, type Rgb, rgbOf } from './accent.ts'

/** The themes of the pages, read from their style sheet. */
const themes = (() => {
  const css = readFileSync(new URL('../../ui/src/layout/theme.css', import.meta.url), 'utf8')
  const pairs = [...css.matchAll(/--gatehouse-([a-z-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => ({
      name,
      light,
      dark,
    }),
  )
  const surfaces = pairs.filter(({ name }) => /^(page|card|field|button|button-hover|button-pressed|\w+-soft)$/.test(name))
  return { light: surfaces.map(({ light }) => light), dark: surfaces.map(({ dark }) => dark) }
})()

/** Mulberry32: the same thousand colors in every run. */
const random = (() => {
  let state = 20261123
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
})()
const channel = () => Math.floor(random() * 256)
const accents: Rgb[] = [
  ...Array.from({ length: 1000 }, (): Rgb => [channel(), channel(), channel()]),
  // All grays, and colors at the edges of sRGB.
  ...Array.from({ length: 256 }, (_, grey): Rgb => [grey, grey, grey]),
  ...[0, 128, 255].flatMap(r => [0, 128, 255].flatMap(g => [0, 128, 255].map((b): Rgb => [r, g, b]))),
]

const problemsOf = (colors: AccentColors, surfaces: readonly string[], [card = '']: readonly string[]) => {
  const problems: string[] = []
  const expectContrast = (what: string, least: number, one: string, others: readonly string[]) => {
    for (const other of others) if (contrast(one, other) < least) problems.push(`${what}: ${one} on ${other} has ${contrast(one, other)}`)
  }
  expectContrast('text on the accent', 4.5, colors.on, [colors.fill, colors.hover, colors.pressed])
  expectContrast('links', 4.5, colors.link, surfaces)
  expectContrast('focus rings', 3, colors.ring, surfaces)
  expectContrast('the button’s border', 3, colors.edge, [card])
  if (new Set([colors.fill, colors.hover, colors.pressed]).size < 3) problems.push('hovered or pressed, the button looks the same')
  return problems
}

it(`reaches every required contrast in both themes for ${accents.length} accents`, () => {
  expect(themes.light.length).toBeGreaterThanOrEqual(8)
  for (const accent of accents) {
    const { light, dark } = deriveAccentColors(accent)
    expect([accent, problemsOf(light, themes.light, ['#ffffff']), problemsOf(dark, themes.dark, ['#141820'])]).toEqual([accent, [], []])
  }
})

it('keeps an accent whose contrasts are high enough', () => {
  for (const accent of ['#2f55d4', '#0b6b5d', '#a11d33', '#5b2a86', '#ffd400', '#1c1c1c'])
    expect(deriveAccentColors(rgbOf(accent)).light.fill).toBe(accent)
})

it('slightly darkens an accent that is almost dark enough for white text', () => {
  const { fill, on } = deriveAccentColors(rgbOf('#3b82f6')).light
  expect(on).toBe('#ffffff')
  expect(contrast(fill, '#3b82f6')).toBeLessThan(1.4)
})

it('gives the button dark text and a border if the accent is light', () => {
  const { on, edge, fill } = deriveAccentColors(rgbOf('#ffd400')).light
  expect([on, edge === fill]).toEqual(['#0b0e14', false])
})

it('writes both themes as custom properties', () => {
  const accent = deriveAccentColors(rgbOf('#0b6b5d'))
  expect(accentProperties(accent)).toMatchObject({
    '--gatehouse-accent': `light-dark(#0b6b5d, ${accent.dark.fill})`,
    '--gatehouse-on-accent': 'light-dark(#ffffff, #ffffff)',
  })
})
