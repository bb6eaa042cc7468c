import { expect, test } from 'vitest'
import { compareWithModel } from './rule-model.ts'

test('the evaluator agrees with a slow model of the rules in 10,000 random cases', () => {
  const { answers, misses, depths } = compareWithModel(10_000)
  expect([...answers.keys()].sort()).toEqual([
    'Allowed',
    'AllowedToEveryone',
    'NeedsSignIn',
    'NeedsStepUp',
    'Refused',
    'no rule',
    'unclear',
  ])
  expect([...misses.keys()].sort()).toEqual(['another method', 'another network', 'another origin', 'another path'])
  expect([...depths.keys()].sort()).toEqual([0, 1, 2, 3])
  for (const [what, count] of [...answers, ...misses]) expect([what, count]).toEqual([what, expect.toSatisfy(count => Number(count) > 50)])
})
