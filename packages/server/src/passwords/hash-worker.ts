// Runs on the threads of hash-threads.ts.
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { hashSync, verifySync } from '@node-rs/argon2'
import { limits } from '../limits.ts'
import type * as oldDigests from './old-digest.ts'
import type { OldWork } from './old-hash.ts'

/** Parameters of Argon2id: memory in KiB, passes, lanes. */
export type Cost = { memoryCost: number; timeCost: number; parallelism: number }

export type Job =
  | { is: 'hash'; password: string; cost: Cost }
  | { is: 'verify'; password: string; stored: string; old: OldWork | undefined }
export type Answer = { result: string | boolean } | { error: unknown }

/** Loaded for the first hash of another program: most servers have no such hash. */
let hashedText: typeof oldDigests.hashedText | undefined

const verified = ({ password, stored, old }: Job & { is: 'verify' }): boolean =>
  verifySync(stored, old && hashedText ? hashedText(password, old) : password)

const answer = (job: Job): Answer => {
  try {
    return { result: job.is === 'hash' ? hashSync(job.password, job.cost) : verified(job) }
  } catch (error) {
    return { error }
  }
}

/** Returns one answer for each job, in the same order. */
export const answerAll = async (batch: Job[]): Promise<Answer[]> => {
  if (!hashedText && batch.some(job => job.is === 'verify' && job.old)) ({ hashedText } = await import('./old-digest.ts'))
  return batch.map(answer)
}

/**
 * Lowers the priority of this thread. Node can set the priority of a single thread on Linux only: `setPriority` accepts the id of a
 * thread there, and `/proc/thread-self` links to it (proc(5)).
 */
const lowerPriority = () => {
  try {
    const thread = readlinkSync('/proc/thread-self').split('/').at(-1)
    setPriority(Number(thread), limits.password.threadNiceness)
  } catch {
    // Hashing works without a lower priority.
  }
}
lowerPriority()
