import { limits } from '../../limits.ts'
import { canonicalUsername } from '../../users/username.ts'
import { isNetwork } from '../../visitors/network.ts'
import { groupNameForm, isGroupName } from '../rules/group-names.ts'
import { createNetworks } from '../rules/networks.ts'
import type { Rule, Target } from '../rules/rule.ts'
import { readTarget } from '../rules/target.ts'
import { readEffect } from './read-effect.ts'
import { type Fields, fieldsOf, type Report, textsOf } from './read-fields.ts'
import { portProblems, warningsOf } from './rule-checks.ts'
import { type Place, parseYaml, type Remark, type Value } from './yaml-tree.ts'

/** The users of each group in the file. */
type Groups = ReadonlyMap<string, readonly string[]>

export type ReadRules = { text: string; rules: readonly Rule[]; groups: Groups; problems: readonly Remark[]; warnings: readonly Remark[] }

/** The other settings that rules depend on. */
export type RulesContext = {
  /** Returns why browsers never send a session cookie to an origin. Undefined if they do. */
  coverProblem: (origin: string) => string | undefined
  /** Whether trusted proxies are configured. Without them, every client seems to have the proxy's address. */
  trustsProxies: boolean
}

/** Reads the text of a rules file, and lists every problem at once. */
export const readRules = async (text: string, context: RulesContext): Promise<ReadRules> => {
  const { value, problems } = await parseYaml(text)
  const warnings: Remark[] = []
  const report: Report = {
    problem: (at, text) => void problems.push({ ...at, text: `${text}.` }),
    warn: (at, text) => void warnings.push({ ...at, text: `${text}.` }),
  }
  // After a syntax error, the parsed structure is a guess.
  if (problems.length > 0) return { text, rules: [], groups: new Map(), problems, warnings }
  const file = fieldsOf(value, 'the file', ['groups', 'rules'], report)
  const groups = readGroups(file.get('groups'), report)
  const list = file.get('rules')
  if (problems.length === 0 && (list?.is !== 'List' || list.items.length === 0))
    report.problem(list?.at ?? value.at, 'rules must be a list of at least one rule')
  const items = list?.is === 'List' ? list.items : []
  if (items.length > limits.rules.most) report.problem(value.at, `the file has more than ${limits.rules.most} rules`)
  const places = new Map<Rule, Place>()
  for (const [index, item] of items.entries()) {
    const rule = readRule(item, index + 1, context, report)
    if (rule) places.set(rule, item.at)
  }
  const rules = [...places.keys()]
  // Skip these checks if a rule could not be read: it might change which requests the others
  // decide.
  if (problems.length === 0) {
    for (const about of portProblems(rules)) report.problem(places.get(about.rule) ?? value.at, about.text)
    for (const about of warningsOf(rules)) report.warn(places.get(about.rule) ?? value.at, about.text)
  }
  return { text, rules, groups, problems, warnings }
}

const readRule = (value: Value, number: number, context: RulesContext, report: Report): Rule | undefined => {
  const { problem } = report
  const fields = fieldsOf(value, 'a rule', ['to', 'methods', 'from', 'allow', 'require', 'deny'], report)
  if (fields.size === 0) return undefined
  const to = readTargets(fields, value.at, context, problem)
  const effect = readEffect(fields, value.at, report)
  const from = fields.get('from')
  if (from && !context.trustsProxies)
    problem(from.at, 'from needs GATEHOUSE_TRUSTED_PROXIES: without it every client has the address of the proxy')
  const networks = from && textsOf(from, 'from', problem)
  for (const { at, text } of networks ?? []) if (!isNetwork(text)) problem(at, `‘${text}’ must be an address or a network like 10.0.0.0/8`)
  const methods = fields.get('methods')
  const names = methods && textsOf(methods, 'methods', problem)
  for (const { at, text } of names ?? [])
    if (!/^[A-Z]+(-[A-Z]+)*$/.test(text)) problem(at, `‘${text}’ must be a method in capitals, such as GET`)
  return (
    effect && {
      number,
      to,
      methods: names && new Set(names.map(({ text }) => text)),
      from: networks && createNetworks(networks.map(({ text }) => text).filter(isNetwork)),
      effect,
    }
  )
}

const readTargets = (fields: Fields, at: Place, { coverProblem }: RulesContext, problem: Report['problem']): Target[] => {
  const to = fields.get('to')
  if (!to) problem(at, 'the rule must have to, the addresses it is about')
  return (to ? textsOf(to, 'to', problem) : []).flatMap(({ text, at }) => {
    const target = readTarget(text)
    const sentence = 'problem' in target ? target.problem : coverProblem(target.origin)
    if (sentence !== undefined) problem(at, sentence)
    return 'problem' in target ? [] : [target]
  })
}

const readGroups = (value: Value | undefined, { problem }: Report): Groups => {
  const groups = new Map<string, string[]>()
  if (value && value.is !== 'Map') problem(value.at, 'groups must have the names of groups, each with a list of addresses')
  for (const { at, name, value: members } of value?.is === 'Map' ? value.fields : []) {
    if (!isGroupName(name)) problem(at, `the group ‘${name}’ ${groupNameForm}`)
    const addresses = (members.is === 'List' && members.items.length === 0 ? [] : textsOf(members, `the group ${name}`, problem)).map(
      ({ at, text }) => {
        const userIdent = canonicalUsername(text)
        if (userIdent === undefined) problem(at, `‘${text}’ must be one email address`)
        return userIdent
      },
    )
    groups.set(
      name,
      addresses.filter(one => one !== undefined),
    )
  }
  return groups
}
