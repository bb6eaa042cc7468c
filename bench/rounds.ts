import type { Subject } from './server-subjects.ts'
import { median, quantile, sorted } from './statistics.ts'

/** `cpu` is the CPU time of the server processes per operation, in milliseconds. */
export type Round = { rate: number; p50: number; p99: number; cpu: number }

/** A subject. If `beside` is set, that subject runs right before and after each slice, for comparison. */
export type Entry = { subject: Subject; beside?: Subject | undefined }

/** The rounds of a subject, or its slices if it has a subject to compare with. */
export type Kept = { rounds: Round[]; beside: Round[]; ratios: number[]; cpuRatios: number[] }

/** Repeats a subject's operation for `ms` milliseconds, with `atOnce` of them in parallel. */
export const run = async ({ atOnce, open, cpuTime }: Subject, ms: number): Promise<Round> => {
  const took: number[] = []
  const workers = await Promise.all(Array.from({ length: atOnce }, open))
  const cpuBefore = cpuTime?.() ?? Number.NaN
  const start = performance.now()
  const work = async ({ once }: (typeof workers)[number]) => {
    while (performance.now() - start < ms) {
      const before = performance.now()
      await once()
      took.push(performance.now() - before)
    }
  }
  await Promise.all(workers.map(work))
  const passed = (performance.now() - start) / 1000
  const cpu = ((cpuTime?.() ?? Number.NaN) - cpuBefore) / took.length
  for (const { close } of workers) close()
  const ordered = sorted(took)
  return { rate: took.length / passed, p50: quantile(ordered, 0.5), p99: quantile(ordered, 0.99), cpu }
}

const slice = 600

/** The speed of a shared machine changes within seconds, so compare a slice only with its neighbors. */
const runBeside = async (subject: Subject, beside: Subject, ms: number, { rounds, beside: besides, ratios, cpuRatios }: Kept) => {
  // Warm up: idle threads have ended since the last round.
  await run(subject, slice / 2)
  let before = await run(beside, slice / 2)
  for (let done = 0; done < ms; done += slice) {
    const one = await run(subject, slice)
    const after = await run(beside, slice / 2)
    rounds.push(one)
    besides.push(after)
    ratios.push((2 * one.rate) / (before.rate + after.rate))
    cpuRatios.push((before.cpu + after.cpu) / (2 * one.cpu))
    before = after
  }
}

/** Measures in alternating order, so that no entry always follows the same one. The first round is not measured. */
export const interleave = async (entries: readonly Entry[], rounds: number, ms: number): Promise<Map<Entry, Kept>> => {
  for (const { subject } of entries) await run(subject, Math.min(ms, 1000))
  const all = new Map<Entry, Kept>(entries.map(entry => [entry, { rounds: [], beside: [], ratios: [], cpuRatios: [] }]))
  for (let round = 0; round < rounds; round++)
    for (const [entry, kept] of round % 2 ? [...all].toReversed() : all)
      if (entry.beside) await runBeside(entry.subject, entry.beside, ms, kept)
      else kept.rounds.push(await run(entry.subject, ms))
  return all
}

export const rateOf = (rounds: readonly Round[]) => median(rounds.map(({ rate }) => rate))
