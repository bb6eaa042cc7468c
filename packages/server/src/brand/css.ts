import { createRequire } from 'node:module'
import type { Rgb } from '@gatehouse/wire/accent'
import type * as lightningcss from 'lightningcss'

/** Loaded only for a brand with an accent or a style sheet, so other servers save the memory and the loading time. */
const css = (): typeof lightningcss => createRequire(import.meta.url)('lightningcss')

/** Chrome 60 knows only sRGB colors, so the parser converts all others to sRGB. */
const oldBrowser = { chrome: 60 << 16 }

/** Reads a CSS color that is opaque and the same on every page: `teal`, `#0b6b5d`, `oklch(0.5 0.1 180)`. */
export const parseCssColor = (text: string): Rgb | undefined => {
  if (text.length > 200 || !/^[\w\s#().,%/+-]+$/.test(text) || /\bvar\(|light-dark/i.test(text)) return undefined
  const { transform } = css()
  const converted = tryTo(() => transform({ filename: 'accent.css', code: Buffer.from(`a{color:${text}}`), targets: oldBrowser }))
  const colors: unknown[] = []
  const visitor = { Color: (color: unknown) => void colors.push(color) }
  if (converted) tryTo(() => transform({ filename: 'accent.css', code: Buffer.from(converted.code), visitor }))
  // If the color is outside sRGB, the parser writes the sRGB color for older browsers first.
  const { type, r, g, b, alpha } = Object(colors[0])
  return type === 'rgb' && alpha === 1 ? [Number(r), Number(g), Number(b)] : undefined
}

type Load = { placeholder: string; name: string; line: number }

/** Reads the operator's style sheet. A problem is the end of a sentence that begins with the file's path. */
export const readStyleSheet = (bytes: Buffer): { text: string; loads: Load[]; problems: string[] } => {
  const { transform } = css()
  try {
    const { code, dependencies } = transform({ filename: 'brand.css', code: bytes, minify: true, analyzeDependencies: true })
    const problems: string[] = []
    const loads: Load[] = []
    let text = Buffer.from(code).toString()
    for (const dependency of dependencies ?? []) {
      if (dependency.type !== 'url' && dependency.type !== 'import') continue
      const { type, url, placeholder, loc } = dependency
      const { line } = loc.start
      if (type === 'import') problems.push(`, line ${line} imports ${url}; put its rules into this file`)
      // Pages may show pictures that the style sheet itself contains.
      else if (/^(data:image\/|#)/.test(url)) text = text.replaceAll(placeholder, url)
      else if (/^([a-z][a-z\d+.-]*:|\/\/)/i.test(url.trim()))
        problems.push(`, line ${line} loads ${url.slice(0, 60)}; pages load files of this folder only`)
      else loads.push({ placeholder, name: url.replace(/^\.\//, ''), line })
    }
    // Keeps text in the style sheet from ending the style element.
    return { text: text.replaceAll('</', '<\\/'), loads, problems }
  } catch (error) {
    const { message, loc } = Object(error)
    return { text: '', loads: [], problems: [`${loc ? `, line ${loc.line}` : ''}: ${message}`] }
  }
}

const tryTo = <Result>(work: () => Result): Result | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}
