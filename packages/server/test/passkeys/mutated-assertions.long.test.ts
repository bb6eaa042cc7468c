import { expect, test } from 'vitest'
import { tryMutatedAssertions } from './mutated-assertions.ts'

test('of 100,000 changed or recombined assertions none signs in, and none causes a 5xx', { timeout: 600_000 }, async () => {
  const outcomes = await tryMutatedAssertions(100_000, 21)
  expect([...outcomes.keys()].toSorted()).toEqual(['AuthFailureFailedLogin', 'Refused', 'Unknown'])
})
