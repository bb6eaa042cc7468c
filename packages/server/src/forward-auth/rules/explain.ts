import { readingsOf } from './path-readings.ts'
import type { Rule } from './rule.ts'
import { type AskedRequest, type Found, fitsMethod, fitsNetwork, type RuleSet } from './rule-set.ts'

/** Why a rule does not decide a request. */
type Miss = 'another path' | 'another method' | 'another network'

export type Explanation = {
  found: Found
  /** The rules of the origin before the one that decides: all of them for `NoRule`, none for `Unclear`. */
  passedBy: { rule: Rule; miss: Miss }[]
}

/** Explains which rule decides a request. It does not depend on the user. */
export const explainRequest = ({ rules, find }: RuleSet, asked: AskedRequest): Explanation => {
  const found = find(asked)
  const readings = readingsOf(asked.uri)
  const paths = 'paths' in readings ? readings.paths : []
  const passedBy = []
  for (const rule of rules) {
    if (found.is !== 'NoRule' && (found.is === 'Unclear' || found.rule === rule)) break
    const targets = rule.to.filter(({ origin }) => origin === asked.origin)
    if (targets.length === 0) continue
    const isPath = targets.some(({ path }) => path === undefined || paths.some(path.fits))
    const miss: Miss = !isPath ? 'another path' : !fitsMethod(rule, asked) ? 'another method' : 'another network'
    if (miss !== 'another network' || !fitsNetwork(rule, asked)) passedBy.push({ rule, miss })
  }
  return { found, passedBy }
}
