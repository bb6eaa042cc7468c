import { hash, verify } from '@node-rs/argon2'
import type { Piscina } from 'piscina'
import { limits } from '../limits.ts'
import type * as worker from './hash-worker.ts'
import type { Answer, Cost, Job } from './hash-worker.ts'

/** Computes hashes of a cost on so many threads. */
export type Hasher = {
  cost: Cost
  threads: number
  /** How many jobs may be under way. */
  atOnce: number
  hash: (password: string) => Promise<string>
  verify: (password: string, stored: string) => Promise<boolean>
  close: () => Promise<void>
}

/** On the threads that Node has for files and names as well: for the few hashes of a command, and for cheap ones. */
export const createPoolHasher = (threads: number, cost: Cost): Hasher => ({
  cost,
  threads,
  atOnce: threads,
  hash: password => hash(password, cost),
  verify: (password, stored) => verify(stored, password),
  close: async () => {},
})

/** One batch in hand and one that waits at the thread: it goes on with that while the event loop is busy with something else. */
const batchesPerThread = 2

/**
 * How many hashes a thread computes before it wakes the event loop, while that many wait. The hashes push everything else out of the
 * processor's caches, so that one wake for four sign-ins costs little more than one for one. A hash that waits for no other is alone.
 */
const batchSize = 4

/**
 * On threads of our own, which start when there is something to do and end when there has been nothing for a while. The jobs of a thread
 * that dies fail; others start another.
 * @param tell hears why a thread died that had no job in hand, as one that could not start
 */
export const createHashThreads = (threads: number, cost: Cost, tell: (error: Error) => void): Hasher => {
  let pool: Promise<Piscina> | undefined
  const waiting: { job: Job; resolve: (answer: Answer) => void; reject: (fault: unknown) => void }[] = []
  let batches = 0

  const compute = async (batch: Job[]): Promise<Answer[]> => {
    // One that could not be opened fails those who wait for it; the next who asks tries anew.
    pool ??= openPool(threads, tell).catch(fault => {
      pool = undefined
      throw fault
    })
    return (await pool).run(batch)
  }

  const startBatch = async (): Promise<void> => {
    const free = threads * batchesPerThread - batches
    const batch = waiting.splice(0, Math.min(batchSize, Math.ceil(waiting.length / free)))
    batches++
    try {
      const answers = await compute(batch.map(({ job }) => job))
      for (const [i, { resolve, reject }] of batch.entries()) {
        const answer = answers[i]
        if (answer) resolve(answer)
        else reject(new Error('a thread left a hash out'))
      }
    } catch (fault) {
      for (const { reject } of batch) reject(fault)
    } finally {
      // Whoever was just answered makes room for the next ones, and these go into one batch.
      batches--
      setImmediate(startBatches)
    }
  }

  const startBatches = () => {
    while (waiting.length > 0 && batches < threads * batchesPerThread) void startBatch()
  }

  const answerTo = async (job: Job): Promise<string | boolean> => {
    const answer = await new Promise<Answer>((resolve, reject) => {
      waiting.push({ job, resolve, reject })
      startBatches()
    })
    if ('error' in answer) throw answer.error
    return answer.result
  }

  return {
    cost,
    threads,
    atOnce: threads * batchesPerThread * batchSize,
    hash: async password => String(await answerTo({ is: 'hash', password, cost })),
    verify: async (password, stored) => (await answerTo({ is: 'verify', password, stored })) === true,
    close: async () => (await pool)?.destroy(),
  }
}

/** Loads the library when the first asks, as a server that nobody signs in at needs neither it nor a thread. */
const openPool = async (threads: number, tell: (error: Error) => void) => {
  const { Piscina } = await import('piscina')
  const pool = new Piscina({
    filename: new URL('./hash-worker.ts', import.meta.url).href,
    name: 'answerAll' satisfies keyof typeof worker,
    minThreads: 0,
    maxThreads: threads,
    concurrentTasksPerWorker: batchesPerThread,
    idleTimeout: limits.password.threadIdle,
    // With them two batches that arrive together are answered together, and the thread is idle until the next two come.
    atomics: 'disabled',
    // The library fills one thread before it starts another: two who come at once would be served by one core.
    loadBalancer: (_, workers) => {
      const least = workers.toSorted((a, b) => a.currentUsage - b.currentUsage)[0]
      if (!least || (least.currentUsage > 0 && workers.length < threads)) return null
      return least.currentUsage < batchesPerThread ? least : null
    },
    resourceLimits: { maxYoungGenerationSizeMb: 1 },
    execArgv: [],
    recordTiming: false,
    trackUnmanagedFds: false,
  })
  // A thread has died without a job in hand. When none is left, then nobody would do what waits for the first that gets ready.
  pool.on('error', error => {
    tell(error)
    if (pool.threads.length === 0) void pool.destroy()
  })
  return pool
}
