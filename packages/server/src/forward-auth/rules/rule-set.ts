import { readingsOf } from './path-readings.ts'
import type { PathPattern, Rule } from './rule.ts'

/** A request as the proxy reports it. */
export type AskedRequest = {
  origin: string
  /** The raw path and query. */
  uri: string
  method: string | undefined
  /** The client's address. */
  address: string
}

/** The rule that decides a request. `Unclear`: programs could read the address or the method in several ways. */
export type Found = { is: 'Rule'; rule: Rule } | { is: 'NoRule' } | { is: 'Unclear'; why: string }

export type RuleSet = ReturnType<typeof createRuleSet>

/** A list of rules, indexed by origin. */
export const createRuleSet = (rules: readonly Rule[]) => {
  const byOrigin = new Map<string, OfOrigin>()
  for (const rule of rules)
    for (const { origin, path } of rule.to) {
      const ofOrigin = byOrigin.get(origin) ?? { entries: [], byPath: false, byMethod: false }
      ofOrigin.entries.push({ rule, path })
      ofOrigin.byPath ||= path !== undefined
      ofOrigin.byMethod ||= rule.methods !== undefined
      byOrigin.set(origin, ofOrigin)
    }

  /** The first matching rule decides, regardless of the user. */
  const find = (asked: AskedRequest): Found => {
    const ofOrigin = byOrigin.get(asked.origin)
    if (!ofOrigin) return { is: 'NoRule' }
    if (ofOrigin.byMethod && !/^[A-Z]+(-[A-Z]+)*$/.test(asked.method ?? ''))
      return { is: 'Unclear', why: 'x-forwarded-method: must be the method' }
    if (!ofOrigin.byPath) return foundIn(ofOrigin.entries, asked, '/')
    const readings = readingsOf(asked.uri)
    if ('unclear' in readings) return { is: 'Unclear', why: `x-forwarded-uri: ${readings.unclear}` }
    const [first, ...others] = readings.paths.map(path => foundIn(ofOrigin.entries, asked, path))
    const isSame = others.every(other => ruleOf(other) === ruleOf(first))
    return first && isSame ? first : { is: 'Unclear', why: 'x-forwarded-uri: slashes are encoded or doubled where rules differ' }
  }

  return { rules, origins: [...byOrigin.keys()], isProtected: (origin: string) => byOrigin.has(origin), find }
}

type Entry = { rule: Rule; path: PathPattern | undefined }
type OfOrigin = { entries: Entry[]; byPath: boolean; byMethod: boolean }

const ruleOf = (found: Found | undefined) => (found?.is === 'Rule' ? found.rule : undefined)

const foundIn = (entries: readonly Entry[], asked: AskedRequest, path: string): Found => {
  const entry = entries.find(one => (one.path?.fits(path) ?? true) && fitsMethod(one.rule, asked) && fitsNetwork(one.rule, asked))
  return entry ? { is: 'Rule', rule: entry.rule } : { is: 'NoRule' }
}

/** GET includes HEAD, as in most applications. */
export const fitsMethod = ({ methods }: Rule, { method = '' }: AskedRequest): boolean =>
  methods === undefined || methods.has(method) || (method === 'HEAD' && methods.has('GET'))

export const fitsNetwork = ({ from }: Rule, { address }: AskedRequest): boolean => from === undefined || from.includes(address)
