import { expect, test } from 'vitest'
import { tryMutatedRegistrations } from './mutated-registrations.ts'

test('accepts only the valid ones of 100,000 changed or recombined new passkeys, and never answers 5xx', {
  timeout: 600_000,
}, async () => {
  const answers = await tryMutatedRegistrations(100_000, 21)
  expect([...answers.keys()].toSorted()).toEqual(['403', 'another passkey', 'refused'])
})
