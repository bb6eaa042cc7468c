import type { Config } from '../config/config.ts'
import { probeAll, targetsOf } from '../forward-auth/open-door/probe-round.ts'
import type { RuleSet } from '../forward-auth/rules/rule-set.ts'
import { isOurs } from '../http/misconfiguration.ts'
import { createKeyring } from '../keys/keyring.ts'
import { answerText } from '../mail/door-answer.ts'
import { doors } from '../texts/en-doors.ts'
import { about, type Finding } from './finding.ts'

const { ok, warning, problem } = about('open doors')

/** Makes the requests of the open-door alarm once, if the alarm is on. */
export const examineOpenDoors = async (config: Config, rules: RuleSet, now: () => number): Promise<Finding[]> => {
  const chosen = config.openDoorAlarm
  if (chosen === undefined) return []
  const publicUrl = config.publicUrl.origin + config.publicUrl.path
  const isOwnPage = (address: string) => isOurs(address, publicUrl)
  const deps = { keyring: createKeyring(config.masterKeys), publicUrl, isOwnPage, now }
  const targets = targetsOf(rules, chosen, deps)
  const unknown = (chosen === 'all' ? [] : chosen).filter(origin => !rules.isProtected(origin))
  const without = rules.origins.filter(
    origin => (chosen === 'all' || chosen.includes(origin)) && !targets.some(target => !target.isSignInPage && target.origin === origin),
  )
  const found = await probeAll(targets, deps)
  return [
    ...unknown.map(origin => warning(`GATEHOUSE_OPEN_DOOR_ALARM names ${origin}, but no rule does.`)),
    ...without.map(origin => warning(`The open-door alarm requests nothing at ${origin}: no rule there refuses GET to every visitor.`)),
    ...[...found].map(([origin, finding]) => {
      if (finding.state === 'Closed') return ok(`${origin} refuses requests without a sign-in.`)
      const { cause, advice } = doors.states[finding.state]
      const level = finding.state === 'CertificateEnds' ? warning : problem
      return level(`${origin}${finding.path}: ${cause} The answer: ${answerText(finding, doors)}. ${advice}`)
    }),
  ]
}
