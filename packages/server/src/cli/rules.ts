import { isIP } from 'node:net'
import { readConfig } from '../config/config.ts'
import { loadConfiguredRules } from '../config/load-rules.ts'
import { decide, type SignedIn } from '../forward-auth/rules/decision.ts'
import { describeEffect, writeRule } from '../forward-auth/rules/describe.ts'
import { explainRequest as explain } from '../forward-auth/rules/explain.ts'
import { groupsIn } from '../forward-auth/rules/group-names.ts'
import { createRuleSet, type Found } from '../forward-auth/rules/rule-set.ts'
import { createGroupsOf, remarksIn } from '../forward-auth/rules-file/rules-source.ts'
import { canonicalUsername } from '../users/username.ts'
import * as accounts from '../users/users.store.ts'
import type { Call } from './command.ts'
import type { Deps } from './deps.ts'
import { UsageError } from './usage-error.ts'

/** Prints the rules and warnings about them. If the file has problems, the command ends with a list of them. */
export const checkRules = async ({ write, data }: Call) => {
  const config = readConfig(process.env)
  const { rules, warnings } = await loadConfiguredRules(config)
  const doubts = remarksIn(config.rulesFile ?? '', warnings)
  data({ rules: rules.map(writeRule), warnings: doubts })
  if (rules.length === 0) write('There are no rules. Set GATEHOUSE_RULES or GATEHOUSE_PROTECTED_ORIGINS.')
  else write('rules:')
  for (const rule of rules) write(`  ${writeRule(rule)}`)
  for (const doubt of doubts) write(`warning  ${doubt}`)
}

/** Prints which rule decides a request, and the decision. */
export const explainRequest = async ({ args, options, config, database: { db }, write, data }: Deps) => {
  const [method = '', text = ''] = args
  const { rules, groups } = await loadConfiguredRules(config)
  const ruleSet = createRuleSet(rules)
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError(`‘${text}’ is not an address like https://grafana.example.com/d/abc`)
  const address = options.get('from') ?? ''
  if (address !== '' && isIP(address) === 0) throw new UsageError(`--from: ‘${address}’ is not an IP address`)
  // Read the path from the text: the parsed URL has lost its dot segments.
  const uri = text.replace(/^\w+:\/\/[^/?#]*/, '').replace(/#.*$/, '') || '/'
  const { found, passedBy } = explain(ruleSet, { origin: url.origin, uri, method: method.toUpperCase(), address })
  const user = options.get('user')
  const subject = user === undefined ? undefined : await findSubject(db, user, config.admins, createGroupsOf(groups))
  const { answer, advice } = tell(found, subject, ruleSet.isProtected(url.origin))
  const rule = found.is === 'Rule' ? found.rule.number : undefined
  data({ rule, answer, advice, passedBy: passedBy.map(({ rule, miss }) => ({ rule: rule.number, miss })) })
  for (const { rule, miss } of passedBy) write(`rule ${rule.number}  is for ${miss}: ${writeRule(rule)}`)
  if (found.is === 'Rule') write(`rule ${rule}  decides: ${writeRule(found.rule)}`)
  write(answer)
  if (advice !== '') write(advice)
}

/** A user who has just signed in with everything that a rule can require. */
const findSubject = async (
  db: Deps['database']['db'],
  text: string,
  admins: ReadonlySet<string>,
  groupsOf: (userIdent: string) => readonly string[],
): Promise<SignedIn> => {
  const userIdent = canonicalUsername(text)
  const account = userIdent === undefined ? undefined : await accounts.findByIdent(db, userIdent)
  if (userIdent === undefined || !account) throw new UsageError(`No user ${userIdent ?? text} exists.`)
  return {
    is: 'SignedIn',
    userIdent,
    administrator: admins.has(userIdent),
    groups: [...groupsOf(userIdent), ...groupsIn(account.userGroups), ...groupsIn(account.userProviderGroups)],
    factor: 'Passkey',
    passkeyDue: false,
    provenAt: 0,
    factorProvenAt: 0,
  }
}

const tell = (found: Found, subject: SignedIn | undefined, isProtected: boolean): { answer: string; advice: string } => {
  const who = subject?.userIdent ?? 'A visitor without a sign-in'
  switch (found.is) {
    case 'Unclear':
      return { answer: `Refused for every user: ${found.why}.`, advice: 'Programs could read the request in several ways.' }
    case 'NoRule':
      return {
        answer: 'Refused for every user: no rule fits.',
        advice: isProtected ? 'Add a rule that fits.' : 'No rule names this origin. Check the scheme, the host and the port.',
      }
    case 'Rule': {
      const decision = decide(found.rule.effect, subject ?? { is: 'SignedOut' }, 0)
      const rule = `Rule ${found.rule.number}: ${describeEffect(found.rule.effect)}.`
      switch (decision.is) {
        case 'AllowedToEveryone':
        case 'Allowed':
          return { answer: `${who} can open it.`, advice: rule }
        case 'NeedsSignIn':
        case 'NeedsStepUp':
          return { answer: `${who} is led to the sign-in.`, advice: rule }
        case 'Refused':
          return {
            answer: `${who} is refused.`,
            advice: decision.why === 'denied' ? `${rule} A rule before it would have to allow the request.` : rule,
          }
      }
    }
  }
}
