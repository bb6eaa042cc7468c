import { limits } from '../limits.ts'
import type { PassScope } from '../passes/pass.ts'
import { createNetworks } from './rules/networks.ts'
import type { Rule } from './rules/rule.ts'
import { type AskedRequest, createRuleSet, type RuleSet } from './rules/rule-set.ts'
import { readTarget } from './rules/target.ts'

/**
 * Whether an address has no pattern except a `/*` at its end. Attack: any user may create passes, and a pattern with several wildcards can
 * take minutes for a long path.
 */
export const isPlain = (text: string): boolean => {
  const path = text.replace(/^https?:\/\/[^/]*/, '').replace(/\/\*$/, '')
  return text.length <= limits.pass.addressLength && !/[*{}()[\]:?+\\]/.test(path)
}

/** Compiles a scope into a rule, so that scopes and rules match addresses in the same way. */
export const createScope = ({ to, methods, from }: PassScope): RuleSet => {
  const rule: Rule = {
    number: 1,
    // A later version may allow fewer forms of addresses. An address that is no longer allowed covers nothing.
    to: to.filter(isPlain).flatMap(text => {
      const target = readTarget(text)
      return 'problem' in target ? [] : [target]
    }),
    methods: methods ? new Set(methods) : undefined,
    from: from ? createNetworks(from) : undefined,
    effect: { is: 'Everyone' },
  }
  return createRuleSet([rule])
}

export const isInScope = (scope: RuleSet, asked: AskedRequest): boolean => scope.find(asked).is === 'Rule'
