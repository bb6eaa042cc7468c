import type { BoardRange, SignInBoard, SignInOutcome, SignInWay } from '@gatehouse/wire'
import { readCounts } from '../audit/audit-counts.store.ts'
import { signInStep } from '../audit/sign-in-steps.ts'
import type { Db } from '../db/schema.ts'
import { lastDays, lastHours } from './zone-days.ts'

const daysOf = { Week: 7, Month: 30, Quarter: 90 } as const

/** Counts the sign-in steps of each hour or day of a time zone. */
export const readBoard = async (db: Db, range: BoardRange, zone: string, now: number): Promise<SignInBoard> => {
  const edges = range === 'Day' ? lastHours(zone, now, 24) : lastDays(zone, now, daysOf[range])
  const slots = edges.slice(0, -1)
  const series = new Map<string, { way: SignInWay; outcome: SignInOutcome; counts: number[] }>()
  for (const { first, from, until, length } of stretches(edges)) {
    for (const { bucket, event, result, count } of await readCounts(db, from, until, length, now)) {
      const step = signInStep(event, result)
      const slot = first + bucket
      if (!step || slot >= slots.length) continue
      const key = `${step.way} ${step.outcome}`
      const row = series.get(key) ?? { ...step, counts: slots.map(() => 0) }
      row.counts[slot] = (row.counts[slot] ?? 0) + count
      series.set(key, row)
    }
  }
  return {
    zone,
    step: range === 'Day' ? 'Hour' : 'Day',
    slots: slots.map(at => new Date(at).toISOString()),
    series: [...series.values()],
  }
}

/** Groups consecutive slots of equal length, so that one query can compute the slot of every row in the group. */
const stretches = (edges: readonly number[]) => {
  const found: { first: number; from: number; until: number; length: number }[] = []
  for (const [i, from] of edges.slice(0, -1).entries()) {
    const until = edges[i + 1] ?? from
    const run = found.at(-1)
    if (run && run.length === until - from) run.until = until
    else found.push({ first: i, from, until, length: until - from })
  }
  return found
}
