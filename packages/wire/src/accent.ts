/** 8-bit sRGB. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** The colors of one theme that follow from an accent, as `#rrggbb`. */
export type AccentColors = {
  /** The primary button: the accent, or the closest color with enough contrast. */
  fill: string
  hover: string
  pressed: string
  /** Border of the primary button. It differs from `fill` only if `fill` resembles the card. */
  edge: string
  /** Text on `fill`, `hover` and `pressed`: at least 4.5:1. */
  on: string
  /** Links: at least 4.5:1 on every surface. */
  link: string
  /** Focus rings: at least 3:1 on every surface. */
  ring: string
}
export type Accent = { light: AccentColors; dark: AccentColors }

/** The surfaces of the themes (theme.css of packages/ui) that text, links and focus rings appear on; the card is the first. */
const surfaces = {
  light: ['#ffffff', '#f5f6f8', '#eaecf0', '#fdf2f2', '#f0f8f3', '#fcf4e2'],
  dark: ['#141820', '#0c0f14', '#0f131a', '#1a1f29', '#212733', '#2b171b', '#12241a', '#2b2312'],
} as const
type Theme = keyof typeof surfaces

const [white, ink] = ['#ffffff', '#0b0e14']

/**
 * Derives the colors of both themes from one accent. The accent changes in lightness only, and only as far as the contrasts require
 * (WCAG 2.2, 1.4.3 and 1.4.11).
 */
export const deriveAccentColors = (accent: Rgb): Accent => {
  const seed = lchOf(accent)
  return { light: colorsOf(seed, 'light'), dark: colorsOf(seed, 'dark') }
}

const colorsOf = (seed: Lch, theme: Theme): AccentColors => {
  const [card] = surfaces[theme]
  const away = theme === 'light' ? -1 : 1
  const onAll = (least: number) => hexOf(moved(seed, away, hex => surfaces[theme].every(surface => contrast(hex, surface) >= least)))
  const ring = onAll(3.1)

  // In the light theme, a fill may be close to the white card, because `edge` then borders it. In the dark theme, it needs no border.
  const seen = moved(seed, away, hex => contrast(hex, card) >= (theme === 'light' ? 1.4 : 3))
  const withWhite = contrast(white, hexOf(seen))
  // Just below 4.5, a slightly darker accent keeps the white text that people expect on it.
  const base = withWhite >= 3.4 ? moved(seen, -1, hex => contrast(white, hex) >= 4.6) : seen
  const on = withWhite >= 3.4 ? white : ink
  const step = stepOf(base, on)
  const fill = hexOf(base)
  return {
    fill,
    hover: hexOf({ ...base, l: base.l + step }),
    pressed: hexOf({ ...base, l: base.l + step * 2 }),
    edge: contrast(fill, card) >= 3 ? fill : ring,
    on,
    link: onAll(4.6),
    ring,
  }
}

/** How much lighter or darker a hovered button is: away from the text's lightness, if possible. */
const stepOf = ({ l }: Lch, on: string): number => {
  if (on === white) return l > 0.3 ? -0.05 : Math.max(0.06, 0.2 - l)
  return l < 0.88 ? 0.04 : -0.04
}

/** The first color from `from` towards black (-1) or white (1) that fits. */
const moved = (from: Lch, direction: 1 | -1, fits: (hex: string) => boolean): Lch => {
  let color = from
  while (!fits(hexOf(color)) && (direction < 0 ? color.l > 0 : color.l < 1)) color = { ...color, l: color.l + direction * 0.004 }
  return color
}

/** Contrast of two colors, 1 to 21 (WCAG 2.2). */
export const contrast = (one: string, other: string): number => {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const luminance = (hex: string): number => {
  const [r, g, b] = rgbOf(hex).map(linear)
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0)
}

/** @param hex `#rrggbb` */
export const rgbOf = (hex: string): Rgb => {
  const at = (index: number) => Number.parseInt(hex.slice(index, index + 2), 16)
  return [at(1), at(3), at(5)]
}

/** OKLCH, with the hue as cosine and sine because it never changes (Björn Ottosson, "A perceptual color space for image processing"). */
type Lch = { l: number; chroma: number; cos: number; sin: number }

const linear = (channel: number): number => {
  const value = channel / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}
const channelOf = (value: number): number => 255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055)

const lchOf = (rgb: Rgb): Lch => {
  const [r, g, b] = [linear(rgb[0]), linear(rgb[1]), linear(rgb[2])]
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short
  const bb = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short
  const chroma = Math.hypot(a, bb)
  return {
    l: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    chroma,
    cos: chroma ? a / chroma : 0,
    sin: chroma ? bb / chroma : 0,
  }
}

/** The channels of a color before rounding; outside 0 to 255 where sRGB has no such color. */
const channelsOf = ({ l, chroma, cos, sin }: Lch): number[] => {
  const [a, b] = [chroma * cos, chroma * sin]
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ].map(channelOf)
}

/** Formats a color as `#rrggbb`. Reduces the chroma of colors that sRGB does not have. */
const hexOf = (color: Lch): string => {
  const l = Math.min(1, Math.max(0, color.l))
  let { chroma } = color
  let channels = channelsOf({ ...color, l, chroma })
  while (chroma > 0 && channels.some(channel => channel < -0.5 || channel > 255.5)) {
    chroma = Math.max(0, chroma - 0.002)
    channels = channelsOf({ ...color, l, chroma })
  }
  const digits = channels.map(channel =>
    Math.round(Math.min(255, Math.max(0, channel)))
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${digits.join('')}`
}

/** The custom properties of the themes, each with both colors as one `light-dark()`. */
export const accentProperties = ({ light, dark }: Accent): Record<`--gatehouse-${string}`, string> =>
  Object.fromEntries(
    (Object.keys(properties) as (keyof AccentColors)[]).map(key => [properties[key], `light-dark(${light[key]}, ${dark[key]})`]),
  )

const properties = {
  fill: '--gatehouse-accent',
  hover: '--gatehouse-accent-hover',
  pressed: '--gatehouse-accent-pressed',
  edge: '--gatehouse-accent-edge',
  on: '--gatehouse-on-accent',
  link: '--gatehouse-link',
  ring: '--gatehouse-ring',
} as const satisfies Record<keyof AccentColors, string>
