import { expect, test } from 'vitest'
import { compareWithModel } from './rule-model.ts'

test('the evaluator agrees with a slow model of the rules in a million random cases', { timeout: 1_800_000 }, () => {
  expect(compareWithModel(1_000_000).size).toBe(7)
})
