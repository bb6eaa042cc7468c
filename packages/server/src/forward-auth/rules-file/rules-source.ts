import { readFile } from 'node:fs/promises'
import { limits } from '../../limits.ts'
import type { ProtectedOrigin } from '../protected-origin.ts'
import { rulesOfOrigins } from '../rules/protected-origin-rules.ts'
import { createRuleSet, type RuleSet } from '../rules/rule-set.ts'
import { type ReadRules, type RulesContext, readRules } from './read-rules.ts'

type Settings = { rulesFile: string | undefined; protectedOrigins: readonly ProtectedOrigin[] }
type Log = { info: (of: object, message: string) => void; error: (of: object, message: string) => void }

/** Reads the rules of the configuration once, from the rules file or from GATEHOUSE_PROTECTED_ORIGINS. */
export const loadRules = async ({ rulesFile, protectedOrigins }: Settings, context: RulesContext): Promise<ReadRules> =>
  rulesFile === undefined
    ? { text: '', rules: rulesOfOrigins(protectedOrigins), groups: new Map(), problems: [], warnings: [] }
    : readRules(await readText(rulesFile), context)

const readText = async (file: string): Promise<string> => {
  const bytes = await readFile(file)
  if (bytes.length > limits.rules.bytes) throw new Error(`${file} has more than ${limits.rules.bytes} bytes`)
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}

/** Formats problems as editors and compilers do, so that a click opens the position in the file. */
export const remarksIn = (file: string, remarks: ReadRules['problems']): string[] =>
  remarks.map(({ line, column, text }) => `${file}:${line}:${column}: ${text}`)

/** Keeps the rules of the newest file that had no problem. Each server reads its own file. */
export const createRulesSource = (first: ReadRules, deps: { settings: Settings; context: RulesContext; log: Log }) => {
  const { settings, context, log } = deps
  const { rulesFile } = settings
  let current = use(first)
  let loaded = true

  const replace = (read: ReadRules): void => {
    const [problems, warnings] = [read.problems, read.warnings].map(remarks => remarksIn(rulesFile ?? '', remarks))
    loaded = read.problems.length === 0
    if (!loaded) {
      log.error({ problems }, 'the rules file has problems; the previous rules stay in effect')
      return
    }
    current = use(read)
    log.info({ rules: read.rules.length, warnings }, 'the rules were loaded')
  }

  /** What the server acted on last, and what `look` saw last: the text, or why it cannot be read. */
  let [judged, seen] = [first.text, first.text]

  const judge = async (found: Found): Promise<void> => {
    judged = keyOf(found)
    if ('err' in found) {
      loaded = false
      log.error({ err: found.err }, 'the rules file cannot be read; the previous rules stay in effect')
    } else replace(await readRules(found.text, context))
  }

  /** Reads the file now. */
  const reload = async (): Promise<void> => {
    if (rulesFile !== undefined) await judge(await read(rulesFile))
  }

  /**
   * Reloads if the content has changed. Compares the content, because editors and mounted
   * configurations replace the file or a folder above the file. Waits until two reads in a row find
   * the same content: a half-written file can be valid and admit more users.
   */
  const look = async (): Promise<void> => {
    if (rulesFile === undefined) return
    const found = await read(rulesFile)
    const isSettled = keyOf(found) === seen
    seen = keyOf(found)
    if (isSettled && seen !== judged) await judge(found)
  }

  return {
    current: (): RuleSet => current.ruleSet,
    groupsOf: (userIdent: string) => current.groupsOf(userIdent),
    /** Whether the last read of the file succeeded, so that its rules are in use. */
    isLoaded: () => loaded,
    reload,
    look,
  }
}
export type RulesSource = ReturnType<typeof createRulesSource>

const use = ({ rules, groups }: ReadRules) => ({ ruleSet: createRuleSet(rules), groupsOf: createGroupsOf(groups) })

/** Finds the groups of a user in the file. */
export const createGroupsOf = (groups: ReadRules['groups']) => {
  const byUser = new Map<string, string[]>()
  for (const [group, users] of groups) for (const user of users) byUser.set(user, [...(byUser.get(user) ?? []), group])
  const none: readonly string[] = []
  return (userIdent: string): readonly string[] => byUser.get(userIdent) ?? none
}

type Found = { text: string } | { err: unknown }

const read = (file: string): Promise<Found> =>
  readText(file).then(
    text => ({ text }),
    (err: unknown) => ({ err }),
  )

const keyOf = (found: Found): string => ('err' in found ? String(found.err) : found.text)
