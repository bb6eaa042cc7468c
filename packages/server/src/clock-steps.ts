import type { Kysely } from 'kysely'
import type { Tables } from './db/schema.ts'
import * as failedCodes from './factors/failed-codes.store.ts'
import * as pushCounts from './factors/push/push-counts.store.ts'
import * as pushWakes from './factors/push/push-wakes.store.ts'
import { limits } from './limits.ts'
import * as outbox from './mail/outbox.store.ts'
import * as lockout from './sign-in/lockout.store.ts'

/**
 * Detects when the clock that decides expiry is set: on PostgreSQL the database's clock (decision 007). If it was set back, adjusts rows
 * that would otherwise wait for an instant too far in the future.
 */
export const createClockSteps = (deps: { db: Kysely<Tables>; now: () => number; log: { warn: (of: object, message: string) => void } }) => {
  const { db, now, log } = deps

  /** Looks only at the rows, because a server that starts after a clock change cannot detect it. Several servers may run this at once. */
  const rebase = async (): Promise<void> => {
    for (const store of [lockout, failedCodes, pushCounts, pushWakes, outbox]) await store.rebase(db, now())
  }

  /** The clock's distance from a monotonic counter. */
  const distance = () => now() - performance.now()
  let last = distance()

  const look = async (): Promise<void> => {
    const step = distance() - last
    // Small steps are drift or NTP corrections.
    last += step
    if (Math.abs(step) <= limits.clockSkew.step) return
    const direction = step > 0 ? 'forward' : 'back'
    log.warn({ seconds: Math.round(Math.abs(step) / 1000), direction }, 'the clock changed: locks and queued mail now use the new time')
    if (step < 0) await rebase()
  }

  return { look, rebase }
}
