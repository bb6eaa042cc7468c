import { type Kysely, sql } from 'kysely'
import { minutes } from '../limits.ts'
import type { Tables } from './schema.ts'

/** Epoch milliseconds by the one clock that judges expiries. */
export type Clock = {
  now: () => number
  /** By how much it is ahead of this machine's, in milliseconds. */
  ahead: () => number
  stop: () => void
}

/** The clock of a process that has its database to itself. */
export const ownClock: Clock = { now: Date.now, ahead: () => 0, stop: () => {} }

/**
 * The database's clock, which several processes have in common. It is asked now and then, and carried on meanwhile by a
 * counter that no change of this machine's time moves.
 * @throws what the database throws, the first time it is asked
 */
export const databaseClock = async (db: Kysely<Tables>): Promise<Clock> => {
  const askOnce = async () => {
    const before = performance.now()
    const { rows } = await sql<{ at: number }>`select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as at`.execute(db)
    const after = performance.now()
    // The answer is as old as half the way there and back.
    return { offset: (rows[0]?.at ?? Date.now()) - (before + after) / 2, way: after - before }
  }
  /** The quickest of three answers: on a busy machine one of them is late now and then, and wrong by half of that. */
  const ask = async () => {
    const answers = [await askOnce(), await askOnce(), await askOnce()]
    return answers.reduce((best, answer) => (answer.way < best.way ? answer : best)).offset
  }
  let offset = await ask()
  const timer = setInterval(() => {
    ask().then(
      fresh => (offset = fresh),
      // It goes on by the counter; that the database is away is told by whoever needs it.
      () => {},
    )
  }, minutes(1)).unref()
  const now = () => Math.round(performance.now() + offset)
  return { now, ahead: () => now() - Date.now(), stop: () => clearInterval(timer) }
}
