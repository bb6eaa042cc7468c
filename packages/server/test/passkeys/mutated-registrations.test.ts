import { expect, test } from 'vitest'
import { tryMutatedRegistrations } from './mutated-registrations.ts'

test('of 2,000 changed or recombined new passkeys none passes a check that it fails, and none causes a 5xx', {
  timeout: 60_000,
}, async () => {
  const answers = await tryMutatedRegistrations(2_000, 20)
  expect([...answers.keys()].toSorted()).toEqual(['403', 'another passkey', 'refused'])
})
