import { inject, test } from 'vitest'
import { hours } from '../../../src/limits.ts'
import { walkFor } from './walk.ts'

/** Before a release, set GATEHOUSE_TEST_WALK_STEPS=1000000. PostgreSQL takes several times as long per step. */
const count = Number(process.env.GATEHOUSE_TEST_WALK_STEPS ?? (inject('postgres') ? 20_000 : 100_000))

test('RX-14: a long random walk of an owner and an attacker matches the model', { timeout: hours(3) }, async () => {
  for (const policy of ['skippable', 'required', 'phishing-resistant'] as const) await walkFor(policy, Math.ceil(count / 3))
})
