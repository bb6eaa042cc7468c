import { isTextFunction } from '../../src/text.ts'
import type { CatalogModule } from '../text-modules.ts'

/** A text of an English catalog. */
export type EnglishText = {
  part: string
  /** Where it is in the translation's file, such as `['signIn', 'login', 'email']`. */
  path: readonly string[]
  source: string
  /** The values that a translation can use. */
  names: readonly string[]
}

/** `signIn.login.email` */
export const keyOf = (path: readonly string[]) => path.join('.')

/** Imports the catalogs. A group of texts that two parts share belongs to the first of them. */
export const readEnglishTexts = async (parts: Readonly<Record<string, CatalogModule>>): Promise<EnglishText[]> => {
  const texts: EnglishText[] = []
  const seen = new Set<unknown>()

  const read = (part: string, path: readonly string[], value: unknown) => {
    if (typeof value === 'string') texts.push({ part, path, source: value, names: [] })
    else if (isTextFunction(value)) texts.push({ part, path, source: value.source, names: value.names })
    else if (typeof value !== 'object' || value === null) throw new TypeError(`${keyOf(path)} is no text. Make it with text()`)
    else if (!seen.has(value)) {
      for (const [key, item] of Object.entries(value)) read(part, [...path, key], item)
      // Within one catalog, two keys may share a group. A translation has texts for both keys.
      groups.push(value)
    }
  }

  const groups: object[] = []
  for (const [part, { file, name }] of Object.entries(parts)) {
    const { [name]: catalog } = await import(file)
    if (!catalog) throw new Error(`${file} exports no ${name}`)
    read(part, [part], catalog)
    for (const group of groups.splice(0)) seen.add(group)
  }
  return texts
}
