import { type Kysely, sql } from 'kysely'
import { minutes } from '../limits.ts'
import type { Tables } from './schema.ts'

/** The clock that decides expiry, in epoch milliseconds. */
export type Clock = {
  now: () => number
  /** By how many milliseconds it is ahead of this machine's clock. */
  ahead: () => number
  stop: () => void
}

/** This machine's clock, for a process that alone uses its database. */
export const ownClock: Clock = { now: Date.now, ahead: () => 0, stop: () => {} }

/**
 * The database's clock, which all servers share. It is read once a minute; between reads, a monotonic counter continues it, so changes of
 * this machine's clock have no effect.
 * @throws the database's error, on the first read
 */
export const databaseClock = async (db: Kysely<Tables>): Promise<Clock> => {
  const askOnce = async () => {
    const before = performance.now()
    const { rows } = await sql<{ at: number }>`select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as at`.execute(db)
    const after = performance.now()
    // Assume that the database read its clock halfway through the round trip.
    return { offset: (rows[0]?.at ?? Date.now()) - (before + after) / 2, way: after - before }
  }
  /** Use the fastest of three reads: on a busy machine a slow read is wrong by up to half its delay. */
  const ask = async () => {
    const answers = [await askOnce(), await askOnce(), await askOnce()]
    return answers.reduce((best, answer) => (answer.way < best.way ? answer : best)).offset
  }
  let offset = await ask()
  const timer = setInterval(() => {
    ask().then(
      fresh => (offset = fresh),
      // The counter continues; queries report that the database is down.
      () => {},
    )
  }, minutes(1)).unref()
  const now = () => Math.round(performance.now() + offset)
  return { now, ahead: () => now() - Date.now(), stop: () => clearInterval(timer) }
}
