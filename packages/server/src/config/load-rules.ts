import type { ReadRules, RulesContext } from '../forward-auth/rules-file/read-rules.ts'
import { loadRules, remarksIn } from '../forward-auth/rules-file/rules-source.ts'
import { type Config, ConfigProblems } from './config.ts'
import { coverProblem } from './protected-origins.ts'

/** The other settings that rules depend on. */
export const rulesContextOf = ({ publicUrl, cookieDomain, trustedProxies }: Config): RulesContext => ({
  coverProblem: origin => coverProblem(origin, publicUrl, cookieDomain),
  trustsProxies: trustedProxies.length > 0,
})

/**
 * Loads the rules at startup.
 * @throws ConfigProblems with all problems of the file
 */
export const loadConfiguredRules = async (config: Config): Promise<ReadRules> => {
  const file = config.rulesFile ?? ''
  const read = await loadRules(config, rulesContextOf(config)).catch((error: unknown) => {
    throw new ConfigProblems([`GATEHOUSE_RULES: ${file} cannot be read: ${error instanceof Error ? error.message : error}.`])
  })
  if (read.problems.length > 0) throw new ConfigProblems(remarksIn(file, read.problems))
  return read
}
