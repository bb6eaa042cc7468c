import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { BrandFile, BrandFiles, Picture } from './brand.ts'
import { readStyleSheet } from './css.ts'
import { readSvg } from './svg.ts'

const kib = 1024
/** The maximum sizes in bytes. `picture`: the logos and the favicon. `styles`: brand.css. `file`: all other files. */
const largest = { picture: 48 * kib, styles: 64 * kib, file: 2048 * kib }

/** The type for each file extension, and the bytes that such a file begins with. */
const formats: Record<string, { type: string; begins: RegExp }> = {
  png: { type: 'image/png', begins: /^\x89PNG\r\n/ },
  webp: { type: 'image/webp', begins: /^RIFF[\s\S]{4}WEBP/ },
  avif: { type: 'image/avif', begins: /^[\s\S]{4}ftyp(avif|avis|mif1)/ },
  jpg: { type: 'image/jpeg', begins: /^\xff\xd8\xff/ },
  woff2: { type: 'font/woff2', begins: /^wOF2/ },
}

const backgrounds = ['background.svg', 'background.webp', 'background.avif']
const fixedNames = ['logo.svg', 'logo-dark.svg', 'favicon.svg', 'icon.png', ...backgrounds, 'brand.css']

/**
 * Reads the folder of a brand.
 * @param problem receives the file and the problem, as the end of a sentence that begins with the file's path
 */
export const readBrandFiles = (folder: string, problem: (path: string, sentence: string) => void): BrandFiles => {
  const names = list(folder, problem)
  const complain = (name: string, sentence: string) => {
    problem(join(folder, name), sentence)
    return undefined
  }

  const bytesOf = (name: string, most: number): Buffer | undefined => {
    if (!names.includes(name)) return undefined
    try {
      const { size } = statSync(join(folder, name))
      if (size > most) return complain(name, ` has ${Math.ceil(size / kib)} KiB; at most ${most / kib} are possible`)
      return readFileSync(join(folder, name))
    } catch (error) {
      return complain(name, ` cannot be read (${codeOf(error)})`)
    }
  }

  const svg = (name: string, most = largest.picture): Picture | undefined => {
    const bytes = bytesOf(name, most)
    const size = bytes && readSvg(bytes)
    if (typeof size === 'string') return complain(name, ` ${size}`)
    return bytes && size && { name, type: 'image/svg+xml', bytes, ...size }
  }

  /** A file that pages load: a picture or a font. */
  const loaded = (name: string): BrandFile | undefined => {
    const extension = /\.(\w+)$/.exec(name)?.[1] ?? ''
    if (extension === 'svg') return svg(name, largest.file)
    const bytes = bytesOf(name, largest.file)
    const format = formats[extension]
    if (!bytes || !format) return undefined
    if (!format.begins.test(bytes.subarray(0, 16).toString('latin1')))
      return complain(name, ` is not ${extension === 'avif' ? 'an' : 'a'} ${extension.toUpperCase()} file`)
    return { name, type: format.type, bytes }
  }

  const icon = (): Picture | undefined => {
    const file = loaded('icon.png')
    if (!file) return undefined
    const [width, height] = file.bytes.length < 24 ? [0, 0] : [file.bytes.readUInt32BE(16), file.bytes.readUInt32BE(20)]
    if (width === height && width >= 512) return { ...file, width, height }
    return complain('icon.png', ` must be square and at least 512 px wide; it has ${width} × ${height} px`)
  }

  const background = (): BrandFile | undefined => {
    const [first, second] = backgrounds.filter(name => names.includes(name))
    if (first && second) return complain(second, `: ${first} exists as well; keep one of them`)
    return first ? loaded(first) : undefined
  }

  const wanted = new Set(fixedNames)
  const styles = () => {
    const bytes = bytesOf('brand.css', largest.styles)
    const read = bytes && readStyleSheet(bytes)
    if (!read) return undefined
    for (const sentence of read.problems) complain('brand.css', sentence)
    const loads = read.loads.flatMap(({ placeholder, name, line }) => {
      wanted.add(name)
      const known = /^[\w-]+\.(svg|png|webp|avif|jpg|woff2)$/.test(name)
      if (known && names.includes(name)) {
        const file = loaded(name)
        return file ? [{ placeholder, file }] : []
      }
      const why = known ? 'which is not in this folder' : 'which is not an .svg, .png, .webp, .avif, .jpg or .woff2 file of this folder'
      complain('brand.css', `, line ${line} loads ${name}, ${why}`)
      return []
    })
    return { text: read.text, loads }
  }

  const [logo, logoDark, favicon] = [svg('logo.svg'), svg('logo-dark.svg'), svg('favicon.svg')]
  if (names.includes('logo-dark.svg') && !names.includes('logo.svg'))
    complain('logo-dark.svg', ' replaces logo.svg in the dark theme, which is missing')
  const files = { logo, logoDark, favicon, icon: icon(), background: background(), styles: styles() }
  for (const name of names) {
    if (wanted.has(name) || /^\.|\.(md|txt)$/.test(name)) continue
    complain(name, ` is not a file of a brand (${fixedNames.join(', ')}), and brand.css does not load it`)
  }
  return Object.fromEntries(Object.entries(files).filter(([, file]) => file !== undefined))
}

const list = (folder: string, problem: (path: string, sentence: string) => void): string[] => {
  try {
    return readdirSync(folder).sort()
  } catch (error) {
    problem(folder, ` cannot be read (${codeOf(error)})`)
    return []
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error)
