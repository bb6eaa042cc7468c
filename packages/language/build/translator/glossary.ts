import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a glossary's header says about a language. Languages without a glossary have no rules of this kind. */
export type Rules = {
  /** Quotation marks and apostrophes that the language uses. */
  quotes?: string
  /** Marks that need a special space before them, as in French. */
  spaced?: string
  /** Western marks that must not follow letters of the language, and the marks that replace them. */
  instead: ReadonlyMap<string, string>
  /** Marks that come in pairs, such as `¿?`. */
  paired: readonly string[]
  /** English texts that may stay unchanged in the translation. */
  same: ReadonlySet<string>
}

const folder = join(import.meta.dirname, '../../glossary')

export const glossaryFile = (tag: string) => `packages/language/glossary/${tag}.md`

export const readRules = (tag: string): Rules => {
  const file = join(folder, `${tag}.md`)
  return rulesOf(existsSync(file) ? readFileSync(file, 'utf8') : '')
}

/** @param glossary a document that begins with lines `name: values` between two lines `---` */
export const rulesOf = (glossary: string): Rules => {
  const [, header = ''] = /^---\n([\s\S]*?)\n---\n/.exec(glossary) ?? []
  const given = new Map(header.split('\n').map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]))
  const listed = (name: string, separator: RegExp) => given.get(name)?.split(separator).filter(Boolean) ?? []
  const quotes = given.get('quotes')
  const spaced = given.get('spaced')
  return {
    ...(quotes !== undefined && { quotes }),
    ...(spaced !== undefined && { spaced }),
    instead: new Map(listed('instead', / /).map(pair => [pair.slice(0, 1), pair.slice(1)])),
    paired: listed('paired', / /),
    same: new Set(listed('same', /\s*,\s*/)),
  }
}
