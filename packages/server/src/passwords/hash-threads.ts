import { hash, verify } from '@node-rs/argon2'
import type { Piscina } from 'piscina'
import { limits } from '../limits.ts'
import type * as worker from './hash-worker.ts'
import type { Answer, Cost, Job } from './hash-worker.ts'
import type { OldWork } from './old-hash.ts'

/** Computes password hashes of one cost on a number of threads. */
export type Hasher = {
  cost: Cost
  threads: number
  /** The most jobs that may run on the threads or wait for them. */
  atOnce: number
  hash: (password: string) => Promise<string>
  verify: (password: string, stored: string, old?: OldWork) => Promise<boolean>
  close: () => Promise<void>
}

/** Computes on Node's own thread pool: for commands, which need few hashes, and for cheap hashes. */
export const createPoolHasher = (threads: number, cost: Cost): Hasher => ({
  cost,
  threads,
  atOnce: threads,
  hash: password => hash(password, cost),
  verify: async (password, stored, old) => verify(stored, old ? (await import('./old-digest.ts')).hashedText(password, old) : password),
  close: async () => {},
})

/** One running batch and one waiting at the thread, so that the thread continues while the event loop is busy. */
const batchesPerThread = 2

/**
 * The most hashes that a thread computes before it wakes the event loop. Hashing evicts the processor's caches, so a wake-up for four
 * sign-ins costs little more than a wake-up for one. If no other hash waits, a hash forms its own batch.
 */
const batchSize = 4

/**
 * Computes on dedicated threads, which start on demand and end when idle. If a thread dies, its jobs fail, and later jobs start another.
 * @param report is called when a thread dies without a job, for example because it could not start
 */
export const createHashThreads = (threads: number, cost: Cost, report: (error: Error) => void): Hasher => {
  let pool: Promise<Piscina> | undefined
  const waiting: { job: Job; resolve: (answer: Answer) => void; reject: (fault: unknown) => void }[] = []
  let batches = 0

  const compute = async (batch: Job[]): Promise<Answer[]> => {
    // If the pool cannot be opened, waiting jobs fail, and the next job tries again.
    pool ??= openPool(threads, report).catch(fault => {
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
        else reject(new Error('a thread returned no result for a hash'))
      }
    } catch (fault) {
      for (const { reject } of batch) reject(fault)
    } finally {
      // Start the next batch after the event loop has queued the requests that follow these results.
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
    verify: async (password, stored, old) => (await answerTo({ is: 'verify', password, stored, old })) === true,
    close: async () => (await pool)?.destroy(),
  }
}

/** Loads the library for the first hash: an idle server needs neither library nor thread. */
const openPool = async (threads: number, report: (error: Error) => void) => {
  const { Piscina } = await import('piscina')
  const pool = new Piscina({
    filename: new URL('./hash-worker.ts', import.meta.url).href,
    name: 'answerAll' satisfies keyof typeof worker,
    minThreads: 0,
    maxThreads: threads,
    concurrentTasksPerWorker: batchesPerThread,
    idleTimeout: limits.password.threadIdle,
    // With atomics, two batches that arrive together return together, and the thread idles until the next two arrive.
    atomics: 'disabled',
    // By default the library fills one thread before it starts another, so one core would compute two parallel hashes.
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
  // A thread died without a job. If it was the last one, no thread would take the waiting jobs.
  pool.on('error', error => {
    report(error)
    if (pool.threads.length === 0) void pool.destroy()
  })
  return pool
}
