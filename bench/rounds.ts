import type { Subject } from './server-subjects.ts'
import { median, quantile, sorted } from './statistics.ts'

/** `cpu` is milliseconds of CPU time for each thing done, in the processes that do it; the client's is left out. */
export type Round = { rate: number; p50: number; p99: number; cpu: number }

/** What is measured, and what it is held against in slices right before and after its own. */
export type Course = { subject: Subject; beside?: Subject | undefined }

/** Rounds of a subject, or slices where it is held against another. */
export type Kept = { rounds: Round[]; beside: Round[]; ratios: number[]; cpuRatios: number[] }

/** Does it over and over, as many at once as it says, for so long. */
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

/** The speed of a machine that others use as well changes by the second: only neighbours are compared. */
const runBeside = async (subject: Subject, beside: Subject, ms: number, { rounds, beside: besides, ratios, cpuRatios }: Kept) => {
  // Threads that had nothing to do since the last round are gone.
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

/** All courses in turn, forward and backward, so that none always follows the same one; after a round that is not kept. */
export const interleave = async (courses: readonly Course[], rounds: number, ms: number): Promise<Map<Course, Kept>> => {
  for (const { subject } of courses) await run(subject, Math.min(ms, 1000))
  const all = new Map<Course, Kept>(courses.map(course => [course, { rounds: [], beside: [], ratios: [], cpuRatios: [] }]))
  for (let round = 0; round < rounds; round++)
    for (const [course, kept] of round % 2 ? [...all].toReversed() : all)
      if (course.beside) await runBeside(course.subject, course.beside, ms, kept)
      else kept.rounds.push(await run(course.subject, ms))
  return all
}

export const rateOf = (rounds: readonly Round[]) => median(rounds.map(({ rate }) => rate))
