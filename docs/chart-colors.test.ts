import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { looks } from '../packages/portal/src/administration/look.ts'

const css = readFileSync(join(import.meta.dirname, '../packages/portal/src/administration/board.module.css'), 'utf8')
/** The colors of a look on a light and on a dark card. */
const colorsOf = (look: string): [string, string] => {
  const [, light = '', dark = ''] = new RegExp(`\\.look${look} \\{\\s*color: light-dark\\((#\\w{6}), (#\\w{6})\\);`).exec(css) ?? []
  return [light, dark]
}
const channels = (color: string) => [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16))
const luminance = (color: string) => {
  const [r = 0, g = 0, b = 0] = channels(color)
    .map(value => value / 255)
    .map(value => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const contrast = (one: string, other: string) => {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}
/** The distance between two colors in sRGB, from 0 to 442. */
const distance = (one: string, other: string) => {
  const to = channels(other)
  return Math.hypot(...channels(one).map((value, index) => value - (to[index] ?? 0)))
}

it.each([
  ['light', 0, '#ffffff'],
  ['dark', 1, '#141820'],
] as const)('gives each result and each method a different color on a %s card, at 3 : 1 or more', (_, theme, card) => {
  const colors = looks.map(look => [look, colorsOf(look)[theme]] as const)
  for (const [look, color] of colors) expect([look, contrast(color, card) >= 3]).toEqual([look, true])
  for (const [look, color] of colors)
    for (const [other, another] of colors)
      if (look !== other) expect([look, other, distance(color, another) > 20]).toEqual([look, other, true])
})
