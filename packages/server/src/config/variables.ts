import { nearest } from './value-formats.ts'
import { variableSections } from './variable-sections.ts'

export type Name = (typeof variableSections)[number]['variables'][number]['name']

const names: readonly Name[] = variableSections.flatMap(({ variables }) => variables.map(({ name }) => name))

/**
 * Reads variables and collects their problems. For a wrong value, `parse` returns undefined and `list` returns the items as given.
 * `readConfig` continues to find all problems, then throws.
 */
export const createReader = (environment: NodeJS.ProcessEnv) => {
  const problems: string[] = []
  const problem = (name: string, sentence: string) => {
    problems.push(`${name}${sentence}.`)
  }
  const known: readonly string[] = names
  for (const name of Object.keys(environment)) {
    if (!name.startsWith('GATEHOUSE_') || known.includes(name)) continue
    const near = nearest(name, known)
    problem(name, ` is not a Gatehouse variable${near ? `; did you mean ${near}` : ''}`)
  }
  // An empty variable counts as unset: compose files and unit files often pass empty ones.
  const read = (name: Name) => environment[name] || undefined
  const parse = <T>(name: Name, otherwise: string, parseText: (text: string) => T | undefined, form: string): T | undefined => {
    const value = parseText(read(name) ?? otherwise)
    if (value === undefined) problem(name, ` ${form}`)
    return value
  }
  const list = (name: Name, accept: (item: string) => boolean, form: string): string[] => {
    const items =
      read(name)
        ?.split(',')
        .map(item => item.trim()) ?? []
    if (!items.every(accept)) problem(name, ` must be ${form}, separated by commas`)
    return items
  }
  return { problems, problem, read, parse, list }
}
export type Reader = ReturnType<typeof createReader>
