import { expect, test } from 'vitest'
import { compareWithModel } from './rule-model.ts'

test('the evaluator agrees with a slow model of the rules in a million random cases', { timeout: 1_800_000 }, () => {
  const { answers, misses, depths } = compareWithModel(1_000_000)
  expect([answers.size, misses.size, depths.size]).toEqual([7, 4, 4])
})
