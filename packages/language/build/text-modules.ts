import type { Plugin } from 'vite'
import { isTextFunction } from '../src/text.ts'
import { allLanguages, readTranslations, type Translation } from './translations.ts'

/**
 * An English catalog: its module, and the name of the export. The build imports the module to read
 * the names of placeholders.
 */
export type CatalogModule = { file: string; name: string }

/** The prefix of the modules' names. */
const prefix = 'gatehouse:'

/**
 * Modules that contain the texts of one part in one language, so that a page loads no other:
 * - `gatehouse:texts/<part>/<tag>` exports `texts`, the catalog
 * - `gatehouse:texts/<part>` exports `loadTexts`, which imports one of them: `loadTexts(tag)`. After a failure, it can be called again
 * - `gatehouse:languages` exports `languages`, the tags and names of all languages
 * @param parts the English catalogs, by the key that translations give them
 */
export const textModules = (parts: Readonly<Record<string, CatalogModule>>): Plugin => ({
  name: 'gatehouse-texts',
  resolveId: id => (id.startsWith(prefix) ? `\0${id}` : undefined),
  load: async id => {
    if (!id.startsWith(`\0${prefix}`)) return undefined
    const [kind, part = '', tag] = id.slice(prefix.length + 1).split('/')
    if (kind === 'languages') return `export const languages = ${JSON.stringify(allLanguages())}`
    const catalog = parts[part]
    if (kind !== 'texts' || !catalog) throw new Error(`no module ${id.slice(1)}`)
    if (tag === undefined) return loaderOf(part)
    if (tag === 'en') return `export { ${catalog.name} as texts } from ${JSON.stringify(catalog.file)}`
    const translation = readTranslations().find(({ language }) => language.tag === tag)
    if (!translation) throw new Error(`no translation ${tag}`)
    const { [catalog.name]: english } = await import(catalog.file)
    return moduleOf(english, translation, part)
  },
})

const loaderOf = (part: string) => {
  const imports = allLanguages().map(
    ({ tag }) => `${JSON.stringify(tag)}: retriable(() => import(${JSON.stringify(`${prefix}texts/${part}/${tag}`)}))`,
  )
  return `import { retriable } from '@gatehouse/ui/loading/retriable.ts'
const modules = { ${imports.join(', ')} }
export const loadTexts = async tag => (await (modules[tag] ?? modules.en)()).texts`
}

const moduleOf = (english: object, translation: Translation, part: string) => `import { textIn } from '@gatehouse/language/text.ts'
const text = textIn(${JSON.stringify(translation.language.tag)})
export const texts = ${written(english, translation[part])}`

/** The catalog as a JavaScript expression. Texts that the translation lacks stay English. */
const written = (english: unknown, given: unknown): string => {
  const own = (words: string) => JSON.stringify(typeof given === 'string' ? given : words)
  if (typeof english === 'string') return own(english)
  if (isTextFunction(english)) return `text(${[own(english.source), ...english.names.map(name => JSON.stringify(name))].join(', ')})`
  if (Array.isArray(english)) return `[${english.map((item, index) => written(item, at(given, index))).join(', ')}]`
  const entries = Object.entries(english ?? {}).map(([key, value]) => `${JSON.stringify(key)}: ${written(value, at(given, key))}`)
  return `{ ${entries.join(', ')} }`
}

const at = (value: unknown, key: string | number): unknown =>
  typeof value === 'object' && value !== null && key in value ? Reflect.get(value, key) : undefined
