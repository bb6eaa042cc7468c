import { createRequire } from 'node:module'
import type { Rgb } from '@gatehouse/wire/accent'
import type * as lightningcss from 'lightningcss'

/** Loaded with the first brand that has an accent or a style sheet: other servers save 7 MB and 40 ms. */
const css = (): typeof lightningcss => createRequire(import.meta.url)('lightningcss')

/** Before colors other than sRGB's: the parser converts them. */
const oldBrowser = { chrome: 60 << 16 }

/** Reads any CSS color that names one opaque color, whatever the page: `teal`, `#0b6b5d`, `oklch(0.5 0.1 180)`. */
export const parseCssColor = (text: string): Rgb | undefined => {
  if (text.length > 200 || !/^[\w\s#().,%/+-]+$/.test(text) || /\bvar\(|light-dark/i.test(text)) return undefined
  const { transform } = css()
  const converted = tryTo(() => transform({ filename: 'accent.css', code: Buffer.from(`a{color:${text}}`), targets: oldBrowser }))
  const colors: unknown[] = []
  const visitor = { Color: (color: unknown) => void colors.push(color) }
  if (converted) tryTo(() => transform({ filename: 'accent.css', code: Buffer.from(converted.code), visitor }))
  // Where the color is not one of sRGB's, the one for older browsers comes first.
  const { type, r, g, b, alpha } = Object(colors[0])
  return type === 'rgb' && alpha === 1 ? [Number(r), Number(g), Number(b)] : undefined
}

const tryTo = <Result>(work: () => Result): Result | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}
