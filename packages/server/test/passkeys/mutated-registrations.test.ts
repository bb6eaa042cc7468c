import { expect, test } from 'vitest'
import { tryMutatedRegistrations } from './mutated-registrations.ts'

test('accepts only the valid ones among 2,000 mutated passkey registrations, and never answers 5xx', {
  timeout: 60_000,
}, async () => {
  const answers = await tryMutatedRegistrations(2_000, 20)
  expect([...answers.keys()].toSorted()).toEqual(['403', 'another passkey', 'refused'])
})
