import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkTranslation, isTag, type Problem } from './check.ts'
import { type EnglishText, keyOf } from './english-texts.ts'
import { readRules } from './glossary.ts'

const folder = join(import.meta.dirname, '../../translations')
const fileOf = (tag: string) => join(folder, `${tag}.json`)
/** The path of the file in messages. */
const nameOf = (tag: string) => `packages/language/translations/${tag}.json`

/** A mistake in the command or its arguments. */
export class UsageError extends Error {}

export const translatedTags = (): string[] =>
  readdirSync(folder)
    .filter(file => file.endsWith('.json'))
    .map(file => file.slice(0, -'.json'.length))
    .sort()

const sourceOf = (tag: string) => {
  if (!existsSync(fileOf(tag))) throw new UsageError(`There is no ${nameOf(tag)}. Begin with: npm run translate -- new ${tag}`)
  return readFileSync(fileOf(tag), 'utf8')
}

type Tree = { [key: string]: unknown }

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce((inner: unknown, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined), value)

/**
 * A translation's file in the order of the English catalogs, with English where `given` has nothing. Keys unknown to English stay, at the
 * end.
 */
export const filledFile = (texts: readonly EnglishText[], given: Tree): Tree => {
  const file: Tree = { language: given.language }
  for (const { path, source } of texts) {
    const last = path.at(-1) ?? ''
    const group = path.slice(0, -1).reduce((tree: Tree, key) => {
      const inner = tree[key]
      const next: Tree = isTree(inner) ? inner : {}
      tree[key] = next
      return next
    }, file)
    group[last] = at(given, path) ?? source
  }
  return withRest(file, given)
}

const withRest = (file: Tree, given: Tree): Tree => {
  for (const [key, value] of Object.entries(given)) {
    const own = file[key]
    if (!(key in file)) file[key] = value
    else if (isTree(own) && isTree(value)) withRest(own, value)
  }
  return file
}

const write = (tag: string, file: Tree) => {
  // Lists are groups with the keys 0, 1 and so on.
  const withLists = (_: string, value: unknown) =>
    isTree(value) && Object.keys(value).length > 0 && Object.keys(value).every((key, index) => key === String(index))
      ? Object.values(value)
      : value
  writeFileSync(fileOf(tag), `${JSON.stringify(file, withLists, 2)}\n`)
}

/** Starts a translation: writes a file with every English text. */
export const begin = (tag: string, texts: readonly EnglishText[]): string => {
  if (!isTag(tag)) throw new UsageError(`‘${tag}’ is not a BCP 47 language tag, such as nl or pt-BR`)
  if (existsSync(fileOf(tag))) throw new UsageError(`${nameOf(tag)} already exists. To add new texts: npm run translate -- fill ${tag}`)
  const name = new Intl.DisplayNames([tag], { type: 'language', languageDisplay: 'standard' }).of(tag) ?? tag
  write(tag, filledFile(texts, { language: { tag, name: name.charAt(0).toLocaleUpperCase(tag) + name.slice(1) } }))
  return `Wrote ${nameOf(tag)} with ${texts.length} English texts. Translate them, then run: npm run translate -- check ${tag}`
}

/** Adds English for the texts that a translation lacks, and sorts the file like English. */
export const fill = (tag: string, texts: readonly EnglishText[]): string => {
  const given: unknown = JSON.parse(sourceOf(tag))
  if (!isTree(given)) throw new UsageError(`${nameOf(tag)} is no JSON object`)
  const missing = texts.filter(({ path }) => at(given, path) === undefined)
  write(tag, filledFile(texts, given))
  const keys = missing.map(({ path }) => `  ${path.join('.')}`).join('\n')
  return missing.length === 0 ? `${nameOf(tag)} lacks nothing.` : `Added ${missing.length} English texts to ${nameOf(tag)}:\n${keys}`
}

/** The problems of one translation. */
export const problemsOf = (tag: string, english: readonly EnglishText[]): Problem[] =>
  checkTranslation(tag, sourceOf(tag), english, readRules(tag))

/** Returns the text that `check` prints for a translation's problems. */
export const report = (tag: string, problems: readonly Problem[], texts: readonly EnglishText[]): string => {
  const shown = problems.map(({ line, key, english, translation, problem, advice }) =>
    [
      `${nameOf(tag)}${line ? `:${line}` : ''}  ${key}`,
      ...(english === undefined ? [] : [`  English:      ${english}`]),
      ...(translation === undefined ? [] : [`  Translation:  ${translation}`]),
      `  Problem:      ${problem}`,
      `  What to do:   ${advice}`,
      '',
    ].join('\n'),
  )
  const missing = problems.filter(({ kind }) => kind === 'missing').length
  const done = texts.length - missing - problems.filter(({ problem }) => problem === 'It is still English.').length
  const share = `${done} of ${texts.length} texts are translated`
  const sum = problems.length === 0 ? 'no problems' : problems.length === 1 ? '1 problem' : `${problems.length} problems`
  return [...shown, `${tag}: ${sum}; ${share}.`].join('\n')
}

/**
 * Every text of a part beside its translation.
 * @param commentOf what the authors say about a group or a text
 */
export const list = (
  tag: string,
  part: string | undefined,
  texts: readonly EnglishText[],
  commentOf: (path: readonly string[]) => string | undefined,
): string => {
  const file: unknown = JSON.parse(sourceOf(tag))
  const shown = texts.filter(text => part === undefined || text.part === part)
  if (shown.length === 0)
    throw new UsageError(`There is no part ‘${part}’. The parts are ${[...new Set(texts.map(text => text.part))].join(', ')}`)
  const said = new Set<string>()
  const comments = (path: readonly string[]) =>
    path.flatMap((_, index) => {
      const to = path.slice(0, index + 1)
      const comment = commentOf(to)
      if (!comment || said.has(keyOf(to))) return []
      said.add(keyOf(to))
      return [`  (${index + 1 < path.length ? `${keyOf(to)}: ` : ''}${comment})`]
    })
  return shown
    .map(({ path, source }) =>
      [keyOf(path), ...comments(path), `  en: ${source}`, `  ${tag}: ${at(file, path) ?? '(missing)'}`, ''].join('\n'),
    )
    .join('\n')
}
