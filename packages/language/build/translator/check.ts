import { PatternError, parsePattern } from '../../src/pattern.ts'
import { directionOf } from '../../src/text.ts'
import { type EnglishText, keyOf } from './english-texts.ts'
import type { Rules } from './glossary.ts'
import { jsonLines } from './json-lines.ts'
import { formsOf, type Variant, variantsOf } from './variants.ts'
import { type Finding, isLeftInEnglish, movingMarkFindings, wordingFindings } from './wording.ts'

/** A problem in a translation's file. */
export type Problem = Finding & {
  kind: 'file' | 'missing' | 'unknown' | 'text'
  /** The line in the file, or 0 if the file lacks the text. */
  line: number
  key: string
  english?: string
  translation?: string
}

/**
 * Everything that is wrong with a translation.
 * @param tag the name of the file without `.json`
 * @param source the file
 */
export const checkTranslation = (tag: string, source: string, texts: readonly EnglishText[], rules: Rules): Problem[] => {
  let file: unknown
  try {
    file = JSON.parse(source)
  } catch (error) {
    const position = Number(/position (\d+)/.exec(String(error))?.[1] ?? source.length)
    const line = source.slice(0, position).split('\n').length
    return [
      { kind: 'file', line, key: '', problem: `The file is not JSON: ${error}`, advice: 'Look for a missing quotation mark or comma.' },
    ]
  }
  const { lines, twice } = jsonLines(source)
  const lineOf = (key: string) => lines.get(key) ?? 0

  const given = leavesOf(file, [])
  const english = new Map(texts.map(text => [keyOf(text.path), text]))
  const unknown = given.filter(({ key }) => !english.has(key) && !key.startsWith('language.'))
  const translations = new Map(given.map(({ key, value }) => [key, value]))

  return [
    ...languageProblems(tag, file, lineOf),
    ...twice.map(key => problemOf('file', key, 'The file has this key twice.', 'Delete one of them.')),
    ...missingProblems(texts.filter(({ path }) => !translations.has(keyOf(path)))),
    ...unknown.map(({ key }) => problemOf('unknown', key, 'English has no such text.', 'Delete it, or correct the key.')),
    ...texts.flatMap((text): Problem[] => {
      const key = keyOf(text.path)
      if (!translations.has(key)) return []
      const value = translations.get(key)
      const translation = typeof value === 'string' ? value : JSON.stringify(value)
      const findings =
        typeof value === 'string'
          ? textFindings(tag, value, text, rules)
          : [{ problem: 'It is not a text.', advice: 'Put the translation in quotation marks.' }]
      return findings.map(finding => ({ kind: 'text', line: 0, key, english: text.source, translation, ...finding }))
    }),
  ].map(problem => ({ ...problem, line: problem.line || lineOf(problem.key) }))
}

const problemOf = (kind: Problem['kind'], key: string, problem: string, advice: string): Problem => ({
  kind,
  line: 0,
  key,
  problem,
  advice,
})

const leavesOf = (value: unknown, path: readonly string[]): { key: string; value: unknown }[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]))
    : [{ key: keyOf(path), value }]

const languageProblems = (tag: string, file: unknown, lineOf: (key: string) => number): Problem[] => {
  const language = at(file, 'language')
  const found: Problem[] = []
  if (at(language, 'tag') !== tag)
    found.push(problemOf('file', 'language.tag', `It is not ‘${tag}’.`, 'Give the file and its language the same tag.'))
  if (!isTag(tag)) found.push(problemOf('file', 'language.tag', `‘${tag}’ is no language tag.`, 'Write it as in BCP 47, such as pt-BR.'))
  const name = at(language, 'name')
  if (typeof name !== 'string' || name.trim() === '')
    found.push(problemOf('file', 'language.name', 'The name is missing.', 'Write the language’s name in itself, such as Deutsch.'))
  return found.map(problem => ({ ...problem, line: lineOf(problem.key) || lineOf('language') }))
}

const at = (value: unknown, key: string): unknown => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined)

export const isTag = (tag: string) => {
  try {
    return Intl.getCanonicalLocales(tag)[0] === tag
  } catch {
    return false
  }
}

const missingProblems = (missing: readonly EnglishText[]): Problem[] =>
  missing.map(({ path, source }) => ({
    ...problemOf(
      'missing',
      keyOf(path),
      'The translation is missing. Pages show English.',
      'Translate it: `fill` writes the English text.',
    ),
    english: source,
  }))

const textFindings = (tag: string, translation: string, english: EnglishText, rules: Rules): Finding[] => {
  let variants: Variant[]
  try {
    variants = variantsOf(parsePattern(translation))
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    return [{ problem: `The placeholders cannot be read: ${error.message}.`, advice: 'Compare the braces with those of the English text.' }]
  }
  const wanted = variantsOf(parsePattern(english.source))
  const words = [...new Set(variants.map(variant => variant.words))]
  const findings = [
    ...valueFindings(variants, wanted, english),
    ...formFindings(tag, translation, english.source),
    ...words.flatMap(words => wordingFindings(words, english.source, rules)),
    ...words.flatMap(words => (directionOf(tag) === 'rtl' ? movingMarkFindings(words) : [])),
  ]
  if (words.some(words => words.trim() === '') && wanted.every(({ words }) => words.trim() !== ''))
    findings.push({ problem: 'It is empty.', advice: 'Translate it.' })
  if (isLeftInEnglish(translation, english.source, wanted.map(({ words }) => words).join(' '), rules))
    findings.push({ problem: 'It is still English.', advice: 'Translate it, or list it after `same:` in the glossary’s header.' })
  const longest = (all: readonly Variant[]) => Math.max(...all.map(({ words }) => words.length))
  if (longest(variants) > 2.5 * Math.max(longest(wanted), 12))
    findings.push({ problem: 'It is more than two and a half times as long as English.', advice: 'Shorten it, or look for a wrong text.' })
  return findings.filter((finding, index) => findings.findIndex(other => other.problem === finding.problem) === index)
}

const valueFindings = (variants: readonly Variant[], wanted: readonly Variant[], english: EnglishText): Finding[] => {
  const known = new Set([...english.names, ...wanted.flatMap(({ values }) => [...values])])
  const used = new Set(variants.flatMap(({ values }) => [...values]))
  const counts = new Set(formsOf(parsePattern(english.source)).map(({ value }) => value))
  // A plural form can leave out its number, as in ‘one email’. A placeholder that every English
  // form has must be in every form.
  const always = [...known].filter(name => !counts.has(name) && wanted.every(({ values }) => values.has(name)))
  const advice = 'Copy the placeholders of the English text exactly.'
  return [
    ...[...used].filter(name => !known.has(name)).map(name => ({ problem: `English has no placeholder {${name}}.`, advice })),
    ...always
      .filter(name => variants.some(({ values }) => !values.has(name)))
      .map(name => ({ problem: `The placeholder {${name}} is missing${used.has(name) ? ' in one of the forms' : ''}.`, advice })),
  ]
}

const formFindings = (tag: string, translation: string, english: string): Finding[] => {
  const given = formsOf(parsePattern(translation))
  const found: Finding[] = []
  for (const { kind, value, keys } of formsOf(parsePattern(english))) {
    const own = given.filter(form => form.value === value && form.kind === kind)
    if (kind === 'plural' && own.length === 0 && neededPlurals(tag).length > 1)
      found.push({
        problem: `It has no plural forms for {${value}}.`,
        advice: `Write {${value}, plural, ${neededPlurals(tag)
          .map(key => `${key} {…}`)
          .join(' ')}}`,
      })
    if (kind === 'select' && own.length === 0)
      found.push({
        problem: `It has no forms for {${value}}.`,
        advice: `Write {${value}, select, ${keys.map(key => `${key} {…}`).join(' ')}}`,
      })
    if (kind === 'select')
      for (const form of own)
        if (new Set([...keys, ...form.keys]).size !== keys.length || form.keys.length !== keys.length)
          found.push({ problem: `The forms of {${value}} are ${form.keys.join(', ')}.`, advice: `They must be ${keys.join(', ')}.` })
  }
  for (const { value, keys } of given.filter(({ kind }) => kind === 'plural')) {
    const exact = /^=\d+$/
    const possible = pluralsOf(tag)
    for (const key of neededPlurals(tag).filter(key => !keys.includes(key)))
      found.push({ problem: `The plural form ‘${key}’ of {${value}} is missing.`, advice: `Add ${key} {…}.` })
    for (const key of keys.filter(key => !exact.test(key) && !possible.includes(key)))
      found.push({ problem: `The language has no plural form ‘${key}’.`, advice: 'Delete the form.' })
  }
  return found
}

const pluralsOf = (tag: string): string[] => (isTag(tag) ? new Intl.PluralRules(tag).resolvedOptions().pluralCategories : ['other'])

/**
 * The plural forms of whole numbers up to 200, and `other`, which every pattern needs. French also
 * has a form for millions, which our texts don't need.
 */
const neededPlurals = (tag: string): string[] => {
  if (!isTag(tag)) return ['other']
  const rules = new Intl.PluralRules(tag)
  const used = new Set<string>(['other', ...Array.from({ length: 201 }, (_, number) => rules.select(number))])
  return pluralsOf(tag).filter(key => used.has(key))
}
