import type { Kysely } from 'kysely'
import type { Tables } from './db/schema.ts'
import * as failedCodes from './factors/failed-codes.store.ts'
import * as pushCounts from './factors/push/push-counts.store.ts'
import * as pushWakes from './factors/push/push-wakes.store.ts'
import { limits } from './limits.ts'
import * as outbox from './mail/outbox.store.ts'
import * as lockout from './sign-in/lockout.store.ts'

/**
 * Notices when the clock that judges expiries is set (on PostgreSQL the database's, decision 007), and re-bases what waits for an instant
 * that a step back has moved away.
 */
export const createClockSteps = (deps: { db: Kysely<Tables>; now: () => number; log: { warn: (of: object, message: string) => void } }) => {
  const { db, now, log } = deps

  /** Goes by the rows alone: a server that starts after the step has not seen it. Several servers may do so at once. */
  const rebase = async (): Promise<void> => {
    for (const store of [lockout, failedCodes, pushCounts, pushWakes, outbox]) await store.rebase(db, now())
  }

  /** The clock's distance from a counter that nobody can set. */
  const distance = () => now() - performance.now()
  let last = distance()

  const look = async (): Promise<void> => {
    const step = distance() - last
    // A clock that drifts, or is corrected little by little, was not set.
    last += step
    if (Math.abs(step) <= limits.clockSkew.step) return
    const direction = step > 0 ? 'forward' : 'back'
    log.warn({ seconds: Math.round(Math.abs(step) / 1000), direction }, 'the clock changed: locks and queued mail now use the new time')
    if (step < 0) await rebase()
  }

  return { look, rebase }
}
