import type { PassScope } from '../passes/pass.ts'
import { createNetworks } from './rules/networks.ts'
import type { Rule } from './rules/rule.ts'
import { type AskedRequest, createRuleSet, type RuleSet } from './rules/rule-set.ts'
import { readTarget } from './rules/target.ts'

/** Compiles a scope into a rule, so that a pass reads an address exactly as the rules do. */
export const createScope = ({ to, methods, from }: PassScope): RuleSet => {
  const rule: Rule = {
    number: 1,
    to: to.map(text => {
      const target = readTarget(text)
      if ('problem' in target) throw new Error(`stored scope: ${target.problem}`)
      return target
    }),
    methods: methods ? new Set(methods) : undefined,
    from: from ? createNetworks(from) : undefined,
    effect: { is: 'Everyone' },
  }
  return createRuleSet([rule])
}

export const isInScope = (scope: RuleSet, asked: AskedRequest): boolean => scope.find(asked).is === 'Rule'
