import { type Config, ConfigProblems } from '../config/config.ts'
import { loadConfiguredRules } from '../config/load-rules.ts'
import { createRuleSet, type RuleSet } from '../forward-auth/rules/rule-set.ts'
import { remarksIn } from '../forward-auth/rules-file/rules-source.ts'
import { about, type Finding } from './finding.ts'

const { ok, warning, problem } = about('rules')

/** Reads the rules file as a server would. Without one, the rules come from the configuration, which the doctor has checked before. */
export const examineRules = async (config: Config): Promise<{ ruleSet?: RuleSet; findings: Finding[] }> => {
  try {
    const { rules, warnings } = await loadConfiguredRules(config)
    const { rulesFile } = config
    const findings = rulesFile === undefined ? [] : [ok(`${rulesFile} has ${rules.length} rules and no problem.`)]
    return { ruleSet: createRuleSet(rules), findings: [...findings, ...remarksIn(rulesFile ?? '', warnings).map(warning)] }
  } catch (error) {
    if (error instanceof ConfigProblems) return { findings: error.problems.map(problem) }
    throw error
  }
}
