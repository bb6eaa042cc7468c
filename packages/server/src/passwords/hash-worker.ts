// Runs on the threads of hash-threads.ts.
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { hashSync, verifySync } from '@node-rs/argon2'
import { limits } from '../limits.ts'

/** Parameters of Argon2id: memory in KiB, passes, lanes. */
export type Cost = { memoryCost: number; timeCost: number; parallelism: number }

export type Job = { is: 'hash'; password: string; cost: Cost } | { is: 'verify'; password: string; stored: string }
export type Answer = { result: string | boolean } | { error: unknown }

const answer = (job: Job): Answer => {
  try {
    return { result: job.is === 'hash' ? hashSync(job.password, job.cost) : verifySync(job.stored, job.password) }
  } catch (error) {
    return { error }
  }
}

/** Returns one answer for each job, in the same order. */
export const answerAll = (batch: Job[]): Answer[] => batch.map(answer)

/** Lowers the priority of this thread. Only Linux has a priority for each thread, and names it here (proc(5)). */
const lowerPriority = () => {
  try {
    const thread = readlinkSync('/proc/thread-self').split('/').at(-1)
    setPriority(Number(thread), limits.password.threadNiceness)
  } catch {
    // Hashing works without it.
  }
}
lowerPriority()
