import { expect, test } from 'vitest'
import { minutes } from '../../../src/limits.ts'
import { passkeySteps, successesOfOwner, walkFor } from './walk.ts'

test('RX-14, MF-10, MF-11: 8,000 random steps of an owner and an attacker match the model, second factor required', {
  timeout: minutes(5),
}, async () => {
  const { resumed, answers } = await walkFor('required', 8_000, 1)
  // The walk checks answers after the account has lost its factors, too.
  expect(resumed).toBeGreaterThan(0)
  expect(successesOfOwner(answers)).toEqual(passkeySteps)
})
