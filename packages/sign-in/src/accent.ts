import { accentProperties, deriveAccentColors, type Rgb, rgbOf } from '@gatehouse/wire/accent'

/** An interface, because TypeScript then shows its name in the error for a plain color. */
interface ResultOfDeriveAccent {
  readonly [property: `--gatehouse-${string}`]: string
}

/** The colors that follow from one accent, as custom properties. Made by {@link deriveAccent}. */
export type Accent = ResultOfDeriveAccent

/**
 * Derives the colors of buttons, links and focus rings, in both themes, from one color. Changes its lightness only as far as the contrast
 * requires: 4.5:1 for text and links, 3:1 for focus rings.
 * @param color any opaque CSS color; where there is no document, for example in a server component, `#rrggbb`
 * @throws TypeError when it is not such a color
 */
export const deriveAccent = (color: string): Accent => {
  const rgb = /^#[\da-f]{6}$/i.test(color) ? rgbOf(color) : computedColor(color)
  if (!rgb) throw new TypeError(`deriveAccent: '${color}' is not an opaque CSS color${'document' in globalThis ? '' : ' like #0b6b5d'}`)
  return accentProperties(deriveAccentColors(rgb))
}

/** Lets the browser convert the color: it computes a mix of a color with itself as `color(srgb …)`, whatever the notation. */
const computedColor = (color: string): Rgb | undefined => {
  if (!('document' in globalThis) || !CSS.supports('color', color) || /currentcolor/i.test(color)) return undefined
  const probe = document.createElement('i')
  probe.style.color = `color-mix(in srgb, ${color}, ${color})`
  document.documentElement.append(probe)
  const { color: computed } = getComputedStyle(probe)
  probe.remove()
  const [, r, g, b, alpha = '1'] = /^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)(?: \/ ([\d.e-]+))?\)$/.exec(computed) ?? []
  if (r === undefined || Number(alpha) < 1) return undefined
  const channel = (value: string | undefined) => Math.round(255 * Math.min(1, Math.max(0, Number(value))))
  return [channel(r), channel(g), channel(b)]
}
