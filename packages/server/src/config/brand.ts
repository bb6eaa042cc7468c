import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { deriveAccentColors } from '@gatehouse/wire/accent'
import type { Brand, BrandFiles, BrandLinks } from '../brand/brand.ts'
import { parseCssColor } from '../brand/css.ts'
import { readBrandFiles } from '../brand/read-files.ts'
import { readMailFrom } from './mail-from.ts'

type Reader = {
  read: (name: string) => string | undefined
  problem: (name: string, sentence: string) => void
}

const [longestName, longestNotice] = [60, 240]

/** Reads the brand. @param otherwise the name if none is set */
export const readBrand = (reader: Reader, otherwise: string, dataDir: string): Brand => ({
  name: readName(reader) ?? otherwise,
  links: readLinks(reader),
  notice: lineOf(reader, 'GATEHOUSE_NOTICE', longestNotice),
  accent: readAccent(reader),
  files: readFiles(reader, dataDir),
})

/** Reads only the brand, without the other settings of a server. Returns its problems as sentences. */
export const readBrandAlone = (environment: NodeJS.ProcessEnv): { brand: Brand; problems: string[] } => {
  const problems: string[] = []
  const reader = {
    read: (name: string) => environment[name] || undefined,
    problem: (name: string, sentence: string) => void problems.push(`${name}${sentence}.`),
  }
  const { name } = readMailFrom(reader, 'http://localhost')
  const brand = readBrand(reader, name, resolve(reader.read('GATEHOUSE_DATA_DIR') ?? './data'))
  return { brand, problems }
}

const readName = (reader: Reader): string | undefined => {
  const name = lineOf(reader, 'GATEHOUSE_NAME', longestName)
  // Without GATEHOUSE_MAIL_FROM, the mail sender gets this name (RFC 5322 §3.4).
  if (name && /[<>"\\]/.test(name)) reader.problem('GATEHOUSE_NAME', ' must not contain <, >, " or \\')
  return name
}

/** A folder that the operator names must exist; the one in the data folder need not. */
const readFiles = ({ read, problem }: Reader, dataDir: string): BrandFiles => {
  const named = read('GATEHOUSE_BRAND_DIR')
  const folder = named === undefined ? join(dataDir, 'brand') : resolve(named)
  if (named === undefined && !existsSync(folder)) return {}
  return readBrandFiles(folder, (path, sentence) => problem('GATEHOUSE_BRAND_DIR', `: ${path}${sentence}`))
}

const readAccent = ({ read, problem }: Reader) => {
  const text = read('GATEHOUSE_ACCENT')
  if (text === undefined) return undefined
  const color = parseCssColor(text)
  if (!color) problem('GATEHOUSE_ACCENT', ' must be one opaque CSS color, for example #0b6b5d, teal or oklch(0.48 0.09 180)')
  return color && deriveAccentColors(color)
}

/** Reads one line of text. Refuses control characters, including those that change the direction of text. */
const lineOf = ({ read, problem }: Reader, name: string, longest: number): string | undefined => {
  const text = read(name)?.trim()
  if (!text) return undefined
  const points = [...text].length
  if (points > longest) problem(name, ` must have at most ${longest} characters; this one has ${points}`)
  else if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(text))
    problem(name, ' must be one line of text, without control characters')
  return text
}

const readLinks = (reader: Reader): BrandLinks => {
  const [help, privacy, imprint] = ['GATEHOUSE_HELP_URL', 'GATEHOUSE_PRIVACY_URL', 'GATEHOUSE_IMPRINT_URL'].map(name =>
    linkOf(reader, name),
  )
  return { ...(help && { help }), ...(privacy && { privacy }), ...(imprint && { imprint }) }
}

/** An address that a page may link to. `javascript:` and `data:` would run in our pages. */
const linkOf = ({ read, problem }: Reader, name: string): string | undefined => {
  const text = read(name)
  if (text === undefined) return undefined
  const url = URL.parse(text)
  const isLink = url && (url.protocol === 'mailto:' ? url.pathname.includes('@') : /^https?:$/.test(url.protocol) && !url.username)
  if (isLink && !/[\s"<>\\]/.test(text)) return url.href
  problem(name, ' must be an http, https or mailto address, for example https://acme.example/help')
  return undefined
}
