import { expect, test } from 'vitest'
import { tryMutatedAssertions } from './mutated-assertions.ts'

test('of 3,000 changed or recombined assertions none signs in, and none causes a 5xx', { timeout: 60_000 }, async () => {
  const outcomes = await tryMutatedAssertions(3_000, 20)
  expect([...outcomes.keys()].toSorted()).toEqual(['AuthFailureFailedLogin', 'Refused', 'Unknown'])
})
