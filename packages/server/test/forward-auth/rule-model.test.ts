import { expect, test } from 'vitest'
import { compareWithModel } from './rule-model.ts'

test('the evaluator agrees with a slow model of the rules in 10,000 random cases', () => {
  const seen = compareWithModel(10_000)
  const answers = ['Allowed', 'AllowedToEveryone', 'NeedsSignIn', 'NeedsStepUp', 'Refused', 'no rule', 'unclear']
  expect([...seen.keys()].sort()).toEqual(answers)
  for (const answer of answers) expect([answer, seen.get(answer) ?? 0]).toEqual([answer, expect.toSatisfy(count => Number(count) > 50)])
})
