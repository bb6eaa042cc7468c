import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Decision, decide, type SignedIn, type Subject } from '../packages/server/src/forward-auth/rules/decision.ts'
import { createRuleSet } from '../packages/server/src/forward-auth/rules/rule-set.ts'
import { readRules } from '../packages/server/src/forward-auth/rules-file/read-rules.ts'

const page = readFileSync(join(import.meta.dirname, 'protecting/rules.md'), 'utf8')

const now = Date.UTC(2026, 10, 20)
const user: SignedIn = {
  is: 'SignedIn',
  userIdent: 'user@example.com',
  administrator: false,
  groups: [],
  factor: null,
  passkeyDue: false,
  provenAt: now - 3_600_000,
  factorProvenAt: undefined,
}
/** The columns of the tables. */
const subjects: Subject[] = [{ is: 'SignedOut' }, user, { ...user, groups: ['oncall'] }, { ...user, administrator: true }]

const steps = { SecondFactor: 'second factor', Passkey: 'passkey', Fresh: 'confirm' }

const examples = page
  .split(/^### /m)
  .slice(1)
  .map(text => ({
    title: text.slice(0, text.indexOf('\n')),
    yaml: /```yaml\n([\s\S]*?)```/.exec(text)?.[1] ?? '',
    rows: [...text.matchAll(/^\| `([A-Z]+) (\S+)`(?: from `(\S+)`)? \| (.*) \|$/gm)],
  }))

const answerOf = (decision: Decision): string => {
  switch (decision.is) {
    case 'AllowedToEveryone':
    case 'Allowed':
      return 'enters'
    case 'NeedsSignIn':
      return 'signs in'
    case 'NeedsStepUp':
      return steps[decision.stepUp.is]
    case 'Refused':
      return 'refused'
  }
}

test('the page about rules has ten examples', () => {
  expect(examples).toHaveLength(10)
})

test.each(examples)('the example ‘$title’ does what its table says', async ({ yaml, rows }) => {
  const { rules, problems, warnings } = await readRules(yaml, { coverProblem: () => undefined, trustsProxies: true })
  expect([problems, warnings]).toEqual([[], []])
  expect(rows.length).toBeGreaterThan(2)
  const { find } = createRuleSet(rules)
  for (const [, method, address = '', from = '203.0.113.1', cells = ''] of rows) {
    const [origin = ''] = /^https:\/\/[^/]+/.exec(address) ?? []
    const found = find({ origin, uri: address.slice(origin.length), method, address: from })
    const answers = subjects.map(subject => (found.is === 'Rule' ? answerOf(decide(found.rule.effect, subject, now)) : 'refused'))
    expect([address, answers.join(' | ')]).toEqual([address, cells])
  }
})
