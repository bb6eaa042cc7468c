import { expect, test } from 'vitest'
import { tryMutatedRegistrations } from './mutated-registrations.ts'

test('accepts only the valid ones of 2,000 changed or recombined new passkeys, and never answers 5xx', {
  timeout: 60_000,
}, async () => {
  const answers = await tryMutatedRegistrations(2_000, 20)
  expect([...answers.keys()].toSorted()).toEqual(['403', 'another passkey', 'refused'])
})
